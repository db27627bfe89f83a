//! Requirements as people write them: a space instead of `==`.

/// `torch 2.5.1`, as `pip list` prints it, is `torch==2.5.1`. Everything else stays as it is.
pub(crate) fn requirement(text: &str) -> String {
    let (body, marker) = text.split_once(';').map_or((text, None), |(body, marker)| (body, Some(marker)));
    let mut words = body.split_whitespace();
    let (Some(name), Some(version), None) = (words.next(), words.next(), words.next()) else {
        return text.to_owned();
    };
    if !is_name(name) || !is_version(version) {
        return text.to_owned();
    }
    let marker = marker.map(|m| format!(";{m}")).unwrap_or_default();
    format!("{name}=={}{marker}", version.trim_start_matches(['v', 'V']))
}

/// The same where the space parted two arguments: `torch 2.5.1 numpy` asks for two packages.
pub(crate) fn requirements(arguments: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for text in arguments {
        match out.last_mut() {
            Some(last) if is_name(last) && is_version(text) && text.contains('.') => {
                *last = requirement(&format!("{last} {text}"));
            }
            _ => out.push(requirement(text)),
        }
    }
    out
}

/// A name, perhaps with extras, and nothing behind it.
fn is_name(text: &str) -> bool {
    let (name, extras) = text.split_once('[').unwrap_or((text, "]"));
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(part) && extras.ends_with(']')
}

fn is_version(text: &str) -> bool {
    let number = text.trim_start_matches(['v', 'V']);
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '*');
    number.starts_with(|c: char| c.is_ascii_digit()) && number.chars().all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_space_stands_for_two_equal_signs() {
        for (typed, expected) in [
            ("torch 2.5.1", "torch==2.5.1"),
            ("torch   2.5.1+cu124", "torch==2.5.1+cu124"),
            ("jax[cuda12] v0.9.0", "jax[cuda12]==0.9.0"),
            ("python 3.12", "python==3.12"),
            ("torch 2.5.1; python_version < '3.13'", "torch==2.5.1; python_version < '3.13'"),
            ("torch ==2.5.1", "torch ==2.5.1"),
            ("torch >= 2.5", "torch >= 2.5"),
            ("RTX 3090 24GB", "RTX 3090 24GB"),
            ("torch", "torch"),
            ("2.5.1", "2.5.1"),
        ] {
            assert_eq!(requirement(typed), expected, "{typed}");
        }
        let arguments = ["torch", "2.5.1", "numpy", "jax==0.9.0", "8907"].map(str::to_owned);
        assert_eq!(requirements(&arguments), ["torch==2.5.1", "numpy", "jax==0.9.0", "8907"]);
    }
}
