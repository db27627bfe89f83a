//! Machines written by hand, and which copy is taken there.

use super::{FileSet, Look, Which, which};
use crate::machine::{Capture, Family, Replay};
use crate::python::Environment;
use crate::{Sink, Wanted};

fn machine(text: &str) -> Replay {
    Replay::new(Capture::parse(text).expect("is a capture"))
}

fn environment(kind: &'static str, root: &str, base: &str, interpreter: &str, site: &str) -> Environment {
    Environment {
        kind,
        root: root.into(),
        interpreter: interpreter.into(),
        base: base.into(),
        version: Some("3.12.4".into()),
        sites: vec![site.into()],
        found_by: "given",
        version_by: "pyvenv.cfg",
        implementation: "CPython",
        abi: None,
        bits: None,
        externally_managed: false,
    }
}

fn venv() -> Environment {
    environment("venv", "/v", "/usr/bin", "/v/bin/python", "/v/lib/python3.12/site-packages")
}

fn windows() -> Environment {
    environment("venv", r"C:\v", r"C:\Python312", r"C:\v\Scripts\python.exe", r"C:\v\Lib\site-packages")
}

/// `* path (rule, version)` for what wins, `- …` for what does not, `? …` for where nobody looks.
fn lines(found: &Which) -> Vec<String> {
    let line = |mark: &str, c: &super::Candidate| {
        format!("{mark} {} ({}, {})", c.path, c.rule, c.version.as_deref().unwrap_or("-"))
    };
    let found_by = |s: &super::Search| {
        let of = format!("{} for {}", s.name, s.asks);
        let all = s.candidates.iter().map(|c| line(if c.wins { "*" } else { "-" }, c));
        std::iter::once(of).chain(all).collect::<Vec<_>>()
    };
    found.searches.iter().flat_map(found_by).chain(found.elsewhere.iter().map(|c| line("?", c))).collect()
}

/// As for a machine: without an environment, then with each.
fn observe(sink: &mut Sink<'_>, environments: &[Environment], wanted: &Wanted) {
    let look = Look::new(sink.machine, None);
    super::observe(sink, &look, None, wanted);
    for environment in environments {
        super::observe(sink, &look, Some(environment), wanted);
    }
}

fn seen(machine: &Replay, environments: &[Environment], sets: Vec<FileSet>, what: &[&str]) -> Vec<String> {
    let mut sink = Sink::new(machine);
    observe(&mut sink, environments, &Wanted { file_sets: sets, ..Wanted::default() });
    assert_eq!(sink.failures, []);
    let of = sink.observations.iter().filter(|o| what.contains(&o.what.as_str()));
    of.map(|o| format!("{} {} ({}, {})", o.what, o.value, o.method, o.place.as_deref().unwrap_or("-")))
        .collect()
}

/// A wheel of torch beside the wheels of NVIDIA's, LD_LIBRARY_PATH to an older toolkit, and a package of the system.
fn linux(search: &str) -> String {
    format!(
        r##"
        schema = 1
        family = "linux"
        arch = "x86_64"
        loader-cache = [["libcudnn.so.9", "/usr/lib/x86_64-linux-gnu/libcudnn.so.9"]]
        [variables]
        LD_LIBRARY_PATH = "/opt/old/lib64:"
        [[path]]
        at = "/v/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so"
        library = {{ machine = "x86_64", needed = ["libcudnn.so.9", "libnccl.so.2", "libc.so.6"], {search} }}
        [[path]]
        at = "/v/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.9"
        library = {{ machine = "x86_64" }}
        [[path]]
        at = "/v/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn_graph.so.9"
        library = {{ machine = "x86_64", version = "9.1.0" }}
        [[path]]
        at = "/v/lib/python3.12/site-packages/nvidia/cudnn/include/cudnn_version.h"
        text = "#define CUDNN_MAJOR 9\n#define CUDNN_MINOR 1\n#define CUDNN_PATCHLEVEL 0\n"
        [[path]]
        at = "/opt/old/lib64/libcudnn.so.9"
        link = "libcudnn.so.9.0.0"
        [[path]]
        at = "/opt/old/lib64/libcudnn.so.9.0.0"
        library = {{ machine = "x86_64" }}
        [[path]]
        at = "/usr/lib/x86_64-linux-gnu/libcudnn.so.9"
        link = "libcudnn.so.9.28.1"
        [[path]]
        at = "/usr/lib/x86_64-linux-gnu/libcudnn.so.9.28.1"
        library = {{ machine = "x86_64" }}
        [[path]]
        at = "/v/bin/python"
        link = "/usr/bin/python3.12"
        [[path]]
        at = "/usr/bin/python3.12"
        library = {{ machine = "x86_64" }}
        "##
    )
}

const WHEELS: &str = r#"search = ["$ORIGIN", "$ORIGIN/../../nvidia/cudnn/lib"]"#;

#[test]
fn rpath_comes_before_the_variable() {
    let machine = machine(&linux(&format!("{WHEELS}, rpath = true")));
    assert_eq!(
        lines(&which(&machine, &[venv()], "cudnn")),
        [
            "libcudnn.so.9 for /v/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so",
            "* /v/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.9 (RPATH of libtorch_cuda.so, 9.1.0)",
            "- /opt/old/lib64/libcudnn.so.9 (LD_LIBRARY_PATH, 9.0.0)",
            "- /usr/lib/x86_64-linux-gnu/libcudnn.so.9 (ld.so cache, 9.28.1)",
        ]
    );
}

#[test]
fn the_variable_comes_before_runpath() {
    let machine = machine(&linux(WHEELS));
    let found = which(&machine, &[venv()], "libcudnn.so.9");
    let order: Vec<String> = found.searches[0].candidates.iter().map(|c| c.rule.to_string()).collect();
    assert_eq!(order, ["LD_LIBRARY_PATH", "RUNPATH of libtorch_cuda.so", "ld.so cache"]);
    // Without the environment nobody looks into its wheels.
    let found = lines(&which(&machine, &[], "cudnn"));
    assert_eq!(
        found[..2],
        ["libcudnn.so.9 for process", "* /opt/old/lib64/libcudnn.so.9 (LD_LIBRARY_PATH, 9.0.0)"]
    );
}

#[test]
fn what_is_seen_on_linux() {
    let machine = machine(&linux(&format!("{WHEELS}, rpath = true")));
    let set = FileSet {
        library: "cudnn".into(),
        major: 9,
        family: Family::Linux,
        files: vec!["libcudnn.so.9".into(), "libcudnn_graph.so.9".into(), "libcudnn_ops.so.9".into()],
    };
    let torch = "/v/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so";
    let wheel = "/v/lib/python3.12/site-packages/nvidia/cudnn";
    assert_eq!(
        seen(&machine, &[venv()], vec![set], &["library-found", "library-first", "library-missing", "cudnn"]),
        [
            "library-found /opt/old/lib64/libcudnn.so.9 (LD_LIBRARY_PATH, process)".to_owned(),
            "cudnn 9.0.0 (file name, /opt/old/lib64/libcudnn.so.9.0.0)".to_owned(),
            "library-found /usr/lib/x86_64-linux-gnu/libcudnn.so.9 (ld.so cache, process)".to_owned(),
            "cudnn 9.28.1 (file name, /usr/lib/x86_64-linux-gnu/libcudnn.so.9.28.1)".to_owned(),
            "library-first /opt/old/lib64/libcudnn.so.9 (LD_LIBRARY_PATH, process)".to_owned(),
            format!("library-found {wheel}/lib/libcudnn.so.9 (RPATH of libtorch_cuda.so, {torch})"),
            format!("cudnn 9.1.0 (library, {wheel}/lib/libcudnn_graph.so.9)"),
            format!("library-found /opt/old/lib64/libcudnn.so.9 (LD_LIBRARY_PATH, {torch})"),
            format!("library-found /usr/lib/x86_64-linux-gnu/libcudnn.so.9 (ld.so cache, {torch})"),
            format!("cudnn 9.1.0 (header, {wheel}/include/cudnn_version.h)"),
            format!("library-first {wheel}/lib/libcudnn.so.9 (RPATH of libtorch_cuda.so, {torch})"),
            format!("library-missing libnccl.so.2 (search, {torch})"),
        ]
    );
    let set = FileSet {
        library: "cudnn".into(),
        major: 9,
        family: Family::Linux,
        files: vec!["libcudnn_ops.so.9".into()],
    };
    let missing = seen(&machine, &[venv()], vec![set], &["library-part-missing"]);
    assert_eq!(missing.len(), 3, "{missing:?}");
    assert_eq!(missing[2], format!("library-part-missing libcudnn_ops.so.9 (file, {wheel}/lib)"));
}

#[test]
fn conda_by_rpath_of_its_interpreter_and_another_processor() {
    let machine = machine(
        r##"
        schema = 1
        family = "linux"
        arch = "x86_64"
        [variables]
        LD_LIBRARY_PATH = "/arm"
        [[path]]
        at = "/conda/bin/python"
        link = "python3.12"
        [[path]]
        at = "/conda/bin/python3.12"
        library = { machine = "x86_64", search = ["$ORIGIN/../lib"], rpath = true }
        [[path]]
        at = "/conda/lib/libcudart.so.12"
        library = { machine = "x86_64", version = "12.4" }
        [[path]]
        at = "/arm/libcudart.so.12"
        library = { machine = "aarch64" }
        "##,
    );
    let conda = environment(
        "conda",
        "/conda",
        "/conda/bin",
        "/conda/bin/python",
        "/conda/lib/python3.12/site-packages",
    );
    assert_eq!(
        lines(&which(&machine, &[conda], "cudart")),
        [
            "libcudart.so.12 for /conda/bin/python",
            "* /conda/lib/libcudart.so.12 (RPATH of python3.12, 12.4)",
            "- /arm/libcudart.so.12 (LD_LIBRARY_PATH, 12)",
        ]
    );
    let found = which(&machine, &[], "libcudart.so.12");
    assert!(!found.found());
    assert_eq!(found.searches[0].candidates[0].other_processor.as_deref(), Some("aarch64"));
}

const WINDOWS: &str = r##"
    schema = 1
    family = "windows"
    arch = "x86_64"
    [variables]
    Path = 'C:\tools\cuda\bin;C:\Windows\System32'
    SystemRoot = 'C:\Windows'
    [[path]]
    at = 'C:\Windows\System32\cudnn64_8.dll'
    library = { machine = "x86_64", version = "6.14.11.11070", description = "NVIDIA CUDA CUDNN Library. Version 8.5.0" }
    [[path]]
    at = 'C:\tools\cuda\bin\CUDNN64_8.dll'
    library = { machine = "x86_64", version = "8.9.7.29" }
    [[path]]
    at = 'C:\tools\cuda\bin\nvcc.exe'
"##;

#[test]
fn windows_takes_system32_before_path() {
    let machine = machine(WINDOWS);
    assert_eq!(
        lines(&which(&machine, &[], "cudnn64_8.dll")),
        [
            "cudnn64_8.dll for process",
            r"* C:\Windows\System32\cudnn64_8.dll (System32, 8.5.0)",
            r"- C:\tools\cuda\bin\CUDNN64_8.dll (PATH, 8.9.7.29)",
        ]
    );
    // By the name of the library it is one search, whatever the case of the files.
    assert_eq!(which(&machine, &[], "cudnn").searches.len(), 1);
    assert_eq!(
        lines(&which(&machine, &[], "nvcc")),
        ["nvcc.exe for shell", r"* C:\tools\cuda\bin\nvcc.exe (PATH, -)"]
    );
}

#[test]
fn torch_on_windows_has_its_own() {
    let machine = machine(&format!(
        r"{WINDOWS}
        [[path]]
        at = 'C:\v\Lib\site-packages\torch\lib\torch_cuda.dll'
        library = {{ machine = 'x86_64', needed = ['cudnn64_8.dll', 'KERNEL32.dll'] }}
        [[path]]
        at = 'C:\v\Lib\site-packages\torch\lib\cudnn64_8.dll'
        library = {{ machine = 'x86_64', version = '8.7.0.84' }}
        [[path]]
        at = 'C:\v\Library\bin\cudnn64_8.dll'
        library = {{ machine = 'x86_64', version = '8.1.0.77' }}
        "
    ));
    assert_eq!(
        lines(&which(&machine, &[windows()], "cudnn"))[1..],
        [
            r"* C:\v\Lib\site-packages\torch\lib\cudnn64_8.dll (loaded by torch, 8.7.0.84)",
            r"- C:\v\Library\bin\cudnn64_8.dll (add_dll_directory of torch, 8.1.0.77)",
            r"- C:\Windows\System32\cudnn64_8.dll (System32, 8.5.0)",
            r"- C:\tools\cuda\bin\CUDNN64_8.dll (PATH, 8.9.7.29)",
        ]
    );
}

#[test]
fn paddle_on_windows_asks_by_name() {
    let paddle = |wheels: &str| {
        machine(&format!(
            r"{WINDOWS}
            [[path]]
            at = 'C:\v\Lib\site-packages\paddle\base\libpaddle.pyd'
            library = {{ machine = 'x86_64' }}
            [[path]]
            at = 'C:\v\Lib\site-packages\paddle\version\__init__.py'
            text = '''
cuda_version = '11.8'
cudnn_version = '8.6.0'
with_pip_cuda_libraries = '{wheels}'
'''
            [[path]]
            at = 'C:\v\Lib\site-packages\nvidia\cudnn\bin\cudnn64_8.dll'
            library = {{ machine = 'x86_64', version = '8.6.0.163' }}
            "
        ))
    };
    let wheel = r"C:\v\Lib\site-packages\nvidia\cudnn\bin\cudnn64_8.dll";
    let off = lines(&which(&paddle("OFF"), &[windows()], "cudnn"));
    assert_eq!(
        off[1..],
        [
            r"* C:\Windows\System32\cudnn64_8.dll (System32, 8.5.0)".to_owned(),
            r"- C:\tools\cuda\bin\CUDNN64_8.dll (PATH, 8.9.7.29)".to_owned(),
            format!("? {wheel} (wheel folder, 8.6.0.163)"),
        ]
    );
    let on = lines(&which(&paddle("ON"), &[windows()], "cudnn"));
    assert_eq!(on[1], format!("* {wheel} (loaded by paddle, 8.6.0.163)"));
}

#[test]
fn nothing_is_there() {
    let machine = machine("schema = 1\nfamily = \"linux\"\narch = \"x86_64\"");
    let found = which(&machine, &[venv()], "cudnn");
    assert!(!found.found() && found.elsewhere.is_empty());
    assert_eq!((found.searches[0].name.as_str(), found.searches[0].places.len()), ("cudnn", 7));
    assert_eq!(seen(&machine, &[venv()], Vec::new(), &["library-found", "library-first"]), [""; 0]);
}

#[test]
fn what_cannot_be_read_is_told() {
    let machine = machine(
        r#"
        schema = 1
        family = "linux"
        arch = "x86_64"
        [variables]
        LD_LIBRARY_PATH = "/closed"
        [[path]]
        at = "/closed"
        kind = "directory"
        refused = "denied"
        [[path]]
        at = "/etc/ld.so.cache"
        refused = { other = "cut off" }
        [[path]]
        at = "/v/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so"
        refused = { other = "broken" }
        "#,
    );
    let mut sink = Sink::new(&machine);
    observe(&mut sink, &[venv()], &Wanted::default());
    let mut failures: Vec<String> =
        sink.failures.iter().map(|f| format!("{} {}", f.place.as_deref().unwrap_or("-"), f.says)).collect();
    failures.sort();
    assert_eq!(
        failures,
        [
            "/closed permission denied",
            "/etc/ld.so.cache cut off",
            "/v/lib/python3.12/site-packages/torch/lib/libtorch_cuda.so broken",
        ]
    );
}

/// Files as they are on a disk, by way of this machine.
#[test]
#[cfg(target_os = "linux")]
fn real_files() {
    use crate::machine::Live;
    let directory = tempfile::tempdir().expect("made");
    let site = directory.path().join("site-packages");
    let lib = site.join("nvidia/cudnn/lib");
    std::fs::create_dir_all(&lib).expect("made");
    std::fs::write(lib.join("libcudnn.so.8.9.7"), "not a library").expect("written");
    std::os::unix::fs::symlink("libcudnn.so.8.9.7", lib.join("libcudnn.so.8")).expect("linked");
    std::os::unix::fs::symlink("nowhere", lib.join("libcudnn.so")).expect("linked");
    let text = |p: &std::path::Path| p.to_string_lossy().into_owned();
    let environment = environment("venv", "/none", "/none", "/none/python", &text(&site));
    let found = which(&Live, &[environment], "cudnn");
    let real = std::fs::canonicalize(&lib).expect("is there");
    let copy =
        found.elsewhere.iter().find(|c| c.path == text(&lib.join("libcudnn.so.8"))).expect("it is found");
    assert_eq!(copy.version.as_deref(), Some("8.9.7"));
    assert_eq!(copy.resolved, Some(text(&real.join("libcudnn.so.8.9.7"))));
}
