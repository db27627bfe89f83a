//! Container engines: `docker info`, images, `nvidia-container-cli info`.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{label, number};

pub(super) const READER: Reader = Reader {
    tool: "container",
    words: &[
        "root@",
        "docker",
        "podman",
        "singularity",
        "apptainer",
        "FROM ",
        "Runtimes",
        "NVRM version",
        "Device Index",
        "Server Version",
    ],
    read,
};

/// Reads which engine runs, its runtimes, and what NVIDIA's tool says of the host.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut cli = Cli::default();
    let mut engine = false;
    for (_, line, text) in page.all() {
        let trimmed = text.trim();
        if let Some((name, raw)) = called(text).filter(|(name, _)| !engine || *name != "docker") {
            engine |= name == "docker";
            found.made("container", name, raw, line);
        } else if trimmed.starts_with("FROM ") && trimmed.contains('/') && trimmed.contains(':') && !engine {
            engine = true;
            found.made("container", "docker", trimmed, line);
        }
        if !engine && let Some(host) = container_host(trimmed) {
            engine = true;
            found.made("container", "docker", host, line);
        }
        let Some((name, value)) = label::split(trimmed) else { continue };
        match name {
            "Runtimes" => found.see("container-runtimes", value, line),
            "Server Version" if !engine && number::version(value).is_some() => {
                engine = true;
                found.made("container", "docker", trimmed, line);
            }
            "NVRM version" => {
                // `(null)` on Jetson.
                cli.seen = true;
                if number::is_driver(value) {
                    found.see("driver", value, line);
                }
            }
            "CUDA version" if cli.seen => {
                if let Some(version) = number::cuda(value) {
                    found.see("cuda-driver-level", version, line);
                }
            }
            "Device Index" => {
                cli.seen = true;
                cli.devices.push((trimmed, line, value));
            }
            "Model" if cli.seen && !cli.devices.is_empty() => found.see("gpu", value, line),
            "Architecture" if cli.seen => {
                if let Some(capability) = number::dotted_capability(value) {
                    found.see("compute-capability", capability, line);
                }
            }
            _ => {}
        }
    }
    let all = cli.devices.iter().zip(0..).all(|((_, _, index), n)| index.parse() == Ok(n));
    if let Some((raw, line, _)) = cli.devices.last().filter(|_| all) {
        found.made("gpu-count", &cli.devices.len().to_string(), raw, *line);
    }
}

#[derive(Default)]
struct Cli<'a> {
    seen: bool,
    devices: Vec<(&'a str, usize, &'a str)>,
}

/// The prompt of a shell in a container: the engine names the host with twelve digits.
fn container_host(text: &str) -> Option<&str> {
    let at = text.find("root@")?;
    let host = &text[at + 5..];
    let end = host.find(|c: char| !c.is_ascii_hexdigit())?;
    (end == 12 && host[end..].starts_with(':') && at < 30).then(|| &text[at..at + 17])
}

/// The engine that a line calls, and the words.
fn called(text: &str) -> Option<(&'static str, &'static str)> {
    const CALLS: [(&str, &[&str]); 4] = [
        (
            "docker",
            &["docker info", "docker run", "docker exec", "docker compose", "docker build", "docker-compose"],
        ),
        ("podman", &["podman run", "podman info", "podman exec"]),
        ("singularity", &["singularity exec", "singularity run", "singularity shell"]),
        ("apptainer", &["apptainer exec", "apptainer run", "apptainer shell"]),
    ];
    let (name, calls) = CALLS.iter().find(|(name, _)| text.contains(name))?;
    calls.iter().find(|call| is_command(text, call)).map(|call| (*name, *call))
}

/// Is a program called, and not only spoken of?
fn is_command(text: &str, command: &str) -> bool {
    text.find(command).is_some_and(|at| {
        let before = text[..at].trim_end();
        before.is_empty() || before.ends_with(['$', '#', '>', '%', ';', '&']) || before.ends_with("sudo")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("docker");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn engines_and_runtimes() {
        assert_eq!(
            of("$ sudo docker run --gpus all x\n Runtimes: nvidia runc\nwe use docker run"),
            ["container=docker@1", "container-runtimes=nvidia runc@2"]
        );
    }

    #[test]
    fn the_tool_of_nvidia() {
        assert_eq!(
            of(
                "NVRM version:   390.87\nCUDA version:   9.1\n\nDevice Index:   0\nModel:          GeForce GTX 1080\nArchitecture:   6.1"
            ),
            [
                "driver=390.87@1",
                "cuda-driver-level=9.1@2",
                "gpu=GeForce GTX 1080@5",
                "compute-capability=6.1@6",
                "gpu-count=1@4"
            ]
        );
    }
}
