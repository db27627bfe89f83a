//! A machine with Windows on it, as `kb probe`, `which` and `doctor` see it: planted registry values, DLLs, PATH, Python
//! environments, and a management library that answers from a file.

use super::{Machine, document, machine};
use crate::pe;
use kb_tests::package::Package;
use kb_tests::wine::{Data, Hive};
use serde_json::Value;
use std::process::Command;

const TOOLKITS: &str = r"C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA";
const REGISTERED: &str = r"Software\NVIDIA Corporation\GPU Computing Toolkit\CUDA";
const DISPLAY: &str = r"System\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}";

/// Where the environments of the tests are, and the interpreter that they were made of.
const BASE: &str = r"C:\Python311";

/// cuDNN of these numbers.
fn cudnn(version: [u16; 4]) -> Vec<u8> {
    pe::dll(&["KERNEL32.dll"], &[], version, b"")
}

/// A DLL that needs another one.
fn needs(name: &str) -> Vec<u8> {
    pe::dll(&["KERNEL32.dll", name], &[], [1, 0, 0, 0], b"")
}

impl Machine {
    fn put(&self, path: &str, bytes: &[u8]) {
        self.prefix.file(path, bytes).expect("written");
    }

    fn set(&self, hive: Hive, key: &str, name: &str, data: Data<'_>) {
        self.prefix.set(hive, key, name, data).expect("set");
    }

    /// The stand-in of the driver's library, which says this.
    fn gpus(&self, world: &str) {
        let built = self.kb.with_file_name("fake_nvml.dll");
        let bytes = std::fs::read(&built).unwrap_or_else(|e| {
            panic!("{}: {e}; scripts/windows-build.sh -p fake-nvml builds it", built.display())
        });
        self.put(r"C:\driver\nvml.dll", &bytes);
        self.put(r"C:\driver\nvml.toml", world.as_bytes());
    }

    /// A virtual environment as Windows lays it out; its interpreter is a stub.
    fn venv(&self, root: &str, packages: &[Package<'_>]) {
        let stub = needs("python311.dll");
        self.put(&format!(r"{BASE}\python.exe"), &stub);
        self.put(&format!(r"{BASE}\python311.dll"), &pe::dll(&[], &[], [3, 11, 7, 0], b""));
        self.put(&format!(r"{root}\Scripts\python.exe"), &stub);
        let cfg = format!("home = {BASE}\r\ninclude-system-site-packages = false\r\nversion = 3.11.7\r\n");
        self.put(&format!(r"{root}\pyvenv.cfg"), cfg.as_bytes());
        let site = self.prefix.path(&format!(r"{root}\Lib\site-packages"));
        std::fs::create_dir_all(&site).expect("made");
        packages.iter().for_each(|p| p.install(&site));
    }

    /// The command with the driver's library and these variables.
    fn command(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
        let mut command = self.prefix.command(&self.kb);
        command.args(arguments).envs([("LANG", "C"), ("COLUMNS", "100")]);
        command.env("KB_NVML", r"C:\driver\nvml.dll").env("FAKE_NVML", r"C:\driver\nvml.toml");
        command.envs(variables.iter().copied());
        command
    }

    fn json(&self, arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, Value) {
        let out = self.prefix.run(&mut self.command(&[arguments, &["--json"]].concat(), variables));
        let out = out.expect("it starts");
        assert!(!out.stderr.contains("panicked"), "{arguments:?}: {out:?}");
        (out.exit, document(&out))
    }
}

/// Observations of a name as `value (method, place)`.
fn seen(probe: &Value, what: &str) -> Vec<String> {
    let text = |o: &Value, name: &str| o[name].as_str().unwrap_or("-").to_owned();
    let all = probe["observations"].as_array().expect("a list").iter().filter(|o| o["what"] == what);
    all.map(|o| format!("{} ({}, {})", text(o, "value"), text(o, "method"), text(o, "place"))).collect()
}

fn has(probe: &Value, what: &str, wanted: &str) {
    let all = seen(probe, what);
    assert!(all.iter().any(|o| o.eq_ignore_ascii_case(wanted)), "{what}: {wanted}\n{all:#?}");
}

/// Causes and what is left over, with what is said of each.
fn found(doctor: &Value, list: &str) -> Vec<(String, String)> {
    let text = |c: &Value, name: &str| c[name].as_str().unwrap_or_default().to_owned();
    doctor[list].as_array().expect("a list").iter().map(|c| (text(c, "cause"), text(c, "says"))).collect()
}

fn ids(doctor: &Value, list: &str) -> Vec<String> {
    found(doctor, list).into_iter().map(|(id, _)| id).collect()
}

/// The copies in their order: path, rule and what it is of, version; the first is the one that wins.
fn copies(which: &Value) -> Vec<String> {
    let text = |v: &Value| v.as_str().unwrap_or("-").to_owned();
    let all = which["searches"].as_array().expect("a list").iter();
    all.flat_map(|s| s["candidates"].as_array().expect("a list"))
        .map(|c| {
            let mark = if c["wins"] == true { "> " } else { "" };
            let rule = text(&c["rule"]["id"]);
            format!("{mark}{} {rule} {}", text(&c["path"]).to_lowercase(), text(&c["version"]))
        })
        .collect()
}

const TORCH: Package<'_> = Package {
    name: "torch",
    version: "2.1.2+cu118",
    requires: &[],
    files: &[("torch/__init__.py", ""), ("torch/version.py", "cuda: Optional[str] = '11.8'\n")],
};

const PADDLE: Package<'_> = Package {
    name: "paddlepaddle-gpu",
    version: "2.6.1",
    requires: &[],
    files: &[
        ("paddle/__init__.py", "# of the GPU package\n"),
        ("paddle/version/__init__.py", "cuda_version = '11.8'\ncudnn_version = '8.6.0'\nwith_gpu = 'ON'\n"),
    ],
};

const GPU: &str =
    "driver = \"552.12\"\nnvml = \"12.552.12\"\ncuda = 12040\n[[device]]\ndriver-model = [0, 0]\n";

/// cuDNN 8 in System32, in a toolkit that PATH names, and in torch's own folder; both Paddle packages in another
/// environment; a variable that points nowhere; what toolkits left in the registry.
fn crowded(name: &str) -> Option<Machine> {
    let machine = machine(name)?;
    machine.gpus(GPU);
    machine.prefix.system32("cudnn64_8.dll", &cudnn([8, 4, 0, 27])).expect("written");
    let toolkit = format!(r"{TOOLKITS}\v11.8");
    machine.put(&format!(r"{toolkit}\bin\nvcc.exe"), b"MZ");
    machine.put(&format!(r"{toolkit}\version.json"), br#"{"cuda": {"version": "11.8.20220929"}}"#);
    machine.put(&format!(r"{toolkit}\bin\cudnn64_8.dll"), &cudnn([8, 9, 7, 29]));
    machine.set(Hive::Machine, &format!(r"{REGISTERED}\v11.8"), "InstallDir", Data::Text(&toolkit));
    let gone = format!(r"{TOOLKITS}\v10.2\");
    machine.set(Hive::Machine, &format!(r"{REGISTERED}\v10.2"), "InstallDir", Data::Text(&gone));
    machine
        .prefix
        .set_variable(Hive::Machine, "CUDA_PATH", Data::Text(&format!(r"{TOOLKITS}\v12.1")))
        .expect("set");
    machine.prefix.set_path(Hive::User, &[&format!(r"{toolkit}\bin")]).expect("set");

    machine.venv(r"C:\torch env", &[TORCH]);
    machine.put(r"C:\torch env\Lib\site-packages\torch\lib\torch_cuda.dll", &needs("cudnn64_8.dll"));
    machine.put(r"C:\torch env\Lib\site-packages\torch\lib\cudnn64_8.dll", &cudnn([8, 7, 0, 84]));
    machine.venv(
        r"C:\paddle env",
        &[
            PADDLE,
            Package {
                name: "paddlepaddle",
                files: &[
                    ("paddle/__init__.py", "# of the CPU package\n"),
                    ("paddle/version/__init__.py", PADDLE.files[1].1),
                ],
                ..PADDLE
            },
        ],
    );
    machine.put(r"C:\paddle env\Lib\site-packages\paddle\base\libpaddle.pyd", &needs("python311.dll"));
    Some(machine)
}

#[test]
fn the_copy_that_wins_is_named_with_its_rule() {
    let Some(machine) = crowded("which") else { return };
    let which = |python: &str| {
        let (exit, found) = machine.json(&["which", "cudnn64_8.dll", "--python", python], &[]);
        assert_eq!((exit, &found["found"]), (Some(0), &true.into()), "{found}");
        found
    };
    // torch loads every DLL of its own folder by its whole path.
    let own = r"> c:\torch env\lib\site-packages\torch\lib\cudnn64_8.dll loaded 8.7.0.84";
    let system = r"c:\windows\system32\cudnn64_8.dll system32 8.4.0.27";
    let path = r"c:\program files\nvidia gpu computing toolkit\cuda\v11.8\bin\cudnn64_8.dll path 8.9.7.29";
    // It adds the toolkit of its release, as there is no runtime beside it.
    let added = path.replace(" path ", " added ");
    assert_eq!(copies(&which(r"C:\torch env")), [own, &added, system]);
    assert_eq!(copies(&which(r"C:\torch env\Scripts\python.exe")), [own, &added, system]);
    assert_eq!(copies(&which(r"c:/torch env")).len(), 3);
    // Paddle brings none and asks by name: System32 comes before PATH.
    assert_eq!(copies(&which(r"C:\paddle env")), [&format!("> {system}"), path]);
    // A flag of Paddle's own comes before everything.
    let variables = [("FLAGS_cudnn_dir", &*format!(r"{TOOLKITS}\v11.8\bin"))];
    let (_, found) = machine.json(&["which", "cudnn64_8.dll", "--python", r"C:\paddle env"], &variables);
    let flagged = path.replace(" path ", " variable ");
    assert_eq!(copies(&found), [&format!("> {flagged}"), system]);
    // For people, and for a compiler.
    let people = machine.kb(&["which", "cudnn64_8.dll", "--python", r"C:\paddle env"]);
    assert!(people.stdout.to_lowercase().contains(r"> c:\windows\system32\cudnn64_8.dll"), "{people:?}");
    let (exit, nvcc) = machine.json(&["which", "nvcc"], &[]);
    assert_eq!((exit, copies(&nvcc).len()), (Some(0), 1), "{nvcc}");
    let (exit, none) = machine.json(&["which", "cudnn64_9.dll", "--python", r"C:\paddle env"], &[]);
    assert_eq!((exit, &none["found"]), (Some(1), &false.into()), "{none}");
}

#[test]
fn the_doctor_finds_each_and_explains_it() {
    let Some(machine) = crowded("doctor") else { return };
    let (exit, paddle) = machine.json(&["doctor", "--python", r"C:\paddle env"], &[]);
    let (causes, residue) = (found(&paddle, "causes"), found(&paddle, "residue"));
    assert_eq!(exit, Some(1), "{causes:#?}\n{residue:#?}");
    let says = |id: &str| {
        let all = causes.iter().chain(&residue);
        let one = all.into_iter().find(|(cause, _)| cause == id);
        one.unwrap_or_else(|| panic!("{id}: {causes:#?}\n{residue:#?}")).1.clone()
    };
    assert!(says("conflicting-packages").contains("paddlepaddle 2.6.1"), "{causes:#?}");
    assert!(says("variable-points-nowhere").contains(&format!(r"{TOOLKITS}\v12.1")), "{residue:#?}");
    // An old copy in System32 comes before the one that the toolkit brings.
    says("stale-library-first-on-path");
    says("several-library-copies");
    // Each has its place, a fix and a proof.
    let all = [&paddle["causes"], &paddle["residue"]];
    for cause in all.into_iter().flat_map(|list| list.as_array().expect("a list")) {
        assert!(!cause["quotes"].as_array().expect("a list").is_empty(), "{cause}");
        assert!(!cause["fix"].as_array().expect("a list").is_empty(), "{cause}");
    }
    let people = machine.prefix.run(&mut machine.command(&["doctor", "--python", r"C:\paddle env"], &[]));
    let people = people.expect("it starts");
    assert!(people.exit == Some(1) && people.stdout.contains("paddlepaddle-gpu"), "{people:?}");
    // torch has a copy of its own, which is taken: nothing in its environment is in the way.
    let (_, torch) = machine.json(&["doctor", "--python", r"C:\torch env"], &[]);
    assert!(
        !ids(&torch, "causes").contains(&"conflicting-packages".to_owned()),
        "{:?}",
        ids(&torch, "causes")
    );
    assert!(ids(&torch, "residue").contains(&"variable-points-nowhere".to_owned()));
}

#[test]
fn toolkits_driver_and_gpu() {
    let Some(machine) = crowded("observations") else { return };
    let adapter = format!(r"{DISPLAY}\0000");
    for (name, data) in [
        ("DriverDesc", Data::Text("NVIDIA GeForce RTX 3090")),
        ("ProviderName", Data::Text("NVIDIA")),
        ("DriverVersion", Data::Text("31.0.15.5212")),
        ("MatchingDeviceId", Data::Text(r"pci\ven_10de&dev_2204")),
        ("HardwareInformation.qwMemorySize", Data::Long(25_757_220_864)),
    ] {
        machine.set(Hive::Machine, &adapter, name, data);
    }
    let (exit, probe) = machine.json(&["probe"], &[]);
    assert_eq!(exit, Some(0));
    let full =
        format!(r"HKLM\SYSTEM\CurrentControlSet\Control\Class\{}\0000", &DISPLAY[DISPLAY.len() - 38..]);
    has(&probe, "driver", &format!("552.12 (registry, {full})"));
    has(&probe, "driver", r"552.12 (nvml, C:\driver\nvml.dll)");
    has(&probe, "cuda-driver-level", r"12.4 (nvml, C:\driver\nvml.dll)");
    has(&probe, "gpu", "NVIDIA GeForce RTX 3090 (nvml, 0000:01:00.0)");
    has(&probe, "driver-model", "WDDM (nvml, 0000:01:00.0)");
    has(&probe, "gpu", &format!("NVIDIA GeForce RTX 3090 (registry, {full})"));
    has(&probe, "memory-mib", &format!("24564 (registry, {full})"));
    has(&probe, "pci-id", &format!("10de:2204 (registry, {full})"));
    let key = r"HKLM\SOFTWARE\NVIDIA Corporation\GPU Computing Toolkit\CUDA\v10.2";
    has(&probe, "path-missing", &format!(r"{TOOLKITS}\v10.2 (registry, {key})"));
    has(&probe, "path-missing", &format!(r"{TOOLKITS}\v12.1 (variable, CUDA_PATH)"));
    has(&probe, "cuda-path", &format!(r"{TOOLKITS}\v12.1 (variable, CUDA_PATH)"));
    has(&probe, "cuda-toolkit", &format!(r"11.8 (version.json, {TOOLKITS}\v11.8)"));
    has(&probe, "program-found", &format!(r"{TOOLKITS}\v11.8\bin\nvcc.exe (PATH, -)"));
    has(&probe, "library-found", r"C:\windows\System32\cudnn64_8.dll (System32, process)");
    assert!(
        seen(&probe, "os")[0].starts_with("Windows 10")
            || seen(&probe, "os")[0].starts_with("Microsoft Windows 10"),
        "{:?}",
        seen(&probe, "os")
    );
    assert!(seen(&probe, "cpu")[0].len() > 14, "{:?}", seen(&probe, "cpu"));
    assert_eq!(seen(&probe, "arch"), ["x86_64 (program, -)"]);

    // Where a driver puts it, the library is found without being named.
    machine
        .prefix
        .system32("nvml.dll", &std::fs::read(machine.prefix.path(r"C:\driver\nvml.dll")).expect("read"))
        .expect("written");
    let mut command = machine.command(&["probe", "--json"], &[]);
    let out = machine.prefix.run(command.env_remove("KB_NVML")).expect("it starts");
    has(&document(&out), "gpu-count", r"1 (nvml, C:\windows\System32\nvml.dll)");
    // One that is none is told.
    machine.put(r"C:\driver\nvml.dll", b"MZ, but no more");
    let (exit, broken) = machine.json(&["probe"], &[]);
    let failures = broken["failures"].to_string();
    assert!(exit == Some(0) && failures.contains("nvml.dll"), "{failures}");
}

#[test]
fn a_service_has_the_variables_of_the_machine() {
    let Some(machine) = machine("service") else { return };
    machine.gpus(GPU);
    for (directory, version) in
        [(r"C:\shared\cudnn\bin", [8, 1, 0, 77]), (r"C:\users\own\cudnn\bin", [8, 9, 7, 29])]
    {
        machine.put(&format!(r"{directory}\cudnn64_8.dll"), &cudnn(version));
    }
    machine.prefix.set_variable(Hive::Machine, "CUDNN", Data::Text(r"C:\shared\cudnn")).expect("set");
    machine.prefix.set_path(Hive::Machine, &[r"%CUDNN%\bin"]).expect("set");
    machine.prefix.set_path(Hive::User, &[r"C:\users\own\cudnn\bin"]).expect("set");
    machine.prefix.set_variable(Hive::User, "CUDA_PATH", Data::Text(r"C:\gone")).expect("set");
    let (_, own) = machine.json(&["probe"], &[]);
    let (exit, service) = machine.json(&["probe", "--as-service"], &[]);
    assert_eq!(exit, Some(0));
    has(&own, "cudnn", r"8.9.7.29 (version resource, C:\users\own\cudnn\bin\cudnn64_8.dll)");
    has(&own, "path-missing", r"C:\gone (variable, CUDA_PATH)");
    has(&service, "cudnn", r"8.1.0.77 (version resource, C:\shared\cudnn\bin\cudnn64_8.dll)");
    assert!(
        !seen(&service, "library-found").iter().any(|l| l.contains("own")),
        "{:?}",
        seen(&service, "library-found")
    );
    assert_eq!(seen(&service, "path-missing"), [""; 0]);
}

/// What was captured on Windows gives the same on Linux.
#[test]
fn a_capture_is_looked_at_elsewhere() {
    let Some(machine) = crowded("capture") else { return };
    let arguments = ["probe", "--python", r"C:\paddle env"];
    let (exit, live) = machine.json(&[&arguments[..], &["--capture", r"C:\captured here"]].concat(), &[]);
    assert_eq!(exit, Some(0), "{live}");
    let here = machine.prefix.path(r"C:\captured here");
    let linux = |arguments: &[&str]| {
        let mut command = Command::new(kb_tests::program().expect("the program is built"));
        command.args(arguments).arg("--from").arg(&here).arg("--json").env_clear().env("LANG", "C");
        let out = command.output().expect("it starts");
        let document: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"));
        (out.status.code(), document)
    };
    let (_, there) = machine.json(&[&arguments[..], &["--from", r"C:\captured here"]].concat(), &[]);
    let (exit, again) = linux(&arguments);
    assert_eq!(exit, Some(0));
    assert_eq!(there, again, "the same program on another system");
    // Private names apart it is what was seen live.
    let parts = |probe: &Value| -> Vec<String> {
        let all = ["observations", "failures"]
            .into_iter()
            .flat_map(|l| probe[l].as_array().expect("a list").clone());
        all.map(|o| o.to_string()).filter(|o| !o.to_lowercase().contains("users")).collect()
    };
    let (live, again) = (parts(&live), parts(&again));
    for (a, b) in live.iter().zip(&again) {
        assert_eq!(a, b);
    }
    assert_eq!(live.len(), again.len());
    let ask = ["which", "cudnn64_8.dll", "--python", r"C:\paddle env"];
    let (_, asked) = machine.json(&ask, &[]);
    let (exit, replayed) = linux(&ask);
    assert_eq!((exit, copies(&replayed)), (Some(0), copies(&asked)));
    let ask = ["doctor", "--python", r"C:\paddle env"];
    let (code, told) = machine.json(&ask, &[]);
    let (exit, replayed) = linux(&ask);
    assert_eq!((exit, ids(&replayed, "causes")), (code, ids(&told, "causes")));
    assert_eq!(ids(&replayed, "residue"), ids(&told, "residue"));
}

#[test]
fn a_snapshot_and_odd_input() {
    let Some(machine) = crowded("odd") else { return };
    let kb = |arguments: &[&str]| {
        let out = machine.prefix.run(&mut machine.command(arguments, &[])).expect("it starts");
        assert!(
            !out.stderr.contains("panicked") && matches!(out.exit, Some(0..=3)),
            "{arguments:?}: {out:?}"
        );
        out
    };
    let python = ["--python", r"C:\torch env"];
    assert_eq!(kb(&[&["snapshot", "-o", r"C:\kb lock.toml"][..], &python].concat()).exit, Some(0));
    let same = kb(&[&["snapshot", "--check", r"C:\kb lock.toml"][..], &python].concat());
    assert_eq!(same.exit, Some(0), "{same:?}");
    machine.gpus(&GPU.replace("552.12", "441.87").replace("12040", "10020"));
    let older = kb(&[&["snapshot", "--check", r"C:\kb lock.toml"][..], &python].concat());
    assert!(older.exit == Some(1) && older.stdout.contains("441.87"), "{older:?}");
    machine.put(r"C:\notes.txt", b"my notes");
    machine.put(r"C:\mine\thesis.tex", b"years of work");
    for arguments in [
        &["probe", "--python", r"C:\no where"][..],
        &["probe", "--python", r"C:\notes.txt"],
        &["probe", "--python", r"C:\mine"],
        &["probe", "--python", r"D:\"],
        &["probe", "--python", r"\\nobody\share\env"],
        &["doctor", "--from", r"C:\notes.txt"],
        &["doctor", "--from", r"C:\mine"],
        &["probe", "--capture", r"C:\mine"],
        &["probe", "--capture", r"C:\notes.txt"],
        &["probe", "--capture", r"C:\no|such<name"],
        &["snapshot", "--check", r"C:\notes.txt"],
        &["which", "cudnn", "--python", "nul"],
    ] {
        let out = kb(arguments);
        assert!(
            out.exit == Some(2) && out.stdout.is_empty() && !out.stderr.is_empty(),
            "{arguments:?}: {out:?}"
        );
    }
    // An alias of the Store has no bytes and starts nothing.
    machine.put(r"C:\users\own\AppData\Local\Microsoft\WindowsApps\python.exe", b"");
    let out = kb(&["probe", "--python", r"C:\users\own\AppData\Local\Microsoft\WindowsApps\python.exe"]);
    assert_eq!(out.exit, Some(2), "{out:?}");
    let read = std::fs::read(machine.prefix.path(r"C:\mine\thesis.tex")).expect("it is there");
    assert_eq!(read, b"years of work");
}

#[test]
fn looking_changes_nothing() {
    let Some(machine) = crowded("unchanged") else { return };
    let lock = machine.json(&["snapshot", "--python", r"C:\torch env"], &[]).1;
    assert_eq!(lock["command"], "snapshot");
    let before = machine.prefix.snapshot().expect("taken");
    for arguments in [
        &["probe", "--all"][..],
        &["probe", "--all-pythons", "--json"],
        &["probe", "--python", r"C:\torch env"],
        &["probe", "--as-service"],
        &["doctor", "--python", r"C:\paddle env"],
        &["doctor", "--quick"],
        &["which", "cudnn64_8.dll", "nvcc", "--python", r"C:\torch env"],
        &["snapshot"],
        &["watch", "--count", "1"],
    ] {
        let out = machine.prefix.run(&mut machine.command(arguments, &[])).expect("it starts");
        assert!(
            matches!(out.exit, Some(0..=3)) && !out.stderr.contains("panicked"),
            "{arguments:?}: {out:?}"
        );
    }
    assert_eq!(before.changes(&machine.prefix.snapshot().expect("taken")), [""; 0]);
    // Of a capture the directory that was named is new, and nothing else.
    machine.json(&["probe", "--capture", r"C:\captured"], &[]);
    let changes = before.changes(&machine.prefix.snapshot().expect("taken"));
    let names: Vec<&str> = changes.iter().map(|c| c.split(':').next().unwrap_or_default()).collect();
    assert_eq!(names, ["drive_c/captured", "drive_c/captured/capture.toml"], "{changes:?}");
}
