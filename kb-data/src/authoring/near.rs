//! Names that look like a mistyped one.

/// At most three of `known`, nearest first, that somebody may have meant by `name`.
pub(super) fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = name.to_lowercase();
    let limit = (name.chars().count() / 3 + 1).min(4);
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .filter_map(|k| {
            let contains = name.len() > 3 && (k.contains(&lower) || lower.contains(k) && k.len() > 3);
            // Names of very different length are not near, which saves most of the work.
            if !contains && k.len().abs_diff(name.len()) > limit {
                return None;
            }
            let distance = strsim::damerau_levenshtein(&lower, &k.to_lowercase());
            (distance <= limit || contains).then_some((distance, k))
        })
        .collect();
    found.sort();
    found.dedup();
    found.truncate(3);
    found.into_iter().map(|(_, k)| k).collect()
}

/// `a`, `b`, `c`
pub(super) fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut out = String::new();
    for word in words {
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push('`');
        out.push_str(word);
        out.push('`');
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_was_meant() {
        let known = ["toolkit", "driver", "os", "note"];
        assert_eq!(super::near("tolkit", known), ["toolkit"]);
        assert_eq!(super::near("drivr", known), ["driver"]);
        assert!(super::near("architecture", known).is_empty());
    }
}
