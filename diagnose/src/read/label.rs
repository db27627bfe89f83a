//! Lines of a label and a value.

/// The label and the value around the first colon that stands between them: blanks before it belong to neither, a
/// full-width colon is one. A colon inside a path or a time is none.
pub(super) fn split(line: &str) -> Option<(&str, &str)> {
    for (at, c) in line.char_indices() {
        let after = match c {
            ':' => at + 1,
            '：' => at + c.len_utf8(),
            _ => continue,
        };
        let rest = &line[after..];
        // Markdown writes `**Label:** value` or `**Label**: value`.
        let bold = rest.starts_with("**");
        if c == '：' || rest.is_empty() || rest.starts_with([' ', '\t']) || bold {
            let label = line[..at].trim().trim_start_matches(['-', '*', '•']).trim_end_matches('*').trim();
            let value = if bold { rest.trim_start_matches('*') } else { rest };
            return (!label.is_empty()).then(|| (label, value.trim()));
        }
    }
    None
}

/// Does a line have a blank before its colon, as tables of labels do?
pub(super) fn aligned(line: &str) -> bool {
    line.find(" :").is_some_and(|at| !line[..at].contains(':')) || line.contains("\t:")
}

/// Is a value one that says that there is none?
pub(super) fn is_nothing(value: &str) -> bool {
    let value = value.trim().trim_matches(['[', ']', '\'', '"', '(', ')']);
    matches!(
        value.to_ascii_lowercase().as_str(),
        "" | "n/a"
            | "na"
            | "none"
            | "not set"
            | "not supported"
            | "could not collect"
            | "not available"
            | "unknown"
            | "unknown error"
            | "err!"
            | "module not found"
            | "not installed"
            | "not found"
            | "null"
            | "-"
            | "insufficient permissions"
            | "gpu requires reset"
            | "not installed (na)"
            | "nil"
            | "false"
            | "(none)"
            | "not active"
            | "unavailable"
    )
}

/// `True`, `Yes`, `1` as `True`; their opposites as `False`.
pub(super) fn truth(value: &str) -> Option<&'static str> {
    let word = value.trim().split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" => Some("True"),
        "false" | "no" => Some("False"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_end_at_their_colon() {
        assert_eq!(
            split("Driver Version                      : 418.40.04"),
            Some(("Driver Version", "418.40.04"))
        );
        assert_eq!(split("- `transformers` version: 4.41.2"), Some(("`transformers` version", "4.41.2")));
        assert_eq!(split("驱动程序版本：1"), Some(("驱动程序版本", "1")));
        assert_eq!(split("cuDNN version: C:\\x\\y.dll"), Some(("cuDNN version", "C:\\x\\y.dll")));
        assert_eq!(split("**Python version:** 3.8"), Some(("Python version", "3.8")));
        assert_eq!(split("12:30:01 x"), None);
        assert!(aligned("a  : b") && !aligned("a: b : c"));
    }
}
