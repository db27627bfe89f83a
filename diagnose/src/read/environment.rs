//! Variables of the environment, however they are shown or set.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "environment",
    words: &[
        "CUDA_PATH",
        "CUDA_HOME",
        "CUDA_VISIBLE_DEVICES",
        "LD_LIBRARY_PATH",
        "PATH",
        "REQUIRE_CUDA",
        "ld.so.conf",
    ],
    read,
};

/// The observation that a variable makes. `CUDA_PATH_V11_2` and the like say nothing of what is used.
fn meaning(name: &str) -> Option<&'static str> {
    Some(match name {
        "CUDA_PATH" | "CUDA_HOME" => "cuda-path",
        "CUDA_VISIBLE_DEVICES" => "cuda-visible-devices",
        "LD_LIBRARY_PATH" | "PATH" | "Path" => "search-path",
        _ => return None,
    })
}

/// Reads assignments, `echo $NAME`, and what programs print of variables.
fn read(page: &Page<'_>, found: &mut Found) {
    for (at, line, text) in page.all() {
        let command = page.commands.binary_search_by_key(&at, |c| c.at).ok().map(|i| &page.commands[i]);
        let text = command.map_or(text, |c| c.text).trim();
        if let Some((name, value)) = assignment(text)
            && let Some(what) = meaning(name)
        {
            // An empty list hides every GPU and an empty search path finds nothing; an empty place says nothing.
            if !value.is_empty() || what != "cuda-path" {
                found.see(what, value, line);
            }
        } else if let Some(value) = visible(text) {
            found.see("cuda-visible-devices", value, line);
        } else if let Some((_, value)) = text.split_once("; LD_LIBRARY_PATH: ") {
            // TensorFlow's loader.
            found.see("search-path", value.trim(), line);
        }
    }
    for command in page.commands.iter().filter(|c| c.text.contains("/etc/ld.so.conf")) {
        for (_, line, text) in page.output(command).take(20) {
            let text = text.trim();
            if text.starts_with('/') && !text.contains([' ', ':']) {
                found.see("search-path", text, line);
            }
        }
    }
    for (_, line, text) in page.all() {
        // What an image asks of the driver: `NVIDIA_REQUIRE_CUDA=cuda>=12.1 brand=tesla,…`.
        if let Some((_, rest)) = text.split_once("NVIDIA_REQUIRE_CUDA=")
            && let Some((_, version)) = rest.split_once("cuda>=").filter(|(before, _)| before.len() < 3)
            && let Some(version) = super::number::cuda(version)
        {
            found.see("cuda-needed", version, line);
        }
    }
    for command in &page.commands {
        let Some(what) = asked(command.text).and_then(meaning) else { continue };
        if let Some((_, line, value)) = page.output(command).next()
            && !value.trim().is_empty()
            && !value.contains('%')
        {
            found.see(what, value.trim(), line);
        }
    }
}

/// A line that assigns one variable, in a shell, a list of variables, a Dockerfile or PowerShell.
fn assignment(text: &str) -> Option<(&str, &str)> {
    let rest = ["export ", "set ", "setx ", "ENV ", "declare -x ", "- ", "env "]
        .iter()
        .find_map(|p| text.strip_prefix(p))
        .unwrap_or(text)
        .trim_start();
    let rest = rest.strip_prefix("$env:").or_else(|| rest.strip_prefix("$Env:")).unwrap_or(rest);
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let (name, after) = rest.split_at(end);
    meaning(name)?;
    let spaced = text.starts_with("setx ") || text.starts_with("ENV ") || text.starts_with('$');
    let after = after.trim_start();
    let value = match after.strip_prefix('=') {
        Some(value) => value,
        None if spaced => after,
        None => return None,
    };
    let value = value.trim();
    // `CUDA_VISIBLE_DEVICES=0 python train.py`: the value ends at the blank; a path on Windows may hold some.
    let quoted = value.strip_prefix(['"', '\'']);
    let value = match quoted {
        Some(inner) => inner.split(['"', '\'']).next().unwrap_or(inner),
        None if name == "CUDA_VISIBLE_DEVICES" => value.split([' ', ';', '&']).next().unwrap_or(value),
        None if value.starts_with('/') => value.split(' ').next().unwrap_or(value),
        None => value,
    };
    Some((name, value))
}

/// `os.environ["CUDA_VISIBLE_DEVICES"] = "0"`, `-e CUDA_VISIBLE_DEVICES=0`.
fn visible(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("CUDA_VISIBLE_DEVICES")?;
    let rest = match rest.strip_prefix(['"', '\'']) {
        Some(rest) => rest.trim_start_matches([']', ' ', ',']).trim_start_matches(['=', ':', ' ']),
        None => rest.strip_prefix('=').or_else(|| rest.strip_prefix(": "))?,
    };
    let value = match rest.strip_prefix(['"', '\'']) {
        Some(inner) => inner.split(['"', '\'']).next()?,
        None => rest.split([' ', ';', ')']).next()?,
    };
    let list = value.split(',').all(|v| {
        !v.is_empty() && (v.trim().parse::<i32>().is_ok() || v.starts_with("GPU-") || v.starts_with("MIG-"))
    });
    list.then_some(value)
}

/// The variable that a command shows.
fn asked(command: &str) -> Option<&str> {
    let text = command.trim();
    let rest = text
        .strip_prefix("echo ")
        .or_else(|| text.strip_prefix("printenv "))
        .or_else(|| text.strip_prefix("Write-Host "))
        .unwrap_or(text)
        .trim_matches(['"', ' ']);
    let name = rest
        .strip_prefix("$env:")
        .or_else(|| rest.strip_prefix("$Env:"))
        .or_else(|| rest.strip_prefix('$'))
        .unwrap_or(rest)
        .trim_matches(['%', '{', '}']);
    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (plain && (rest != name || text.starts_with("printenv "))).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("env");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn assignments_of_all_shells() {
        assert_eq!(
            of(
                "CUDA_PATH=C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.3\nCUDA_PATH_V10_1=C:\\x"
            ),
            ["cuda-path=C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.3@1"]
        );
        assert_eq!(
            of("export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH"),
            ["search-path=/usr/local/cuda/lib64:$LD_LIBRARY_PATH@1"]
        );
        assert_eq!(of("$ CUDA_VISIBLE_DEVICES=0,1 python train.py"), ["cuda-visible-devices=0,1@1"]);
        assert_eq!(of("os.environ[\"CUDA_VISIBLE_DEVICES\"] = \"1\""), ["cuda-visible-devices=1@1"]);
        assert_eq!(
            of("$env:CUDA_PATH = \"C:\\CUDA\"\nENV CUDA_HOME /usr/local/cuda"),
            ["cuda-path=C:\\CUDA@1", "cuda-path=/usr/local/cuda@2"]
        );
    }

    #[test]
    fn echoed_values() {
        assert_eq!(of("$ echo $LD_LIBRARY_PATH\n/a:/b\n$ echo $CUDA_HOME\n$ ls"), ["search-path=/a:/b@2"]);
        assert_eq!(of("C:\\>echo %CUDA_PATH%\nC:\\CUDA\\v12.1"), ["cuda-path=C:\\CUDA\\v12.1@2"]);
    }
}
