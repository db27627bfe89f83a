//! Python environments in which packages get into each other's way: the right cause comes first.

use crate::desk::{Desk, Package, causes, values};

const GPU: &str = "driver = \"550.54.14\"\ncuda = 12040\n[[device]]\n";

fn doctor(desk: &Desk, environment: &std::path::Path) -> (Option<i32>, serde_json::Value) {
    desk.json(&["doctor", "--python", environment.to_str().expect("text")])
}

/// The CPU package was installed over the GPU one: the files are its own, the record of the other says otherwise.
#[test]
fn paddle_over_paddle() {
    let desk = Desk::new("paddle");
    desk.gpus(GPU);
    let gpu = Package {
        name: "paddlepaddle-gpu",
        version: "2.6.1",
        requires: &[],
        files: &[
            ("paddle/__init__.py", "# of the GPU package\n"),
            (
                "paddle/version/__init__.py",
                "cuda_version = '11.8'\ncudnn_version = '8.6.0'\nwith_gpu = 'ON'\n",
            ),
        ],
    };
    let cpu = Package {
        name: "paddlepaddle",
        files: &[
            ("paddle/__init__.py", "# of the CPU package\n"),
            (
                "paddle/version/__init__.py",
                "cuda_version = 'False'\ncudnn_version = 'False'\nwith_gpu = 'OFF'\n",
            ),
        ],
        ..gpu
    };
    let Some(both) = desk.venv("both", &[gpu, cpu]) else { return };
    let (exit, found) = doctor(&desk, &both);
    assert_eq!(
        causes(&found).first().map(String::as_str),
        Some("conflicting-packages"),
        "{:?}",
        causes(&found)
    );
    assert_eq!(exit, Some(1));
    let says = found["causes"][0]["says"].as_str().expect("text");
    assert!(says.contains("paddlepaddle 2.6.1") && says.contains("paddlepaddle-gpu 2.6.1"), "{says}");
    // The same is told of the directory of packages alone, and of the interpreter.
    for path in [both.join("bin/python"), crate::desk::site(&both)] {
        let (exit, again) = doctor(&desk, &path);
        assert_eq!((exit, causes(&again)), (Some(1), causes(&found)), "{}", path.display());
    }
    // One alone is not in anybody's way.
    let one = desk.venv("one", &[gpu]).expect("Python is there");
    let (_, found) = doctor(&desk, &one);
    assert!(!causes(&found).contains(&"conflicting-packages".to_owned()), "{:?}", causes(&found));
}

#[test]
fn a_torch_without_cuda() {
    let desk = Desk::new("torch-cpu");
    desk.gpus(GPU);
    let torch = Package {
        name: "torch",
        version: "2.5.1+cpu",
        requires: &["filelock"],
        files: &[
            ("torch/__init__.py", ""),
            (
                "torch/version.py",
                "__version__ = '2.5.1+cpu'\ncuda: Optional[str] = None\nhip: Optional[str] = None\n",
            ),
        ],
    };
    let Some(environment) = desk.venv("env", &[torch]) else { return };
    let (exit, found) = doctor(&desk, &environment);
    assert_eq!((exit, causes(&found)), (Some(1), vec!["cpu-only-package".to_owned()]));
    let text = desk.run(&["doctor", "--python", environment.to_str().expect("text")]);
    assert!(text.stdout.contains("2.5.1+cpu") && text.stdout.contains("RTX 3090"), "{text:?}");
    assert_eq!(
        desk.run(&["doctor", "--quick", "--python", environment.to_str().expect("text")]).exit,
        Some(1)
    );
    // Without a GPU it is what one wants.
    let without = Desk::new("torch-cpu-without");
    let (exit, found) = doctor(&without, &environment);
    assert_eq!((exit, causes(&found).len()), (Some(0), 0), "{found}");
}

/// Wheels of two CUDA majors write one directory: the one that came last decides for both.
#[test]
fn cudnn_of_two_majors() {
    let desk = Desk::new("two-cudnn");
    desk.gpus("driver = \"580.82.07\"\ncuda = 13000\n[[device]]\n");
    let header = |minor: u32, patch: u32| {
        format!("#define CUDNN_MAJOR 9\n#define CUDNN_MINOR {minor}\n#define CUDNN_PATCHLEVEL {patch}\n")
    };
    let (old, new) = (header(10, 2), header(13, 0));
    let twelve = Package {
        name: "nvidia-cudnn-cu12",
        version: "9.10.2.21",
        requires: &["nvidia-cublas-cu12"],
        files: &[
            ("nvidia/cudnn/include/cudnn_version.h", &old),
            ("nvidia/cudnn/lib/libcudnn.so.9", "twelve"),
        ],
    };
    let thirteen = Package {
        name: "nvidia-cudnn-cu13",
        version: "9.13.0.50",
        requires: &["nvidia-cublas"],
        files: &[
            ("nvidia/cudnn/include/cudnn_version.h", &new),
            ("nvidia/cudnn/lib/libcudnn.so.9", "thirteen"),
        ],
    };
    let torch = Package {
        name: "torch",
        version: "2.9.1",
        requires: &["nvidia-cudnn-cu12==9.10.2.21; platform_system == \"Linux\""],
        files: &[
            ("torch/__init__.py", ""),
            ("torch/version.py", "__version__ = '2.9.1+cu128'\ncuda: Optional[str] = '12.8'\n"),
        ],
    };
    let Some(environment) = desk.venv("env", &[torch, twelve, thirteen]) else { return };
    let (exit, found) = doctor(&desk, &environment);
    assert_eq!(
        causes(&found).first().map(String::as_str),
        Some("conflicting-packages"),
        "{:?}",
        causes(&found)
    );
    assert_eq!(exit, Some(1));
    // What was overwritten is seen as such.
    let changed = values(&found, "package-file-changed");
    assert!(changed.iter().any(|v| v.contains("libcudnn.so.9")), "{changed:?}");
    let cites = found["causes"][0]["quotes"].to_string();
    assert!(cites.contains("9.10.2.21") && cites.contains("9.13.0.50"), "{cites}");
}
