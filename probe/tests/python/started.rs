//! Which environment a shell would start, on Linux.

use crate::{all, machine, one, packages, placed, values};

/// A venv, one of conda and the system's Python, with packages of the user.
const LINUX: &str = r#"
schema = 1
family = "linux"
arch = "x86_64"
directory = "/home/u/project"
variables = VARIABLES
[[path]]
at = "/home/u/project/.venv/pyvenv.cfg"
text = "home = /usr/bin\ninclude-system-site-packages = SYSTEM\nversion = 3.12.3\n"
[[path]]
at = "/home/u/project/.venv/bin/python"
link = "/usr/bin/python3"
[[path]]
at = "/home/u/project/.venv/lib/python3.12/site-packages"
site.installed = ["torch-2.5.1+cu124.dist-info"]
[[path]]
at = "/home/u/miniconda3/envs/ml/bin/python"
link = "python3.11"
[[path]]
at = "/home/u/miniconda3/envs/ml/bin/python3.11"
bytes = 10
[[path]]
at = "/home/u/miniconda3/envs/ml/conda-meta/python-3.11.9-h955ad1f_0.json"
bytes = 10
[[path]]
at = "/home/u/miniconda3/envs/ml/conda-meta/python-dateutil-2.9.0-py311_0.json"
bytes = 10
[[path]]
at = "/home/u/miniconda3/envs/ml/lib/python3.11/site-packages"
site.installed = ["torch-2.4.0.dist-info"]
[[path]]
at = "/usr/bin/python3"
link = "python3.12"
[[path]]
at = "/usr/bin/python3.12"
bytes = 10
[[path]]
at = "/usr/lib/python3.12/EXTERNALLY-MANAGED"
bytes = 10
[[path]]
at = "/usr/lib/python3.11"
kind = "directory"
[[path]]
at = "/usr/lib/python3/dist-packages"
site.installed = ["numpy-1.26.4.dist-info", "PyYAML-6.0.1.egg-info"]
[[path]]
at = "/usr/local/lib/python3.12/dist-packages"
site.installed = ["onnxruntime_gpu-1.20.1.dist-info"]
[[path]]
at = "/home/u/.local/lib/python3.12/site-packages"
site.installed = ["paddlepaddle-3.0.0.dist-info"]
[[path]]
at = "/home/u/.local/lib/python3.12/site-packages/more.pth"
text = "import os; nothing()\n../../../../lib-of-mine\n/nowhere\n"
[[path]]
at = "/home/u/lib-of-mine"
site.installed = ["jax-0.5.0.dist-info"]
"#;

fn linux(variables: &str, system: bool) -> probe::machine::Replay {
    let text =
        LINUX.replace("VARIABLES", &format!("{{ HOME = '/home/u', PATH = '/bin:/usr/bin'{variables} }}"));
    machine(&text.replace("SYSTEM", &system.to_string()))
}

#[test]
fn a_virtual_environment_is_on_its_own() {
    let seen = one(&linux(", VIRTUAL_ENV = '/home/u/project/.venv'", false));
    assert_eq!(placed(&seen, "environment"), ["venv @ /home/u/project/.venv"]);
    assert_eq!(values(&seen, "interpreter"), ["/home/u/project/.venv/bin/python"]);
    assert_eq!(values(&seen, "python"), ["3.12.3"]);
    assert_eq!(packages(&seen), ["torch 2.5.1+cu124"]);
}

#[test]
fn unless_it_takes_those_of_the_system() {
    let seen = one(&linux(", VIRTUAL_ENV = '/home/u/project/.venv'", true));
    assert_eq!(
        packages(&seen),
        ["torch 2.5.1+cu124", "paddlepaddle 3.0.0", "jax 0.5.0", "onnxruntime-gpu 1.20.1", "numpy 1.26.4"]
    );
    let quiet = ", VIRTUAL_ENV = '/home/u/project/.venv', PYTHONNOUSERSITE = '1'";
    assert_eq!(
        packages(&one(&linux(quiet, true))),
        ["torch 2.5.1+cu124", "onnxruntime-gpu 1.20.1", "numpy 1.26.4"]
    );
}

#[test]
fn the_system_s_own_with_packages_of_the_user() {
    let seen = one(&linux("", false));
    assert_eq!(placed(&seen, "environment"), ["system @ /usr"]);
    // What stands on PATH may be a link of a link: its library is that of its end.
    assert_eq!(values(&seen, "python"), ["3.12"]);
    assert_eq!(
        packages(&seen),
        ["paddlepaddle 3.0.0", "jax 0.5.0", "onnxruntime-gpu 1.20.1", "numpy 1.26.4"]
    );
    let first = one(&linux(", PYTHONPATH = '/home/u/lib-of-mine:/nowhere'", false));
    assert_eq!(packages(&first)[0], "jax 0.5.0");
}

#[test]
fn conda_says_its_version() {
    let seen = one(&linux(", CONDA_PREFIX = '/home/u/miniconda3/envs/ml'", false));
    assert_eq!(placed(&seen, "environment"), ["conda @ /home/u/miniconda3/envs/ml"]);
    assert_eq!(
        (values(&seen, "python"), packages(&seen)),
        (vec!["3.11.9".into()], vec!["torch 2.4.0".into()])
    );
}

#[test]
fn all_are_found_once() {
    let seen = all(&linux(", VIRTUAL_ENV = '/home/u/project/.venv'", false));
    assert_eq!(
        placed(&seen, "environment"),
        ["venv @ /home/u/project/.venv", "conda @ /home/u/miniconda3/envs/ml", "system @ /usr"]
    );
    assert!(seen.failures.is_empty(), "{:?}", seen.failures);
}

#[test]
fn pyenv_is_asked_behind_its_shims() {
    let text = r#"
        schema = 1
        family = "linux"
        arch = "x86_64"
        directory = "/home/u/project/sub"
        variables = { HOME = "/home/u", PATH = "/home/u/.pyenv/shims:/usr/bin" }
        path = [
          { at = "/home/u/.pyenv/shims/python3", text = "exec pyenv" },
          { at = "/home/u/.pyenv/version", text = "3.9.18\n" },
          { at = "/home/u/.pyenv/versions/3.9.18/bin/python", bytes = 1 },
          { at = "/home/u/.pyenv/versions/3.12.1/bin/python", bytes = 1 },
          { at = "/home/u/.pyenv/versions/3.12.10/bin/python", bytes = 1 },
          { at = "/home/u/.pyenv/versions/3.12.10/lib/python3.12/site-packages", site = { installed = ["torch-2.6.0.dist-info"] } },
          { at = "/home/u/project/.python-version", text = "PINNED" },
          { at = "/usr/bin/python3", bytes = 1 },
        ]
    "#;
    let found = |pinned: &str| {
        let seen = one(&machine(&text.replace("PINNED", pinned)));
        (values(&seen, "environment"), values(&seen, "python"), packages(&seen))
    };
    let pyenv = vec!["pyenv".to_owned()];
    assert_eq!(found("3.12\\n"), (pyenv.clone(), vec!["3.12.10".into()], vec!["torch 2.6.0".into()]));
    assert_eq!(found("3.9.18"), (pyenv, vec!["3.9.18".into()], vec![]));
    // A version that is not there, and one that must not be looked for.
    for other in ["system", "../../x", "3.8.1"] {
        assert_eq!(found(other).0, ["system"], "{other}");
    }
}
