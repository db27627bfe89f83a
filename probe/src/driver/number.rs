//! Numbers of drivers, in their one form.

/// Has a text the form of a driver's version? `550.54.14`, `581.80`: three digits first, then one or two numbers.
pub(super) fn is_driver(text: &str) -> bool {
    let mut parts = text.split('.');
    let first = parts.next().unwrap_or("");
    let rest = parts.clone().count();
    first.len() == 3
        && !first.starts_with('0')
        && (1..=2).contains(&rest)
        && text.split('.').all(|p| (1..=3).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_digit()))
}

/// NVIDIA's number of a file of a Windows driver is its last five digits: 32.0.15.8180 is 581.80. A number that has that
/// form already stays.
pub(super) fn of_windows(text: &str) -> Option<String> {
    let text = text.trim();
    if is_driver(text) {
        return Some(text.to_owned());
    }
    let parts: Vec<&str> = text.split(['.', ',']).map(str::trim).collect();
    let [first, second, third, fourth] = parts.as_slice() else { return None };
    let digits = parts.iter().all(|p| !p.is_empty() && p.len() <= 5 && p.bytes().all(|b| b.is_ascii_digit()));
    // NVIDIA's third number is 10 to 19; Intel's is 100 or 101.
    let third = third.trim_start_matches('0');
    let model: u32 = first.parse().ok()?;
    if !digits
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

/// The management library puts the CUDA major before the number of the driver: 12.550.54.14 is 550.54.14.
pub(super) fn of_nvml(text: &str) -> &str {
    let rest = text.split_once('.').filter(|(cuda, _)| cuda.len() <= 2).map(|(_, rest)| rest);
    rest.filter(|r| is_driver(r)).unwrap_or(text)
}

/// The number behind `lib….so.` of a file of a Linux driver.
pub(super) fn of_file<'n>(name: &'n str, library: &str) -> Option<&'n str> {
    name.strip_prefix(library)?.strip_prefix(".so.").filter(|v| is_driver(v))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form() {
        let windows = |text: &str| of_windows(text).unwrap_or_default();
        assert_eq!(
            ["32.0.15.8180", "31.0.15.2824", "8.17.13.8813", "581.80", "27.21.14.5671"].map(windows),
            ["581.80", "528.24", "388.13", "581.80", "456.71"]
        );
        assert_eq!(["31.0.101.4502", "10.0.19041.1", "", "1.2.3.4", "32.0.15.é180"].map(windows), [""; 5]);
        assert_eq!(
            ["12.550.54.14", "13.580.65.06", "610.62", "12.4"].map(of_nvml),
            ["550.54.14", "580.65.06", "610.62", "12.4"]
        );
        assert_eq!(of_file("libcuda.so.550.54.14", "libcuda"), Some("550.54.14"));
        assert_eq!(
            ["libcuda.so.1", "libcuda.so.1.1", "libcudadebugger.so.550.54.14"].map(|n| of_file(n, "libcuda")),
            [None; 3]
        );
    }
}
