//! Environments of conda and its kin.

use super::version;
use crate::machine::{Family, Machine, read_text, variable};
use crate::place;

/// The version of the interpreter, from `conda-meta/python-3.12.4-hb02cf49_0.json`.
pub(super) fn python(machine: &dyn Machine, root: &str) -> Option<String> {
    let meta = place::join(machine.family(), root, "conda-meta");
    let names = machine.list(&meta, &|n| stated(n).is_some()).ok()?;
    names.iter().find_map(|n| stated(n))
}

fn stated(name: &str) -> Option<String> {
    let rest = name.strip_prefix("python-")?.strip_suffix(".json")?;
    version::numbers(rest.split('-').next()?)
}

/// Directories of environments, as conda lists them and as they are usually called.
pub(super) fn roots(machine: &dyn Machine, home: Option<&str>) -> Vec<String> {
    const NAMES: [&str; 6] = ["miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", "conda"];
    let family = machine.family();
    let mut bases = Vec::new();
    let mut out = Vec::new();
    // `…/bin/conda`, `…\Scripts\conda.exe`
    let program = variable(machine, "CONDA_EXE");
    let above = program.as_deref().and_then(|p| place::parent(family, place::parent(family, p)?));
    bases.extend(above.map(str::to_owned));
    bases.extend(variable(machine, "MAMBA_ROOT_PREFIX"));
    let variables: &[&str] = match family {
        Family::Windows => &["USERPROFILE", "ProgramData", "LOCALAPPDATA"],
        Family::Linux | Family::Macos => &["HOME"],
    };
    let mut above: Vec<String> = variables.iter().filter_map(|v| variable(machine, v)).collect();
    above.push(if family == Family::Windows { "C:\\".to_owned() } else { "/opt".to_owned() });
    for directory in above {
        // All names in one listing; `/opt` and a home have few entries.
        let names = machine.list(&directory, &|n| NAMES.iter().any(|k| n.eq_ignore_ascii_case(k)));
        bases.extend(names.unwrap_or_default().iter().map(|n| place::join(family, &directory, n)));
    }
    if let Some(home) = home {
        let listed = place::join(family, home, ".conda/environments.txt");
        let text = read_text(machine, &listed).unwrap_or_default();
        out.extend(text.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned));
        out.extend(super::all::below(machine, &place::join(family, home, ".conda/envs")));
    }
    for place in place::entries(family, &variable(machine, "CONDA_ENVS_PATH").unwrap_or_default()) {
        out.extend(super::all::below(machine, &place));
    }
    for base in bases {
        out.extend(super::all::below(machine, &place::join(family, &base, "envs")));
        out.push(base);
    }
    out
}
