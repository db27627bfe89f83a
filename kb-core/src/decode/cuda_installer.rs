//! Installers of the CUDA toolkit: `cuda_11.7.1_516.94_windows.exe`.
//!
//! Source: relation `cuda-installer` (names as served) and, for Linux on other processors, the note that
//! `_linux_sbsa.run` and `_linux_ppc64le.run` stand beside them.

use super::Decoded;
use super::lookup;
use super::name::Name;
use super::text::Cuda;
use crate::kb::Kb;
use crate::version::Dotted;

struct Parts {
    version: Dotted,
    driver: Option<Dotted>,
    /// `linux`, `windows`, `win10` …: the word in the name.
    os_word: String,
    arch: Option<&'static str>,
    network: bool,
}

impl Parts {
    fn windows(&self) -> bool {
        self.os_word.starts_with("win")
    }

    /// The word of the column `form`.
    fn form(&self) -> &'static str {
        match (self.windows(), self.network) {
            (false, _) => "linux",
            (true, false) => "windows",
            (true, true) => "windows-network",
        }
    }
}

/// Reads an installer's name; hyphens for underscores, upper case and a missing ending do no harm.
pub(super) fn read(kb: &Kb, name: &Name) -> Option<Decoded> {
    let parts = parts(&name.lower)?;
    let mut out = Decoded::new("cuda-installer", "decode-cuda-installer");
    out.say("version", parts.version.to_string());
    out.mean("cuda", parts.version.to_string());
    out.mean("cuda_major", Cuda::Release(parts.version.to_string()).major());
    let os = if parts.windows() { "windows" } else { "linux" };
    out.mean("os", os);
    out.values.push(("os", os.to_owned()));
    out.mean("network", parts.network);
    if let Some(arch) = parts.arch {
        out.mean("arch", arch);
    }

    let known = if parts.arch.is_some_and(|a| a != "x86_64") { Vec::new() } else { known_files(kb, &parts) };
    let mut driver = parts.driver;
    let mut canonical = None;
    if let Some((file, known_parts)) = known.first() {
        let same = parts.driver.is_none() || known_parts.driver.is_some_and(|k| Some(k) == parts.driver);
        if let Some(given) = parts.driver.filter(|_| !same) {
            out.mean("known", false);
            let values = vec![("driver", given.to_string()), ("known", file.clone())];
            out.notes.push(("decode-installer-unknown", values));
        } else {
            out.mean("known", true);
            driver = known_parts.driver;
        }
        canonical = Some(file.clone());
    } else if lookup::has_any(kb, "cuda-installer")
        && !lookup::has_version(kb, "cuda-installer", "toolkit", &parts.version)
    {
        out.mean("known", false);
        out.note("decode-toolkit-unknown", "version", parts.version.to_string());
    }
    match driver {
        Some(driver) => {
            out.mean("driver", driver.to_string());
            out.note("decode-bundled-driver", "driver", driver.to_string());
        }
        None if parts.network => out.notes.push(("decode-installer-network", Vec::new())),
        None if parts.windows() && parts.version.major() >= 13 => {
            out.notes.push(("decode-installer-no-driver", Vec::new()));
        }
        None => {}
    }
    if let Some(canonical) = canonical.or_else(|| grammar(&parts)) {
        out.spelled(canonical, &name.file);
    }
    Some(out)
}

/// Files of the same toolkit and form, in the order of the facts.
fn known_files(kb: &Kb, wanted: &Parts) -> Vec<(String, Parts)> {
    kb.facts_of("cuda-installer")
        .filter(|(id, _)| {
            lookup::text(kb, *id, "form").as_deref() == Some(wanted.form())
                && lookup::version(kb, *id, "toolkit").is_some_and(|t| t.cmp_number(&wanted.version).is_eq())
        })
        .filter_map(|(id, _)| {
            let file = lookup::text(kb, id, "file")?;
            let known = parts(&file.to_ascii_lowercase())?;
            Some((file, known))
        })
        .collect()
}

/// The name by its pattern, where no fact has it: three parts in the version, and the driver where one is needed.
fn grammar(parts: &Parts) -> Option<String> {
    let v = &parts.version;
    if v.len() < 3 || v.cmp_number(&Dotted::new(&[10, 1])).is_lt() {
        // The names of 9.x and 10.0 end in several ways: only facts know them.
        return None;
    }
    let os = if !parts.windows() {
        match parts.arch {
            Some("aarch64") => "linux_sbsa",
            Some("ppc64le") => "linux_ppc64le",
            _ => "linux",
        }
    } else if v.cmp_number(&Dotted::new(&[11, 5, 1])).is_ge()
        || v.cmp_number(&Dotted::new(&[11, 4, 4])).is_eq()
    {
        "windows"
    } else {
        "win10"
    };
    if parts.network {
        return parts.windows().then(|| format!("cuda_{v}_{os}_network.exe"));
    }
    let ending = if parts.windows() { "exe" } else { "run" };
    match parts.driver {
        Some(driver) => Some(format!("cuda_{v}_{driver}_{os}.{ending}")),
        None if parts.windows() && v.major() >= 13 => Some(format!("cuda_{v}_{os}.{ending}")),
        None => None,
    }
}

fn parts(lower: &str) -> Option<Parts> {
    let stem = [".exe", ".run", ".sh"].iter().find_map(|e| lower.strip_suffix(e)).unwrap_or(lower);
    let mut tokens = stem.split(['_', '-', ' ']).filter(|t| !t.is_empty()).peekable();
    if tokens.next()? != "cuda" {
        return None;
    }
    let version: Dotted = tokens.next()?.parse().ok()?;
    if !(5..=39).contains(&version.major()) || !(2..=3).contains(&version.len()) {
        return None;
    }
    let (mut driver, mut os_word, mut arch, mut network) = (None, None, None, false);
    while let Some(token) = tokens.next() {
        match token {
            "linux" | "windows" | "win" | "win10" | "win11" | "win7" | "win8" if os_word.is_none() => {
                os_word = Some(token.to_owned());
            }
            "network" => network = true,
            // `-run` and `-exe` end the names of 9.x; `local` is what pages call the other form.
            "run" | "exe" | "local" | "windows" => {}
            "sbsa" | "aarch64" | "arm64" => arch = Some("aarch64"),
            "ppc64le" => arch = Some("ppc64le"),
            "x64" | "amd64" => arch = Some("x86_64"),
            "x86" if tokens.peek() == Some(&"64") => {
                tokens.next();
                arch = Some("x86_64");
            }
            _ if driver.is_none() => {
                let d: Dotted = token.parse().ok()?;
                if d.major() < 100 || !(2..=3).contains(&d.len()) {
                    return None;
                }
                driver = Some(d);
            }
            _ => return None,
        }
    }
    Some(Parts { version, driver, os_word: os_word?, arch, network })
}
