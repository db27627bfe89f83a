//! The examples in every `--help` really run: what is printed there is what people copy.

use kb_tests::server::{Server, Site};
use std::path::Path;
use std::process::{Command, Stdio};

fn kb(server: &Server, arguments: &[String], directory: &Path) -> (Option<i32>, String) {
    let out = Command::new(kb_tests::program().expect("the program is built"))
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        // Where examples ask an index, it is one on this machine.
        .env("PIP_INDEX_URL", server.index())
        .env("PATH", directory)
        // Machines differ in what they have.
        .env("KB_NVML", directory.join("none"))
        .env("LANG", "C")
        .env("NO_COLOR", "1")
        // Wide enough that no example is broken.
        .env("COLUMNS", "110")
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    (out.status.code(), text)
}

/// The words of a command line as a shell splits it, up to a comment, a pipe or a redirection.
fn words(line: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let (mut word, mut quote, mut inside) = (String::new(), None, false);
    // What follows two spaces explains the example.
    for c in line.split("  ").next().unwrap_or(line).chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') => (quote, inside) = (Some(c), true),
            (None, ' ') => {
                if inside || !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
                inside = false;
            }
            (_, c) => word.push(c),
        }
    }
    if inside || !word.is_empty() {
        out.push(word);
    }
    let end = out.iter().position(|w| w.starts_with(['|', '>'])).unwrap_or(out.len());
    out.truncate(end);
    out
}

#[test]
fn every_example_runs() {
    let root = std::env::temp_dir().join(format!("kb-help-{}", std::process::id()));
    // What the examples name: a requirements file, data directories of both kinds, a wheel, a library, an installation
    // and an unpacked archive.
    std::fs::create_dir_all(root.join("my-data/topics")).expect("made");
    std::fs::write(root.join("requirements.txt"), "torch==2.9.1\n").expect("written");
    std::fs::write(
        root.join("my-data/topics/mine.md"),
        "+++\ntitle = \"t\"\nresolution = \"r\"\n+++\nText.\n",
    )
    .expect("written");
    let data = kb_tests::root().join("../kb-data/data");
    copy(&data, &root.join("kb-data/data"));
    let files = kb_tests::root().join("cases/inspect/files");
    let wheel = "torch-2.5.1+cu124-cp312-cp312-linux_x86_64.whl";
    std::fs::copy(files.join(wheel), root.join(wheel)).expect("copied");
    std::fs::copy(files.join("kernels.so"), root.join("libtorch_cuda.so")).expect("copied");
    copy(&files.join("installed"), &root.join(".venv/lib/python3.12/site-packages"));
    std::fs::create_dir_all(root.join(".venv/bin")).expect("made");
    std::fs::write(root.join(".venv/pyvenv.cfg"), "home = /usr/bin\nversion = 3.12.4\n").expect("written");
    program(&root.join(".venv/bin"), "python");
    for name in ["error.log", "nvidia-smi.txt", "pip-list.txt"] {
        std::fs::write(root.join(name), "torch 2.9.1\nCUDA out of memory. Tried to allocate\n")
            .expect("written");
    }
    program(&root, "python");
    copy(&kb_tests::root().join("cases/which/machines/linux"), &root.join("capture"));
    let archive = "cudnn-linux-x86_64-8.9.7.29_cuda12-archive";
    copy(&files.join(archive), &root.join(archive));
    let whl = std::fs::read(files.join(wheel)).expect("read");
    let server = Site::default()
        .file("paddlepaddle-gpu", "paddlepaddle_gpu-2.6.1-cp39-cp39-win_amd64.whl", &whl)
        .file("torch", "torch-2.9.1-cp312-cp312-manylinux_2_28_x86_64.whl", &whl)
        .serve();
    let own = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    let (_, main) = kb(&server, &own("--help"), &root);
    let commands: Vec<String> = main
        .lines()
        .skip_while(|l| !l.starts_with("Commands:"))
        .skip(1)
        .take_while(|l| l.starts_with("  "))
        .filter_map(|l| l.split_whitespace().next().map(str::to_owned))
        .filter(|c| c != "help")
        .collect();
    assert!(commands.len() > 8, "{main}");
    let helps = std::iter::once(main)
        .chain(commands.iter().map(|c| kb(&server, &own(&format!("{c} --help")), &root).1));
    let (mut count, mut wrong) = (0, Vec::new());
    for help in helps {
        for line in help.lines().filter_map(|l| l.strip_prefix("  kb ")) {
            count += 1;
            // It ends at Ctrl-C; another test follows files.
            if line.contains("--follow ") {
                continue;
            }
            let (code, text) = kb(&server, &words(line), &root);
            if !matches!(code, Some(0 | 1 | 3)) {
                wrong.push(format!("kb {line}\n{code:?} {text}"));
            }
        }
    }
    std::fs::remove_dir_all(&root).expect("removed");
    assert!(count > 40, "only {count} examples were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Help in Chinese has no line in English: neither an option nor what stands behind an example.
#[test]
fn help_in_chinese_is_chinese() {
    let server = Site::default().serve();
    let help = |arguments: &[&str]| {
        let arguments: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
        kb(&server, &arguments, &std::env::temp_dir()).1
    };
    let chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let small = |word: &&str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase());
    let mut wrong = Vec::new();
    for language in ["zh-Hans", "zh-Hant"] {
        for command in [
            "solve",
            "check",
            "show",
            "list",
            "why",
            "explain",
            "decode",
            "inspect",
            "which",
            "diagnose",
            "probe",
            "doctor",
            "snapshot",
            "watch",
            "lint",
            "new",
            "completions",
            "man",
        ] {
            let text = help(&["--lang", language, command, "--help"]);
            assert!(text.lines().count() > 12, "{text}");
            for line in text.lines() {
                let (example, said) = match line.strip_prefix("  kb ").map(|l| l.split_once("  ")) {
                    Some(Some((_, said))) => (true, said),
                    Some(None) => continue,
                    None => (false, line),
                };
                let words: Vec<&str> = said.split([' ', ',', ';', '.']).collect();
                let prose = words.windows(3).any(|three| three.iter().all(small));
                if (example || prose) && !chinese(said) {
                    wrong.push(format!("{language} {command}: {line}"));
                }
            }
        }
        let codes = |command: &str| help(&["--lang", language, command, "--help"]);
        assert!(codes("diagnose").contains("--follow"), "its own exit codes");
        let file = |text: String| {
            text.lines().find(|l| l.contains("[FILE") || l.contains("<FILE")).map(str::to_owned)
        };
        assert_ne!(file(codes("diagnose")), file(codes("inspect")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program that can be started by its name and does nothing.
fn program(dir: &Path, name: &str) {
    let (name, text) =
        if cfg!(windows) { (format!("{name}.cmd"), "@exit 0\r\n") } else { (name.to_owned(), "#!/bin/sh\n") };
    let path = dir.join(name);
    std::fs::write(&path, text).expect("written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("made");
    for entry in std::fs::read_dir(from).expect("listed").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("copied");
        }
    }
}

#[test]
fn shells_split_so() {
    let split = |line: &str| words(line).join("|");
    assert_eq!(split("why 'a#12.*,linux'"), "why|a#12.*,linux");
    assert_eq!(split("solve torch --gpu \"RTX 5090\" > x"), "solve|torch|--gpu|RTX 5090");
    assert_eq!(split("show 8.6                 a compute capability"), "show|8.6");
}
