//! Private names in a captured machine. They are replaced in its values, before these are written: written, a value with
//! several lines or with quotes looks like something else.

use diagnose::redact::Redactor;
use toml::Value;

/// Replaces private names in every text of a tree.
pub(super) fn redact(tree: &mut Value, redactor: &mut Redactor) {
    // What is learned from one value is replaced in those before it as well.
    each(tree, "", &mut |name, text| {
        redactor.begin();
        redactor.learn(&line(name, text));
    });
    each(tree, "", &mut |name, text| {
        redactor.begin();
        let whole = redactor.text(&line(name, text));
        let value =
            whole.split_once('=').filter(|(before, _)| *before == name).map(|(_, value)| value.to_owned());
        *text = value.unwrap_or_else(|| redactor.text(text));
    });
}

/// A value as it stands behind its name: whether it is private may depend on that.
fn line(name: &str, text: &str) -> String {
    format!("{name}={text}")
}

fn each(value: &mut Value, name: &str, with: &mut dyn FnMut(&str, &mut String)) {
    match value {
        Value::String(text) => with(name, text),
        Value::Array(list) => list.iter_mut().for_each(|v| each(v, name, with)),
        Value::Table(table) => table.iter_mut().for_each(|(key, v)| each(v, key, with)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redacted(text: &str) -> String {
        let mut tree: Value = toml::from_str(text).expect("TOML");
        redact(&mut tree, &mut Redactor::new(&kb_data::builtin_full()));
        toml::to_string(&tree).expect("TOML")
    }

    #[test]
    fn a_name_is_replaced_in_values_of_several_lines() {
        let out = redacted("a = \"first\\n/home/wangxiaoming/venv/bin\\nlast\"\nb = '/home/wangxiaoming'\n");
        assert!(!out.contains("wangxiaoming"), "{out}");
        assert!(out.contains("first") && out.contains("last"), "{out}");
    }

    #[test]
    fn a_block_that_is_cut_hides_nothing_behind_it() {
        let out = redacted(
            "a = \"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEF\"\nb = \"libcudart.so.12 is found\"\n",
        );
        assert!(!out.contains("MIIEvQIBADANBgkqhkiG9w0BAQEF"), "{out}");
        assert!(out.contains("libcudart.so.12 is found"), "{out}");
    }

    #[test]
    fn a_secret_is_known_by_its_name() {
        let out = redacted(
            "[variables]\nNVIDIA_API_KEY = \"nvapi-abcdefghijklmnop0123\"\nCUDA_HOME = \"/usr/local/cuda\"\n",
        );
        assert!(!out.contains("abcdefghijklmnop0123"), "{out}");
        assert!(out.contains("CUDA_HOME = \"/usr/local/cuda\""), "{out}");
    }
}
