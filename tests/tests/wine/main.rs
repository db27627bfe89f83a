//! The program for Windows, run under Wine where `KB_WINE_EXE` names it: it answers as the one for Linux does, and
//! whatever has to do with Windows itself works: paths, encodings, other programs, the registry's variables.
#![cfg(unix)]

mod observed;
#[path = "../../../artifact/tests/support/pe.rs"]
#[allow(unreachable_pub)]
mod pe;

use encoding_rs::{GBK, UTF_8};
use kb_tests::cases::{self, Output, all, compare, typed};
use kb_tests::wine::{Data, Hive, Prefix, program};
use std::path::PathBuf;
use std::sync::Mutex;

/// What PyTorch says on a Chinese Windows when a DLL is missing.
const NO_MODULE: &str = r#"OSError: [WinError 126] 找不到指定的模块。 Error loading "C:\Users\张三\torch\lib\c10_cuda.dll" or one of its dependencies."#;

/// What a program says when the driver is too old.
const TOO_OLD: &str = "RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver";

/// The program, and a prefix of this test's own.
fn machine(name: &str) -> Option<Machine> {
    let kb = program().expect("a program for Windows")?;
    Some(Machine { kb, prefix: Prefix::new(name).expect("a prefix") })
}

struct Machine {
    kb: PathBuf,
    prefix: Prefix,
}

impl Machine {
    /// Runs kb with plain output in English.
    fn kb(&self, arguments: &[&str]) -> Output {
        self.with_input(arguments, b"")
    }

    fn with_input(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut command = self.prefix.command(&self.kb);
        command.args(arguments).envs([("LANG", "C"), ("COLUMNS", "100")]);
        let out = self.prefix.run_with(&mut command, input).expect("it starts");
        assert!(!out.stderr.contains("panicked"), "{arguments:?}: {}", out.stderr);
        out
    }
}

/// The document that kb wrote.
fn document(out: &Output) -> serde_json::Value {
    serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{e}: {out:?}"))
}

/// Cases whose answer is another one on Windows.
fn differs(typed: &cases::Typed, name: &str) -> bool {
    let said = |option: &str| typed.args.iter().any(|a| a == option || a.starts_with(&format!("{option}=")));
    let asks =
        typed.args.first().is_some_and(|c| ["solve", "check", "why", "diagnose"].contains(&c.as_str()));
    // A system that is not stated is this machine's.
    (asks && !said("--os") && !said("--help") && !said("-h")) || name.is_empty()
}

#[test]
fn cases_end_as_on_linux() {
    let Some(machine) = machine("cases") else { return };
    // A program starts slowly under Wine: one of so many cases is tried, or all.
    let step = if std::env::var("KB_WINE_CASES").is_ok_and(|v| v == "all") { 1 } else { 8 };
    let (cases, wrong) = (Mutex::new(all().into_iter().step_by(step)), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(case) = cases.lock().expect("no panic").next() else { break };
                    let name = case.strip_prefix(kb_tests::root()).expect("it is ours").display().to_string();
                    let typed = typed(&case).expect("a case can be read");
                    if differs(&typed, &name) {
                        continue;
                    }
                    let mut command = machine.prefix.command(&machine.kb);
                    command.args(&typed.args).current_dir(&case).envs(cases::environment(&typed));
                    let found = machine.prefix.run_with(&mut command, typed.stdin.as_bytes());
                    let found = found.expect("it starts").with_unix_lines();
                    if let Err(why) = compare(&case, &found, false) {
                        wrong
                            .lock()
                            .expect("no panic")
                            .push(format!("{name}\n  {}", why.replace('\n', "\n  ")));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} cases\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_system_is_windows_and_commands_are_for_its_shell() {
    let Some(machine) = machine("answers") else { return };
    let out = machine.kb(&["solve", "torch", "--gpu", "rtx3090", "--json"]);
    assert_eq!(out.exit, Some(0), "{out:?}");
    let answer = document(&out);
    assert_eq!(answer["request"]["os"], "windows", "{}", answer["request"]);
    let install = &answer["answers"][0]["install"];
    assert_eq!(install[0]["shell"], "powershell", "{install}");
    let line = install[0]["command"].as_str().expect("a command");
    // What is said fits.
    let again = machine.kb(&["check", line, "--gpu", "rtx3090"]);
    assert_eq!(again.exit, Some(0), "{line}\n{again:?}");
    // A package that PyPI has for Windows without GPU code.
    let none = machine.kb(&["check", "torch==2.5.1", "--gpu", "rtx3090", "--channel", "pypi"]);
    assert_eq!(none.exit, Some(1), "{none:?}");
    assert!(none.stdout.contains("windows-x86_64 is a CPU build"), "{none:?}");
}

#[test]
fn files_are_found_wherever_they_are() {
    let Some(machine) = machine("paths") else { return };
    let files = kb_tests::root().join("cases/inspect/files");
    let name = "torch-2.5.1+cu124-cp312-cp312-linux_x86_64.whl";
    let wheel = std::fs::read(files.join(name)).expect("the case has it");
    let deep = format!(r"C:\long\{}\{}", "d".repeat(200), "e".repeat(200));
    for directory in [r"C:\wheels", r"C:\Program Files\mit Leerzeichen", r"C:\users\张三\Загрузки é", &*deep]
    {
        let path = format!(r"{directory}\{name}");
        machine.prefix.file(&path, &wheel).expect("written");
        for path in [path.clone(), path.replace('\\', "/"), path.replacen(r"C:\", r"c:\", 1)] {
            let out = machine.kb(&["inspect", &path]);
            assert_eq!(out.exit, Some(0), "{out:?}");
            assert!(out.stdout.starts_with(&format!("{path}\n")), "{out:?}");
            assert!(out.stdout.contains("torch/lib/libtorch_cuda.so: SASS 8.0 9.0"), "{out:?}");
        }
        if directory == deep {
            // No program of Windows can be there.
            continue;
        }
        let mut command = machine.prefix.command(&machine.kb);
        command.args(["inspect", &format!(r".\{name}")]).current_dir(machine.prefix.path(directory));
        let out = machine.prefix.run(&mut command).expect("it starts");
        assert!(out.exit == Some(0) && out.stdout.starts_with(&format!(".\\{name}\n")), "{out:?}");
    }
    let out = machine.kb(&["inspect", r"C:\wheels\nothing.whl"]);
    assert_eq!(out.exit, Some(2), "{out:?}");
    assert!(out.stderr.contains(r"C:\wheels\nothing.whl: "), "{out:?}");
}

#[test]
fn an_environment_is_read_as_windows_lays_it_out() {
    let Some(machine) = machine("environment") else { return };
    let from = kb_tests::root().join("cases/inspect/files/env/lib/python3.12/site-packages");
    let place = r"C:\users\张三\my env\Lib\site-packages";
    copy(&from, &machine.prefix.path(place));
    let of = |arguments: &[&str], directory: &str| {
        let mut command = machine.prefix.command(&machine.kb);
        command.arg("inspect").args(arguments).env("LANG", "C").current_dir(machine.prefix.path(directory));
        machine.prefix.run(&mut command).expect("it starts")
    };
    let whole = of(&[r"C:\users\张三\my env"], r"C:\");
    assert!(whole.exit == Some(0) && whole.stdout.contains(place), "{whole:?}");
    // Its separators are those of Windows, whichever were typed.
    let typed = of(&["my env"], r"C:\users\张三");
    assert!(typed.stdout.contains(r"my env\Lib\site-packages"), "{typed:?}");
    // What is a path for the system's own calls (`\\?\C:\…`) is none for people.
    for (argument, directory) in [(".", place.to_owned()), (".", format!(r"{place}\nvidia\nccl"))] {
        let out = of(&[argument], &directory);
        assert_eq!(out.exit, Some(0), "{out:?}");
        assert!(!out.stdout.contains(r"\\?\"), "{out:?}");
    }
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).expect("made");
    for entry in std::fs::read_dir(from).expect("listed").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).expect("copied");
        }
    }
}

#[test]
fn logs_are_read_in_the_encodings_of_windows() {
    let Some(machine) = machine("encodings") else { return };
    let text = format!("PS C:\\Users\\张三> python train.py\r\n{NO_MODULE}\r\n");
    let utf16 = |to_bytes: fn(u16) -> [u8; 2]| {
        "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(to_bytes).collect::<Vec<u8>>()
    };
    for (name, bytes) in [
        ("UTF-8", UTF_8.encode(&text).0.into_owned()),
        ("GBK", GBK.encode(&text).0.into_owned()),
        ("UTF-16LE", utf16(u16::to_le_bytes)),
        ("UTF-16BE", utf16(u16::to_be_bytes)),
    ] {
        let path = format!(r"C:\users\张三\{name}.log");
        machine.prefix.file(&path, &bytes).expect("written");
        for (out, what) in [
            (machine.kb(&["diagnose", &path]), "file"),
            (machine.with_input(&["diagnose", "-"], &bytes), "input"),
        ] {
            assert_eq!(out.exit, Some(1), "{name}, {what}: {out:?}");
            // It is cited as it was said.
            let cited = out.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(cited.contains("[WinError 126] 找不到指定的模块。"), "{name}, {what}: {}", out.stdout);
        }
    }
}

#[test]
fn another_program_runs_as_if_kb_were_not_there() {
    let Some(machine) = machine("run") else { return };
    machine
        .prefix
        .file(r"C:\my tools\conda.bat", b"@echo off\r\necho %~1\r\nexit /b 4\r\n")
        .expect("written");
    machine.prefix.set_path(Hive::User, &[r"C:\my tools"]).expect("set");
    for code in [0, 1, 7, 255] {
        let out = machine.kb(&["diagnose", "--", "cmd", "/c", &format!("exit {code}")]);
        assert_eq!(out.exit, Some(code), "{out:?}");
    }
    // An access violation; Unix keeps the lowest byte of it.
    let out = machine.kb(&["diagnose", "--", "cmd", "/c", "exit -1073741819"]);
    assert_eq!(out.exit, Some(5), "{out:?}");
    assert!(out.stderr.contains("-1073741819") || out.stderr.contains("0xC0000005"), "{out:?}");
    // A console finds what ends in .bat, and so does kb.
    let out = machine.kb(&["diagnose", "--", "conda", "two words"]);
    assert_eq!((out.exit, &*out.stdout), (Some(4), "two words\r\n"), "{out:?}");
    let out = machine.kb(&["diagnose", "--", "no-such-program"]);
    assert_eq!(out.exit, Some(127), "{out:?}");
    let script = format!("echo {TOO_OLD}& exit 3");
    let out = machine.kb(&["diagnose", "--", "cmd", "/c", &script]);
    assert_eq!((out.exit, out.stdout.trim_end()), (Some(3), TOO_OLD), "{out:?}");
    assert!(out.stderr.contains("too old"), "{out:?}");
    // Standard input reaches it.
    let own = format!("Z:{}", machine.kb.display());
    let question = ["diagnose", "--", &own, "check", "-", "--os", "linux", "--gpu", "rtx3090"];
    let out = machine.with_input(&question, b"torch==2.9.1\r\n");
    assert!(out.exit == Some(0) && out.stdout.starts_with("Fits: torch 2.9.1"), "{out:?}");
}

#[test]
fn streams_are_plain_where_nobody_looks() {
    let Some(machine) = machine("streams") else { return };
    let question = ["check", "-", "--gpu", "rtx3090", "--os", "linux"];
    let out = machine.with_input(&question, b"\xef\xbb\xbftorch==2.9.1\r\n");
    assert_eq!(out.exit, Some(0), "{out:?}");
    assert!(out.stdout.starts_with("Fits: torch 2.9.1"), "{out:?}");
    assert!(!out.stdout.contains('\u{1b}'), "{out:?}");
    let out = machine.with_input(&[&question[..], &["--color", "always"]].concat(), b"torch==2.9.1\r\n");
    assert!(out.stdout.contains("\u{1b}["), "{out:?}");
    let out = machine.kb(&["solve", "torch", "--gpu", "rtx3090", "--lang", "zh-Hans"]);
    assert!(out.stdout.contains('：'), "{out:?}");
    let out = machine.kb(&["solve", "no-such-package"]);
    assert!(out.exit == Some(2) && !out.stderr.contains('\u{1b}'), "{out:?}");
}

#[test]
fn data_is_written_and_read_below_a_path_of_windows() {
    let Some(machine) = machine("data") else { return };
    let data = r"C:\users\张三\my data";
    machine.prefix.file(&format!(r"{data}\empty.txt"), b"").expect("written");
    let out = machine.kb(&["new", "gpu", "test-gpu", "ampere", "--data", data]);
    assert_eq!(out.exit, Some(0), "{out:?}");
    let written = format!(r"{data}\catalog\gpus\ampere.toml");
    assert!(out.stdout.contains(&written), "{out:?}");
    // The stub wants a source that there is.
    let stub = std::fs::read_to_string(machine.prefix.path(&written)).expect("it is there");
    machine.prefix.file(&written, stub.replace("SOURCE", "nv-cuda-gpus").as_bytes()).expect("written");
    let out = machine.kb(&["list", "gpus", "test-gpu", "--data", data]);
    assert!(out.exit == Some(0) && out.stdout.contains("test-gpu"), "{out:?}");
    machine.prefix.file(&format!(r"{data}\facts\release\nobody.toml"), b"nothing = 1\n").expect("written");
    let out = machine.kb(&["lint", data]);
    assert_eq!(out.exit, Some(2), "{out:?}");
    // Inside the data a file has one name on every system.
    assert!(out.stderr.contains("facts/release/nobody.toml:1"), "{out:?}");
}

#[test]
fn what_is_planted_is_seen_and_what_is_read_is_not_changed() {
    let Some(machine) = machine("planted") else { return };
    let key = r"Software\NVIDIA Corporation\张三 [1]";
    machine.prefix.set(Hive::Machine, key, "path", Data::Text(r#"C:\显卡\"12""#)).expect("set");
    machine.prefix.set_variable(Hive::Machine, "CUDA_PATH", Data::Expand(r"%SystemRoot%\cuda")).expect("set");
    machine.prefix.set_path(Hive::Machine, &[r"C:\cuda\bin"]).expect("set");
    machine.prefix.system32("nvml.dll", b"MZ").expect("written");
    let cmd = |line: &str| {
        let mut command = machine.prefix.command(std::path::Path::new("cmd"));
        machine.prefix.run(command.args(["/c", line]).env("ONLY_HERE", "1")).expect("it starts").stdout
    };
    let said = cmd("echo %CUDA_PATH% %ONLY_HERE% %PATH%& dir /b C:\\windows\\system32\\nvml.dll");
    let lower = said.to_lowercase();
    assert!(lower.starts_with(r"c:\windows\cuda 1 c:\cuda\bin;c:\windows\system32;"), "{said}");
    assert!(said.ends_with("nvml.dll\r\n"), "{said}");
    let mut reg = machine.prefix.command(std::path::Path::new("reg"));
    reg.args(["query", &format!(r"HKLM\{key}"), "/v", "path"]);
    let said = machine.prefix.run(&mut reg).expect("it starts");
    assert!(said.exit == Some(0) && said.stdout.contains("path"), "{said:?}");

    let log = r"C:\train.log";
    machine.prefix.file(log, TOO_OLD.as_bytes()).expect("written");
    let before = machine.prefix.snapshot().expect("taken");
    for arguments in [
        &["solve", "torch", "--gpu", "rtx3090"][..],
        &["diagnose", log],
        &["inspect", r"C:\windows\system32\nvml.dll"],
    ] {
        machine.kb(arguments);
    }
    let after = machine.prefix.snapshot().expect("taken");
    assert_eq!(before.changes(&after), [""; 0]);
    cmd(r"echo x> C:\new.txt& del C:\train.log");
    let changes = before.changes(&machine.prefix.snapshot().expect("taken"));
    let names: Vec<&str> = changes.iter().map(|c| c.split(':').next().unwrap_or_default()).collect();
    assert_eq!(names, ["drive_c/new.txt", "drive_c/train.log"], "{changes:?}");
}
