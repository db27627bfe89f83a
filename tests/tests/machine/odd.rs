//! Odd input, and machines that lack what is taken for granted: a clear answer, never a panic.

use crate::desk::{Desk, Package, document, failures, not_checked, output, values};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;

/// It ends with 2, says what was named, and writes nothing to standard output.
fn refuses(desk: &Desk, arguments: &[&str], names: &str) -> String {
    let out = desk.run(arguments);
    assert_eq!(out.exit, Some(2), "{arguments:?}: {out:?}");
    assert!(out.stdout.is_empty(), "{arguments:?}: {out:?}");
    let said = out.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(names), "{arguments:?}: {said}");
    assert!(said.contains("help: "), "{arguments:?}: {said}");
    said
}

#[test]
fn what_is_no_environment() {
    let desk = Desk::new("no-environment");
    std::fs::create_dir_all(desk.path("empty")).expect("there is room");
    desk.file("notes.txt", "my notes\n");
    desk.file("bin/python-notes/readme", "");
    for command in [&["probe"][..], &["doctor"], &["snapshot"], &["which", "cudnn"]] {
        let with = |path| [command, &["--python", path]].concat();
        refuses(&desk, &with("nowhere/at/all"), "nowhere/at/all: not found");
        refuses(&desk, &with("/nowhere"), "/nowhere: not found");
        refuses(&desk, &with("no-such-python"), "no-such-python: not found");
        refuses(&desk, &with("notes.txt"), "notes.txt: not an interpreter of Python");
        refuses(&desk, &with("./notes.txt"), "not an interpreter of Python");
        refuses(&desk, &with("empty"), "empty: neither an interpreter nor packages in it");
        refuses(&desk, &with("bin"), "bin: neither an interpreter nor packages in it");
        // Nothing at all is no name either.
        let out = desk.run(&with(""));
        assert_eq!(out.exit, Some(2), "{out:?}");
    }
}

#[test]
fn an_environment_whose_parts_are_broken() {
    let desk = Desk::new("broken-environment");
    desk.gpus("[[device]]\n");
    let site = "env/lib/python3.12/site-packages";
    desk.file("env/bin/python3.12", "");
    std::os::unix::fs::symlink("python3.12", desk.path("env/bin/python")).expect("there is room");
    let torch =
        Package { name: "torch", version: "2.5.1", requires: &[], files: &[("torch/__init__.py", "")] };
    std::fs::create_dir_all(desk.path(site)).expect("there is room");
    torch.install(&desk.path(site));
    let look = |what: &str| {
        for command in ["probe", "doctor", "snapshot"] {
            let out = desk.run(&[command, "--python", "env"]);
            assert_ne!(out.exit, Some(2), "{what}, {command}: {out:?}");
        }
        desk.json(&["probe", "--python", "env"]).1
    };
    // What tells where it is from may say anything.
    for (what, cfg) in [
        ("empty", &b""[..]),
        ("no home", b"home\nversion\n"),
        ("nowhere", b"home = /nowhere/bin\nversion = 3.12.1\n"),
        ("itself", b"home = env/bin\ninclude-system-site-packages = true\nversion = x.y\n"),
        ("no text", b"\xff\xfe\0h\0o\0m\0e"),
        ("long", &[b'='; 100_000]),
    ] {
        desk.file("env/pyvenv.cfg", cfg);
        let seen = look(what);
        assert_eq!(values(&seen, "package:torch"), ["2.5.1"], "{what}: {seen}");
    }
    std::fs::remove_file(desk.path("env/pyvenv.cfg")).expect("it was there");
    std::fs::create_dir(desk.path("env/pyvenv.cfg")).expect("there is room");
    look("a directory in its place");
    std::fs::remove_dir(desk.path("env/pyvenv.cfg")).expect("it was there");
    desk.file("env/pyvenv.cfg", "home = /usr/bin\n");
    let info = format!("{site}/torch-2.5.1.dist-info");
    for (file, bytes) in [
        ("METADATA", &b""[..]),
        ("METADATA", b"\xff\xff\xff"),
        ("RECORD", b"torch/__init__.py,sha256=,99999999999999999999\n\"\n../../../../etc/passwd,,\n,,\n"),
        ("RECORD", b"\0\0\0"),
        ("WHEEL", b"Tag: \n"),
    ] {
        desk.file(&format!("{info}/{file}"), bytes);
        look(file);
    }
    desk.file(&format!("{site}/torch-.dist-info/METADATA"), "Name: torch\n");
    desk.file(&format!("{site}/-1.0.dist-info/METADATA"), "");
    look("names");
    // A circle of links.
    std::os::unix::fs::symlink("circle", desk.path("env/lib/python3.12/circle")).expect("there is room");
    std::os::unix::fs::symlink("circle", desk.path("circle")).expect("there is room");
    let out = desk.run(&["probe", "--python", "circle"]);
    assert_eq!(out.exit, Some(2), "{out:?}");
    // An interpreter that is gone, as after an update of the system.
    std::fs::remove_file(desk.path("env/bin/python3.12")).expect("it was there");
    refuses(&desk, &["probe", "--python", "env"], "env: there is pyvenv.cfg, and no interpreter");
}

#[test]
fn what_is_no_capture() {
    let desk = Desk::new("no-capture");
    desk.file("garbage", [0xff; 300]);
    desk.file("empty.toml", "");
    desk.file("later.toml", "schema = 9\nfamily = \"linux\"\narch = \"x86_64\"\n");
    desk.file("more.toml", "schema = 1\nfamily = \"linux\"\narch = \"x86_64\"\nnew = 1\n");
    desk.file("other.toml", "schema = 1\nfamily = \"beos\"\narch = \"x86_64\"\n");
    std::fs::create_dir_all(desk.path("directory")).expect("there is room");
    // Of a file of this size nothing is read.
    let huge = std::fs::File::create(desk.path("huge.toml")).expect("there is room");
    huge.set_len(5 << 30).expect("there is room");
    for command in [&["probe"][..], &["doctor"], &["snapshot"], &["which", "cudnn"]] {
        let with = |path| [command, &["--from", path]].concat();
        refuses(&desk, &with("garbage"), "garbage: ");
        refuses(&desk, &with("empty.toml"), "missing field `schema`");
        refuses(&desk, &with("later.toml"), "schema 9; this program reads schema 1");
        refuses(&desk, &with("more.toml"), "new");
        refuses(&desk, &with("other.toml"), "beos");
        refuses(&desk, &with("directory"), "directory/capture.toml: ");
        refuses(&desk, &with("nothing"), "nothing: ");
        refuses(&desk, &with("huge.toml"), "more than a capture has");
        refuses(&desk, &with("/dev/null"), "/dev/null: ");
    }
}

/// A capture may say anything: what it has is data.
#[test]
fn a_capture_that_makes_no_sense() {
    let desk = Desk::new("odd-capture");
    let head = "schema = 1\nfamily = \"windows\"\narch = \"\"\n";
    for (name, text) in [
        ("nothing", String::new()),
        (
            "circle",
            "[[path]]\nat = 'C:\\a'\nlink = 'C:\\b'\n[[path]]\nat = 'C:\\b'\nlink = 'C:\\a'\n".to_owned(),
        ),
        ("itself", "[variables]\nPATH = 'C:\\a'\n[[path]]\nat = 'C:\\a'\nlink = '.'\n".to_owned()),
        ("above", "[[path]]\nat = '..\\..\\x'\n[[path]]\nat = ''\n[[path]]\nat = '\\\\'\n".to_owned()),
        (
            "base64",
            "[variables]\nPATH = 'C:\\a'\n[[path]]\nat = 'C:\\a\\python.exe'\nbase64 = '!!'\n".to_owned(),
        ),
        ("long", format!("[variables]\nPATH = \"{}\"\n", "C:\\\\x;".repeat(50_000))),
        ("deep", format!("[[path]]\nat = 'C:{}'\n", "\\a".repeat(1000))),
    ] {
        let path = desk.file(&format!("{name}.toml"), format!("{head}{text}"));
        for command in [&["probe"][..], &["probe", "--all-pythons"], &["doctor"], &["which", "cudnn"]] {
            let out = desk.run(&[command, &["--from", path.to_str().expect("text")]].concat());
            assert_ne!(out.exit, Some(2), "{name}, {command:?}: {out:?}");
        }
    }
}

#[test]
fn a_capture_is_written_into_a_directory_of_its_own() {
    let desk = Desk::new("capture-place");
    let kept = desk.file("mine/thesis.tex", "years of work\n");
    desk.file("file", "");
    let out = desk.run(&["probe", "--capture", "mine"]);
    assert!(out.exit == Some(2) && out.stderr.contains("mine: it has other things in it"), "{out:?}");
    assert_eq!(std::fs::read_dir(desk.path("mine")).expect("listed").count(), 1);
    assert!(kept.is_file());
    let out = desk.run(&["probe", "--capture", "file"]);
    assert!(out.exit == Some(2) && out.stderr.contains("this is a file"), "{out:?}");
    let out = desk.run(&["probe", "--capture", "file/below"]);
    assert_eq!(out.exit, Some(2), "{out:?}");
    // One that is there already is written anew.
    for _ in 0..2 {
        assert_eq!(desk.run(&["probe", "--capture", "new/er"]).exit, Some(0));
    }
    assert_eq!(desk.run(&["probe", "--from", "new/er"]).exit, Some(0));
    assert_eq!(desk.run(&["doctor", "--from", "new/er/capture.toml"]).exit, Some(0));
}

#[test]
fn names_that_are_no_text() {
    let desk = Desk::new("bytes");
    let odd = OsStr::from_bytes(b"caf\xe9-\xff");
    let directory = desk.path("").join(odd);
    std::fs::create_dir_all(directory.join("lib/python3.12/site-packages")).expect("there is room");
    std::fs::create_dir_all(directory.join("bin")).expect("there is room");
    std::fs::write(directory.join("bin/python3"), "").expect("there is room");
    std::fs::write(directory.join(OsStr::from_bytes(b"libcudnn\xff.so.9")), "").expect("there is room");
    for arguments in
        [&["probe"][..], &["probe", "--all-pythons"], &["doctor"], &["which", "cudnn"], &["snapshot"]]
    {
        let mut command = desk.command(arguments);
        command.env("LD_LIBRARY_PATH", &directory).env("CUDA_HOME", &directory).env(odd, odd);
        command.env("VIRTUAL_ENV", &directory).env("CUDA_VISIBLE_DEVICES", odd);
        output(&mut command);
    }
    for command in ["probe", "doctor", "snapshot"] {
        let out = output(desk.command(&[command, "--python"]).arg(&directory));
        assert!(matches!(out.exit, Some(0 | 2)), "{out:?}");
        let out = output(desk.command(&[command, "--from"]).arg(&directory));
        assert_eq!(out.exit, Some(2), "{out:?}");
    }
    let out = output(desk.command(&["probe", "--capture"]).arg(directory.join("capture")));
    assert!(matches!(out.exit, Some(0 | 2)), "{out:?}");
}

#[test]
fn without_the_usual_variables() {
    let desk = Desk::new("bare");
    for arguments in [
        &["probe"][..],
        &["probe", "--all-pythons"],
        &["probe", "--as-service"],
        &["doctor"],
        &["doctor", "--quick"],
        &["snapshot"],
        &["which", "cudnn"],
        &["which", "nvcc"],
    ] {
        let one = |name: &str, value: Option<&str>| {
            let mut command = desk.command(arguments);
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
            let out = output(&mut command);
            assert_ne!(out.exit, Some(2), "{arguments:?} with {name} {value:?}: {out:?}");
        };
        for name in ["HOME", "PATH"] {
            for value in [None, Some(""), Some("relative"), Some("/nowhere"), Some(":::"), Some("/dev/null")]
            {
                one(name, value);
            }
        }
        let out = output(desk.command(arguments).env_clear());
        assert_ne!(out.exit, Some(2), "{arguments:?}: {out:?}");
    }
    // What is asked for is not hidden by what is missing.
    let seen = document(&output(desk.command(&["probe", "--json"]).env_remove("PATH").env_remove("HOME")));
    assert_eq!(values(&seen, "kernel").len(), 1);
}

/// Directories that may not be looked into are told, and do not keep the rest from being seen.
#[test]
fn directories_that_are_closed() {
    let desk = Desk::new("closed");
    let site = desk.path("env/lib/python3.12/site-packages");
    desk.file("env/bin/python", "");
    desk.file("env/lib/python3.12/site-packages/torch/__init__.py", "");
    desk.file("libraries/libcudnn.so.9", "");
    std::fs::create_dir_all(desk.path("closed-home")).expect("there is room");
    let closed = [site.clone(), desk.path("libraries"), desk.path("closed-home")];
    let set = |mode: u32| {
        for path in &closed {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("they are ours");
        }
    };
    set(0o000);
    // Root may look everywhere.
    let root = std::fs::read_dir(&site).is_ok();
    let mut ran = Vec::new();
    for arguments in
        [&["probe", "--json"][..], &["probe", "--all-pythons", "--json"], &["doctor"], &["which", "cudnn"]]
    {
        let python = if arguments.contains(&"--all-pythons") { &[][..] } else { &["--python", "env"] };
        let mut command = desk.command(&[arguments, python].concat());
        command.env("LD_LIBRARY_PATH", desk.path("libraries")).env("HOME", desk.path("closed-home"));
        if root {
            command.uid(65534).gid(65534);
        }
        match command.output() {
            Err(error) => {
                set(0o755);
                return not_checked(&format!("closed directories: {error}"));
            }
            Ok(out) => ran.push((arguments, out)),
        }
    }
    set(0o755);
    for (arguments, out) in &ran {
        let (stdout, stderr) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
        assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
        assert!(matches!(out.status.code(), Some(0..=3)), "{arguments:?}: {stdout} {stderr}");
    }
    let (_, out) = &ran[0];
    assert_eq!(out.status.code(), Some(0), "{out:?}");
    let seen: serde_json::Value = serde_json::from_slice(&out.stdout).expect("a document");
    let denied = |method: &str| failures(&seen, method).iter().any(|f| f.contains("permission denied"));
    assert!(denied("search"), "{}", seen["failures"]);
    assert!(denied("list"), "{}", seen["failures"]);
}
