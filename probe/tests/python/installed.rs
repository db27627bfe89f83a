//! What is installed in an environment of real files.

use crate::files::Venv;
use crate::{given, packages, placed, values};
use probe::machine::{Capture, Live, Recorder, Replay};
use probe::{Wanted, observe};

const TORCH: [(&str, &str); 4] = [
    ("torch/__init__.py", "import this"),
    ("torch/version.py", "__version__ = '2.5.1+cu124'\ncuda: str = '12.4'\n"),
    ("torch/lib/libtorch_cuda.so", "code for GPUs"),
    ("torch/lib/libshm.so", "shared"),
];

#[test]
fn the_cpu_build_over_the_gpu_build() {
    let venv = Venv::new();
    let version =
        |cuda: &str| format!("full_version = '2.6.1'\ncuda_version = '{cuda}'\ncudnn_version = '{cuda}'\n");
    let (gpu, cpu) = (version("11.8"), version("False"));
    let files = |library: &'static str, version| {
        [("paddle/base/libpaddle.so", library), ("paddle/version/__init__.py", version)]
    };
    venv.install("paddlepaddle-gpu", "2.6.1.post118", &files("with code for GPUs", &gpu));
    venv.install("paddlepaddle", "2.6.1", &files("without", &cpu));
    let seen = given(&Live, venv.path());
    assert_eq!(packages(&seen), ["paddlepaddle 2.6.1", "paddlepaddle-gpu 2.6.1.post118"]);
    assert_eq!(
        values(&seen, "package-file-changed"),
        ["paddlepaddle-gpu: paddle/base/libpaddle.so", "paddlepaddle-gpu: paddle/version/__init__.py"]
    );
    assert!(values(&seen, "framework-cuda").is_empty() && values(&seen, "package-file-unlisted").is_empty());
    assert_eq!(values(&seen, "environment"), ["venv"]);
    assert_eq!(placed(&seen, "python"), [format!("3.12.4 @ {}", venv.path())]);
}

#[test]
fn what_a_framework_states_has_the_place_of_the_package() {
    let venv = Venv::new();
    venv.install("torch", "2.5.1+cu124", &TORCH);
    venv.install("requests", "2.32.3", &[("requests/__init__.py", "")]);
    venv.install("numpy", "1.26.4", &[]);
    let seen = given(&Live, venv.path());
    assert_eq!(placed(&seen, "framework-cuda"), [format!("12.4 @ {}", venv.site.join("torch").display())]);
    // What has nothing to do with GPUs is left out unless all is wanted.
    assert_eq!(packages(&seen), ["numpy 1.26.4", "torch 2.5.1+cu124"]);
    assert!(!seen.observations.iter().any(|o| o.what.starts_with("package-")));
    let wanted = Wanted { python: Some(venv.path().to_owned()), all_packages: true, ..Wanted::default() };
    assert_eq!(packages(&observe(&Live, &wanted)), ["numpy 1.26.4", "requests 2.32.3", "torch 2.5.1+cu124"]);
}

#[test]
fn files_that_are_not_as_record_says() {
    let venv = Venv::new();
    venv.install("torch", "2.5.1+cu124", &TORCH);
    // Of the same length: only its contents tell.
    venv.put("torch/version.py", "__version__ = '2.5.1+cu121'\ncuda: str = '12.1'\n");
    venv.remove("torch/lib/libshm.so");
    venv.put("torch/lib/libcudnn.so.8", "copied here");
    venv.put("torch/lib/readme.txt", "no library");
    // A file that another distribution puts there is its own.
    venv.install("torch-extras", "1.0", &[("torch/lib/libextra.so", "x")]);
    venv.install("plugin", "1.0", &[("torch/lib/libplugin.so", "x")]);
    let seen = given(&Live, venv.path());
    assert_eq!(values(&seen, "package-file-changed"), ["torch: torch/version.py"]);
    assert_eq!(values(&seen, "package-file-missing"), ["torch: torch/lib/libshm.so"]);
    assert_eq!(values(&seen, "package-file-unlisted"), ["torch: torch/lib/libcudnn.so.8"]);
}

#[test]
fn what_an_uninstallation_left() {
    let venv = Venv::new();
    venv.install("torch", "2.4.0", &TORCH);
    venv.install("torchvision", "0.19.0", &[("torchvision/__init__.py", "")]);
    venv.remove("torch-2.4.0.dist-info");
    venv.remove("torchvision-0.19.0.dist-info/METADATA");
    venv.put("~orch/lib/libtorch.so", "in use when it was to be removed");
    let seen = given(&Live, venv.path());
    assert_eq!(
        values(&seen, "package-remains"),
        ["torchvision-0.19.0.dist-info", "~orch", "torch", "torchvision"]
    );
    assert!(packages(&seen).is_empty());
}

#[test]
fn conda_changes_files_after_their_record() {
    let venv = Venv::new();
    venv.install_by("conda", "torch", "2.5.1", &TORCH);
    venv.put("torch/lib/libshm.so", "with another RUNPATH");
    let seen = given(&Live, venv.path());
    assert!(!seen.observations.iter().any(|o| o.what.starts_with("package-")));
    assert_eq!(packages(&seen), ["torch 2.5.1"]);
}

#[test]
fn what_is_no_environment_is_a_failure() {
    let venv = Venv::new();
    let why = |path: &str| {
        let seen = given(&Live, path);
        assert!(values(&seen, "environment").is_empty(), "{path}");
        seen.failures.into_iter().find(|f| f.what == "environment" || f.what == "interpreter").map(|f| f.says)
    };
    let inside = |rest: &str| venv.root.join(rest).display().to_string();
    assert_eq!(why(&inside("nothing")).as_deref(), Some("not found"));
    assert_eq!(why("no-such-python").as_deref(), Some("not found"));
    assert_eq!(why(&inside("pyvenv.cfg")).as_deref(), Some("not an interpreter of Python"));
    let empty = if cfg!(windows) { "Lib" } else { "lib" };
    assert_eq!(why(&inside(empty)).as_deref(), Some("neither an interpreter nor packages in it"));
    let program = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    std::fs::remove_file(venv.root.join(program)).expect("it was made");
    assert_eq!(why(venv.path()).as_deref(), Some("there is pyvenv.cfg, and no interpreter"));
}

#[test]
fn an_environment_has_many_names() {
    let venv = Venv::new();
    venv.install("torch", "2.5.1", &TORCH);
    let program = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let inside = |path: &std::path::Path| path.display().to_string();
    for name in [inside(&venv.root), inside(&venv.root.join(program)), inside(&venv.site)] {
        let seen = given(&Live, &name);
        assert_eq!(placed(&seen, "environment"), [format!("venv @ {}", venv.path())], "{name}");
        assert_eq!(packages(&seen), ["torch 2.5.1"], "{name}");
    }
    // Packages alone, as `pip install --target` puts them.
    let target = venv.root.join("target");
    std::fs::rename(&venv.site, &target).expect("a directory can be moved");
    let seen = given(&Live, &inside(&target));
    assert_eq!(placed(&seen, "environment"), [format!("directory @ {}", target.display())]);
    assert_eq!(packages(&seen), ["torch 2.5.1"]);
}

#[test]
fn a_captured_environment_is_the_same_elsewhere() {
    let venv = Venv::new();
    venv.install("torch", "2.5.1+cu124", &TORCH);
    venv.put("torch/lib/libcudnn.so.8", "copied here");
    for number in 0..20 {
        venv.install(&format!("package{number}"), "1.0", &[("x.py", "")]);
    }
    let wanted = Wanted { python: Some(venv.path().to_owned()), all_packages: true, ..Wanted::default() };
    let recorder = Recorder::new(&Live);
    let seen = observe(&recorder, &wanted);
    let text = recorder.capture().to_text().expect("a capture can be written");
    let replay = Replay::new(Capture::parse(&text).expect("what was written can be read"));
    assert_eq!(observe(&replay, &wanted), seen);
    // A package costs its name alone.
    assert_eq!(text.matches("package7").count(), 1);
}

#[cfg(unix)]
#[test]
fn an_environment_that_venv_made() {
    let around = tempfile::tempdir().expect("a directory for the test");
    let root = around.path().canonicalize().expect("it exists").join("made");
    let made =
        std::process::Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(&root).output();
    if !made.is_ok_and(|m| m.status.success()) {
        return;
    }
    let asked = std::process::Command::new(root.join("bin/python"))
        .args(["-c", "import sys, platform, site; print(platform.python_version(), sys.base_prefix)"])
        .output()
        .expect("it was made to be run");
    let says = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    let seen = given(&Live, &root.display().to_string());
    let (version, _base) = says.split_once(' ').expect("two words");
    assert_eq!(values(&seen, "python"), [version]);
    assert_eq!(placed(&seen, "environment"), [format!("venv @ {}", root.display())]);
    assert!(seen.failures.iter().all(|f| f.what != "environment"), "{:?}", seen.failures);
}
