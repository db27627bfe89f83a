//! `cudnn_version.h`, and `cudnn.h` of cuDNN 7 and older: the macros that programs are compiled with.

use super::{Said, Stated};

/// Bytes that are looked at. The macros stand in the first screens of the file.
const LONGEST: usize = 1 << 20;

pub(super) fn read(bytes: &[u8]) -> Stated {
    let text = String::from_utf8_lossy(bytes.get(..LONGEST).unwrap_or(bytes));
    let parts: Option<Vec<&str>> =
        ["CUDNN_MAJOR", "CUDNN_MINOR", "CUDNN_PATCHLEVEL"].iter().map(|name| defined(&text, name)).collect();
    Stated { cudnn: parts.map(|p| Said::plain(p.join("."))), ..Stated::default() }
}

/// The number of `#define NAME 9`. `None` if there is none, or several that differ.
fn defined<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut values = text.lines().filter_map(|line| {
        let mut words = line.trim().strip_prefix('#')?.split_whitespace();
        (words.next() == Some("define") && words.next() == Some(name)).then(|| words.next())?
    });
    let first = values.next()?;
    let number = first.len() < 4 && first.bytes().all(|b| b.is_ascii_digit());
    (number && values.all(|v| v == first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::super::read;

    #[test]
    fn macros() {
        let cudnn = |text: &str| read("include/cudnn_version.h", text.as_bytes())?.cudnn.map(|c| c.value);
        let text = "#ifndef A\n#define CUDNN_MAJOR 9\n# define CUDNN_MINOR 1\n#define CUDNN_PATCHLEVEL 0\n\
            #define CUDNN_VERSION (CUDNN_MAJOR * 10000)\n";
        assert_eq!(cudnn(text).as_deref(), Some("9.1.0"));
        assert_eq!(cudnn(&format!("{text}#define CUDNN_MINOR 2\n")), None);
        for text in ["", "#include \"cudnn_version.h\"\n", "#define CUDNN_MAJOR\n", "#define CUDNN_MAJOR x\n"]
        {
            assert_eq!(cudnn(text), None, "{text}");
        }
    }
}
