//! Releases that say the same, as ranges: neighbours in the list of final releases share a row.

use pep440_rs::Version;

/// Runs of neighbours with equal values. `known` is what each release of `order` says; one that says nothing ends a run,
/// since nobody looked.
pub(crate) fn runs<T: PartialEq>(
    order: &[&Version],
    known: impl Fn(&Version) -> Option<T>,
) -> Vec<(String, T)> {
    let mut out: Vec<(usize, usize, T)> = Vec::new();
    for (at, version) in order.iter().enumerate() {
        let Some(value) = known(version) else { continue };
        match out.last_mut() {
            Some((_, end, same)) if *end + 1 == at && *same == value => *end = at,
            _ => out.push((at, at, value)),
        }
    }
    out.into_iter().map(|(start, end, value)| (range(order[start], order[end]), value)).collect()
}

/// The same where wheels for several platforms say something: what all say that were read for a release stands without a
/// platform, the rest for each.
pub(crate) fn across<T: PartialEq>(
    order: &[&Version],
    platforms: &[&'static str],
    known: impl Fn(&Version, &'static str) -> Option<T>,
) -> Vec<(String, Option<&'static str>, T)> {
    let everywhere = |version: &Version| {
        let mut all = platforms.iter().filter_map(|platform| known(version, platform));
        let first = all.next()?;
        all.all(|other| other == first).then_some(first)
    };
    let mut out: Vec<_> =
        runs(order, everywhere).into_iter().map(|(range, value)| (range, None, value)).collect();
    for platform in platforms {
        let here = |version: &Version| match everywhere(version) {
            Some(_) => None,
            None => known(version, platform),
        };
        out.extend(runs(order, here).into_iter().map(|(range, value)| (range, Some(*platform), value)));
    }
    out
}

/// `==2.0.1`, or `>=2.0.0, <=2.0.1`.
fn range(first: &Version, last: &Version) -> String {
    if first == last { format!("=={first}") } else { format!(">={first}, <={last}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    #[test]
    fn neighbours_share_a_row_and_gaps_do_not() {
        let versions: Vec<Version> =
            ["1.0", "1.1", "1.2", "2.0", "2.1"].iter().map(|v| Version::from_str(v).unwrap()).collect();
        let order: Vec<&Version> = versions.iter().collect();
        let said = |v: &Version| match v.to_string().as_str() {
            "1.1" => None,
            "2.1" => Some("b"),
            _ => Some("a"),
        };
        let ranges: Vec<(String, &str)> = runs(&order, said);
        assert_eq!(ranges, [("==1.0".into(), "a"), (">=1.2, <=2.0".into(), "a"), ("==2.1".into(), "b")]);
    }

    #[test]
    fn what_all_platforms_say_stands_without_one() {
        let versions: Vec<Version> = ["1.0", "1.1"].iter().map(|v| Version::from_str(v).unwrap()).collect();
        let order: Vec<&Version> = versions.iter().collect();
        let known = |version: &Version, platform: &'static str| match (version.to_string().as_str(), platform)
        {
            (_, "macos") => None,
            ("1.1", "windows") => Some("b"),
            _ => Some("a"),
        };
        assert_eq!(
            across(&order, &["linux", "windows", "macos"], known),
            [
                ("==1.0".into(), None, "a"),
                ("==1.1".into(), Some("linux"), "a"),
                ("==1.1".into(), Some("windows"), "b")
            ]
        );
    }

    #[test]
    fn a_range_holds_its_releases_and_no_neighbour() {
        let order: Vec<Version> =
            ["1.0", "1.1", "1.2", "1.2.post1", "2.0"].iter().map(|v| Version::from_str(v).unwrap()).collect();
        for start in 0..order.len() {
            for end in start..order.len() {
                let range = range(&order[start], &order[end]);
                let set = pep440_rs::VersionSpecifiers::from_str(&range).unwrap();
                for (at, version) in order.iter().enumerate() {
                    assert_eq!(set.contains(version), (start..=end).contains(&at), "{version} in {range}");
                }
            }
        }
    }
}
