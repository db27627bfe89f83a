//! Services of the system, as `systemctl status` and `systemctl is-active` show them.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader { tool: "systemctl", words: &[".service -", "is-active"], read };

/// Services that the GPU stack stands on.
fn is_ours(name: &str) -> bool {
    name.contains("nvidia") || matches!(name, "dcgm" | "docker" | "containerd" | "podman" | "k3s" | "kubelet")
}

/// Reads the name line of a service and, below it, its state. Both lines carry the observation.
fn read(page: &Page<'_>, found: &mut Found) {
    for (at, line, text) in page.all() {
        let Some((name, raw)) = named(text) else { continue };
        for (line_of_state, state) in (at + 1..at + 8).filter_map(|i| page.line(i)) {
            let Some(rest) = state.trim_start().strip_prefix("Active: ") else { continue };
            let state = rest.split(" since ").next().unwrap_or(rest).trim();
            let value = format!("{name} {}", state.split_whitespace().next().unwrap_or(state));
            found.made("service", &value, raw, line);
            found.made("service", &value, state, line_of_state);
            break;
        }
    }
    for command in page.commands.iter().filter(|c| c.text.contains("systemctl is-active")) {
        let name = command.text.split_whitespace().last().unwrap_or("").trim_end_matches(".service");
        if let Some((_, line, text)) = page.first_output(command)
            && is_ours(name)
            && matches!(text.trim(), "active" | "inactive" | "failed" | "unknown" | "activating")
        {
            found.made("service", &format!("{name} {}", text.trim()), text.trim(), line);
        }
    }
}

/// `● nvidia-fabricmanager.service - NVIDIA fabric manager service`: the name, and as it stands there.
fn named(text: &str) -> Option<(&str, &str)> {
    let text = text.trim().trim_start_matches(['●', '○', '×', '*', '↻', ' ']);
    let raw = text.split_whitespace().next()?;
    let name = raw.strip_suffix(".service")?;
    (text[raw.len()..].starts_with(" -") && is_ours(name)).then_some((name, raw))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("systemctl");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn states_stand_below_names() {
        assert_eq!(
            of(
                "○ nvidia-fabricmanager.service - NVIDIA fabric manager service\n     Loaded: loaded (/lib/systemd/…; disabled)\n     Active: inactive (dead)"
            ),
            ["service=nvidia-fabricmanager inactive@1", "service=nvidia-fabricmanager inactive@3"]
        );
        assert_eq!(
            of(
                "* nvidia-persistenced.service - NVIDIA Persistence Daemon\n   Loaded: loaded\n   Active: failed (Result: exit-code) since Mon 2023-01-02 10:00:00 UTC; 3s ago"
            ),
            ["service=nvidia-persistenced failed@1", "service=nvidia-persistenced failed@3"]
        );
        assert_eq!(
            of("$ systemctl is-active nvidia-fabricmanager\nactive"),
            ["service=nvidia-fabricmanager active@2"]
        );
        assert_eq!(of("● ssh.service - OpenBSD Secure Shell server\n   Active: active (running)"), [""; 0]);
    }
}
