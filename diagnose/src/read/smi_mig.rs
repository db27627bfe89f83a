//! `nvidia-smi mig`: instances that were made and listed (`-cgi`, `-lgi`, `-cci`, `-lci`). `-lgip` and `-lcip` list
//! what could be made, which says nothing.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader =
    Reader { tool: "nvidia-smi mig", words: &["using profile MIG", "instances:"], read };

/// Reads the profile of each instance.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut listed = false;
    for (_, line, text) in page.all() {
        let text = text.trim();
        if let Some((_, rest)) = text.split_once("using profile MIG ")
            && text.contains("uccessfully created")
        {
            if let Some(profile) = profile(rest) {
                found.see("mig", profile, line);
            }
        } else if text.contains("instances:") {
            listed = text.contains("GPU instances:") || text.contains("Compute instances:");
        } else if text.contains("instance profiles:") || text.contains("Processes:") {
            listed = false;
        } else if listed
            && let Some((_, rest)) = text.split_once(" MIG ").filter(|(before, _)| before.starts_with('|'))
            && let Some(profile) = profile(rest)
        {
            found.see("mig", profile, line);
        }
    }
}

/// `1g.5gb`, `1c.3g.20gb`, `1g.10gb+me`.
fn profile(text: &str) -> Option<&str> {
    let word = text.split_whitespace().next()?;
    (word.contains("g.") && word.starts_with(|c: char| c.is_ascii_digit())).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("nvidia-smi mig");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn instances_have_profiles() {
        assert_eq!(
            of(
                "| Compute instances:            |\n|   0     13       MIG 1g.5gb           0         0          0:1     |\n+---+\n|   0      5       MIG 2g.10gb          1         0          0:2     |"
            ),
            ["mig=1g.5gb@2", "mig=2g.10gb@4"]
        );
        assert_eq!(
            of("| GPU instances:      |\n|   0  MIG 1g.10gb+me       20        7          4:1     |"),
            ["mig=1g.10gb+me@2"]
        );
        assert_eq!(
            of("Successfully created GPU instance ID  9 on GPU  0 using profile MIG 3g.20gb (ID  9)"),
            ["mig=3g.20gb@1"]
        );
    }

    #[test]
    fn what_could_be_made_is_not_there() {
        assert_eq!(
            of(
                "| GPU instance profiles:    |\n|   0  MIG 1g.5gb          19     7/7        4.75       No     14     0     0   |"
            ),
            [""; 0]
        );
    }
}
