//! Poetry's way to write a requirement: `torch@^2.6`, `torch==2.9.1`, `jax[cuda12]@0.9.0`.

/// As PEP 508 writes it; `None` for what is no set of versions.
pub(super) fn requirement(text: &str) -> Option<String> {
    let Some((name, constraint)) = text.split_once('@') else { return Some(text.to_owned()) };
    let (name, constraint) = (name.trim(), constraint.trim());
    if constraint.contains(['/', ':', '|']) {
        return None;
    }
    let clauses: Option<Vec<String>> = constraint
        .split(',')
        .map(str::trim)
        .filter(|c| !matches!(*c, "" | "*" | "latest"))
        .map(clause)
        .collect();
    Some(format!("{name}{}", clauses?.join(",")))
}

/// `^2.6` stays below the next number left of which all are zero; `~2.6` below the next second number.
fn clause(text: &str) -> Option<String> {
    let numbers = |t: &str| t.trim().split('.').map(|n| n.parse::<u32>().ok()).collect::<Option<Vec<u32>>>();
    let below = |text: &str, at: usize| -> Option<String> {
        let mut next: Vec<u32> = numbers(text)?.into_iter().take(at + 1).collect();
        let last = next.last_mut()?;
        *last = last.checked_add(1)?;
        let next: Vec<String> = next.iter().map(ToString::to_string).collect();
        Some(format!(">={},<{}", text.trim(), next.join(".")))
    };
    if let Some(version) = text.strip_prefix('^') {
        let numbers = numbers(version)?;
        return below(version, numbers.iter().position(|n| *n > 0).unwrap_or(numbers.len() - 1));
    }
    match text.strip_prefix('~').filter(|t| !t.starts_with('=')) {
        Some(version) => below(version, 1),
        None if text.starts_with(|c: char| c.is_ascii_digit()) => Some(format!("=={text}")),
        None => Some(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::requirement;

    #[test]
    fn constraints_as_specifiers() {
        for (text, wanted) in [
            ("torch", Some("torch")),
            ("torch==2.9.1", Some("torch==2.9.1")),
            ("torch@2.9.1", Some("torch==2.9.1")),
            ("torch@^2.6.1", Some("torch>=2.6.1,<3")),
            ("torch@^0.4.1", Some("torch>=0.4.1,<0.5")),
            ("torch@^0.0", Some("torch>=0.0,<0.1")),
            ("torch@~2.6.1", Some("torch>=2.6.1,<2.7")),
            ("torch@~2", Some("torch>=2,<3")),
            ("jax[cuda12]@>=0.9,<1", Some("jax[cuda12]>=0.9,<1")),
            ("torch@latest", Some("torch")),
            ("torch@^x", None),
            ("torch@https://a/b.whl", None),
        ] {
            assert_eq!(requirement(text).as_deref(), wanted, "{text}");
        }
    }
}
