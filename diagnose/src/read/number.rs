//! Versions as they stand in texts, and numbers that stand for versions.

/// The digits and dots at the beginning, without a dot at the end: `8.2` of `8.2.`, `11` of `11,`.
pub(super) fn dotted(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let text = text[..end].trim_end_matches('.');
    let whole = !text.is_empty() && !text.starts_with('.') && !text.contains("..") && text.len() <= 24;
    whole.then_some(text)
}

/// The same with one dot at least.
pub(super) fn version(text: &str) -> Option<&str> {
    dotted(text).filter(|v| v.contains('.'))
}

/// A version of a package at the beginning: `2.1.0+cu121`, `0.5.3.post1`, `13.0.1rc1`.
pub(super) fn release(text: &str) -> Option<&str> {
    let digits = text.strip_prefix('v').unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '+' | '-' | '_' | '!'))
        .unwrap_or(text.len());
    let text = text[..end].trim_end_matches(['.', '-', '+', '_', '!']);
    (text.len() <= 80 && !text.is_empty()).then_some(text)
}

/// Is a word a version of a package and nothing else?
pub(super) fn is_release(word: &str) -> bool {
    release(word) == Some(word)
}

/// A driver's version at the beginning: `535.104.05`, `546.65`, `540.4.0`.
pub(super) fn driver(text: &str) -> Option<&str> {
    let found = version(text)?;
    is_driver(found).then_some(found)
}

/// Has a text the form of a driver's version? The first number has three digits, and there are two or three of them.
pub(super) fn is_driver(text: &str) -> bool {
    let mut parts = text.split('.');
    let first = parts.next().unwrap_or("");
    let rest = parts.clone().count();
    first.len() == 3
        && first.bytes().all(|b| b.is_ascii_digit())
        && !first.starts_with('0')
        && (1..=2).contains(&rest)
        && parts.all(|p| (1..=3).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_digit()))
}

/// A CUDA release at the beginning: `12.4`, `11.1.105`.
pub(super) fn cuda(text: &str) -> Option<&str> {
    let found = version(text)?;
    let mut parts = found.split('.');
    let first: u32 = parts.next()?.parse().ok()?;
    ((1..=99).contains(&first) && parts.count() <= 2).then_some(found)
}

/// NVIDIA's number of a Windows driver: its last five digits. 32.0.15.8180 is 581.80.
pub(super) fn windows_driver(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split('.').collect();
    let [first, second, third, fourth] = parts.as_slice() else { return None };
    let all_digits =
        parts.iter().all(|p| !p.is_empty() && p.len() <= 5 && p.bytes().all(|b| b.is_ascii_digit()));
    let model: u32 = first.parse().ok()?;
    // NVIDIA's third number is 10 to 19; Intel's is 100 or 101. Some tools pad: `31.00.0015.3623`.
    let third = third.trim_start_matches('0');
    if !all_digits
        || !(6..=40).contains(&model)
        || second.len() > 2
        || third.len() != 2
        || !third.starts_with('1')
        || fourth.len() != 4
    {
        return None;
    }
    let five = format!("{}{fourth}", &third[1..]);
    let (major, minor) = five.split_at(3);
    (!major.starts_with('0')).then(|| format!("{major}.{minor}"))
}

/// CUDA's integers: 11040 is 11.4.
pub(super) fn cuda_integer(text: &str) -> Option<String> {
    let number: u32 = text.parse().ok()?;
    (2000..=99_990).contains(&number).then(|| format!("{}.{}", number / 1000, number % 1000 / 10))
}

/// cuDNN's integers: 7102 is 7.1.2, 90100 is 9.1.0.
pub(super) fn cudnn_integer(text: &str) -> Option<String> {
    let number: u32 = text.parse().ok()?;
    match number {
        1000..=8999 => Some(format!("{}.{}.{}", number / 1000, number % 1000 / 100, number % 100)),
        90_000..=999_999 => Some(format!("{}.{}.{}", number / 10_000, number % 10_000 / 100, number % 100)),
        _ => None,
    }
}

/// A cuDNN version or its integer at the beginning; the part of the text, and the version.
pub(super) fn cudnn(text: &str) -> Option<(&str, String)> {
    let text = text.trim_start_matches('v');
    let found = dotted(text)?;
    if found.contains('.') {
        let first: u32 = found.split('.').next()?.parse().ok()?;
        return (1..=20).contains(&first).then(|| (found, found.to_owned()));
    }
    Some((found, cudnn_integer(found)?))
}

/// A compute capability as digits: `86` is 8.6, `120` is 12.0; a letter at the end stays.
pub(super) fn capability(digits: &str) -> Option<String> {
    let number = digits.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let letter = &digits[number.len()..];
    if !(2..=3).contains(&number.len()) || letter.len() > 1 || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (major, minor) = number.split_at(number.len() - 1);
    (!major.starts_with('0')).then(|| format!("{major}.{minor}{letter}"))
}

/// A compute capability with its dot at the beginning: `8.6`.
pub(super) fn dotted_capability(text: &str) -> Option<&str> {
    let found = version(text)?;
    let (major, minor) = found.split_once('.')?;
    (major.len() <= 2 && minor.len() == 1 && major != "0").then_some(found)
}

/// `(8, 6)` at the beginning; the part of the text, and 8.6.
pub(super) fn tuple_capability(text: &str) -> Option<(&str, String)> {
    let inside = text.strip_prefix('(')?.split(')').next()?;
    let (major, minor) = inside.split_once(',')?;
    let version = format!("{}.{}", major.trim(), minor.trim());
    (dotted_capability(&version) == Some(version.as_str())).then(|| (&text[..inside.len() + 2], version))
}

/// All `sm_86` of a text as `8.6 9.0`, each once.
pub(super) fn arches(text: &str) -> Option<String> {
    let mut out: Vec<String> = Vec::new();
    for part in text.split("sm_").skip(1) {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        if let Some(found) = capability(&part[..end])
            && !out.contains(&found)
        {
            out.push(found);
        }
    }
    (!out.is_empty()).then(|| out.join(" "))
}

/// The CUDA release in a local version: `cu124` and `cuda124` are 12.4, `cu92` is 9.2.
pub(super) fn cuda_tag(tag: &str) -> Option<String> {
    let digits = tag.strip_prefix("cuda").or_else(|| tag.strip_prefix("cu"))?;
    let digits = &digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())];
    match digits.len() {
        2 if !("12".."60").contains(&digits) => Some(format!("{}.{}", &digits[..1], &digits[1..])),
        3 => Some(format!("{}.{}", &digits[..2], &digits[2..])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_end_where_the_sentence_goes_on() {
        assert_eq!(version("8.2."), Some("8.2"));
        assert_eq!(version("12"), None);
        assert_eq!(release("2.1.0+cu121 (True)"), Some("2.1.0+cu121"));
        assert_eq!(release("Module"), None);
        assert_eq!(driver("610.62 [Deprecated"), Some("610.62"));
        assert_eq!(driver("90.04.7a.40.73"), None);
        assert_eq!(driver("10.0.18363.836"), None);
        assert_eq!(cuda("535.104"), None);
    }

    #[test]
    fn integers_stand_for_versions() {
        assert_eq!(cuda_integer("11040").as_deref(), Some("11.4"));
        assert_eq!(cudnn_integer("7102").as_deref(), Some("7.1.2"));
        assert_eq!(cudnn_integer("90100").as_deref(), Some("9.1.0"));
        assert_eq!(capability("86").as_deref(), Some("8.6"));
        assert_eq!(capability("120").as_deref(), Some("12.0"));
        assert_eq!(capability("90a").as_deref(), Some("9.0a"));
        assert_eq!(cuda_tag("cu92").as_deref(), Some("9.2"));
        assert_eq!(cuda_tag("cuda12"), None);
        assert_eq!(arches("['sm_50', 'sm_120', 'compute_120']").as_deref(), Some("5.0 12.0"));
    }

    #[test]
    fn windows_numbers_hold_nvidias() {
        assert_eq!(windows_driver("32.0.15.8180").as_deref(), Some("581.80"));
        assert_eq!(windows_driver("23.21.13.9135").as_deref(), Some("391.35"));
        assert_eq!(windows_driver("31.0.101.4502"), None);
        assert_eq!(windows_driver("10.0.18363.836"), None);
    }
}
