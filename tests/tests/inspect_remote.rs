//! `kb inspect NAME==VERSION` and `kb inspect URL`: the whole program against an index on this machine.

use kb_tests::server::{Server, Site};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[path = "../../artifact/tests/support/zip.rs"]
#[allow(dead_code, clippy::unwrap_used, missing_docs, unreachable_pub)]
mod zip;

const TORCH: &str = "torch-2.5.1+cu124-cp312-cp312-linux_x86_64.whl";
const BITSANDBYTES: &str = "bitsandbytes-0.45.0-py3-none-manylinux_2_24_x86_64.whl";

fn fixture(name: &str) -> PathBuf {
    kb_tests::root().join("cases/inspect/files").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(fixture(name)).expect("the fixture is there")
}

/// What a run of the program gives.
struct Output {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Output {
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {} {}", self.stdout, self.stderr))
    }

    /// It ended with a mistake that has this code and these texts.
    fn refuses(&self, code: &str, texts: &[&str]) {
        assert_eq!(self.code, Some(2), "{}{}", self.stdout, self.stderr);
        assert!(self.stderr.contains(&format!("error[{code}]")), "{}", self.stderr);
        for text in texts {
            assert!(self.stderr.contains(text), "`{text}` is not in\n{}", self.stderr);
        }
    }
}

fn run_in(directory: &Path, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let out = Command::new(kb_tests::program().expect("the program is built"))
        .arg("inspect")
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        .envs(variables.iter().copied())
        .env("LANG", "C")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "120")
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let (code, stdout, stderr) = (out.status.code(), text(out.stdout), text(out.stderr));
    assert!(!stderr.contains("panicked"), "{stderr}");
    Output { code, stdout, stderr }
}

fn kb(server: &Server, arguments: &[&str]) -> Output {
    let index = server.index();
    run_in(&directory(), &[("PIP_INDEX_URL", &index)], arguments)
}

/// An index with releases as they are: several Pythons, platforms, a yanked and an early one, source only.
fn site() -> Site {
    let (torch, bits) = (bytes(TORCH), bytes(BITSANDBYTES));
    let mut site = Site::default();
    for python in ["cp310", "cp312", "cp39"] {
        for platform in ["manylinux_2_28_x86_64", "win_amd64"] {
            site = site.file("torch", &format!("torch-2.5.1-{python}-{python}-{platform}.whl"), &torch);
        }
    }
    site.file("torch", "torch-2.5.1.tar.gz", b"source")
        .file("torch", "torch-2.4.0-cp312-cp312-win_amd64.whl", &torch)
        .file("torch", "torch-2.6.0-cp312-cp312-win_amd64.whl", &torch)
        .listed("torch", "yanked", json!("broken"))
        .file("torch", "torch-2.7.0rc1-cp312-cp312-win_amd64.whl", &torch)
        .file("bitsandbytes", BITSANDBYTES, &bits)
        .file("only-source", "only_source-1.0.tar.gz", b"source")
        .file("labels", "labels-1.0+cu118-py3-none-any.whl", &torch)
        .file("labels", "labels-1.0+cu124-py3-none-any.whl", &torch)
}

#[test]
fn it_says_what_the_local_file_says() {
    let server = site().serve();
    let out = kb(&server, &["torch==2.5.1", "--platform", "win_amd64", "--json", "--gpu", "rtx3090"]);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
    assert!(out.stderr.is_empty(), "{}", out.stderr);
    let remote = out.json();
    let local = fixture(TORCH).display().to_string();
    let local = run_in(&directory(), &[], &[&local, "--json", "--gpu", "rtx3090"]).json();
    for key in
        ["stated", "made_with", "device_code", "libraries", "bundles", "needs", "glibc", "requires", "gpus"]
    {
        assert_eq!(remote[key], local[key], "{key}");
    }
    assert_eq!(remote["file"], "torch-2.5.1-cp312-cp312-win_amd64.whl");
    assert_eq!(remote["python"], json!(["cp39", "cp310", "cp312"]));
    assert_eq!(remote["platform"], json!(["win_amd64"]));
    assert_eq!(remote["sha256"].as_str().map(str::len), Some(64));
    assert_eq!(remote["bytes"], bytes(TORCH).len());
    let asked = server.asked();
    assert_eq!(remote["fetched"], json!({ "bytes": server.sent(), "requests": asked.len() }));
    assert_eq!(asked[0], "/simple/torch/");
}

#[test]
fn the_wheel_is_that_of_platform_and_python() {
    let server = site().serve();
    for (arguments, file) in [
        (
            &["torch==2.5.1", "--platform", "linux-x86_64"][..],
            "torch-2.5.1-cp312-cp312-manylinux_2_28_x86_64.whl",
        ),
        (
            &["torch 2.5.1", "--platform", "windows-x86_64", "--python", "3.10"],
            "torch-2.5.1-cp310-cp310-win_amd64.whl",
        ),
        (&["torch", "2.5.1", "--platform", "win-64", "-p", "3.10"], "torch-2.5.1-cp310-cp310-win_amd64.whl"),
        // The newest final release that was not withdrawn.
        (&["torch", "--platform", "win_amd64"], "torch-2.5.1-cp312-cp312-win_amd64.whl"),
        (&["BitsAndBytes", "--platform", "linux"], BITSANDBYTES),
        (&["bitsandbytes", "--platform", "linux"], BITSANDBYTES),
        (&["labels==1.0+cu118"], "labels-1.0+cu118-py3-none-any.whl"),
    ] {
        let out = kb(&server, &[arguments, &["--json", "--no-code"]].concat());
        assert_eq!(out.json()["file"], file, "{arguments:?} {}", out.stdout);
    }
}

#[test]
fn the_gpu_decides_the_exit_code() {
    let server = site().serve();
    let of = |gpu: &str| kb(&server, &["bitsandbytes==0.45.0", "--platform", "linux", "--gpu", gpu]).code;
    assert_eq!((of("rtx3090"), of("v100")), (Some(3), Some(1)));
}

#[test]
fn an_address_is_enough() {
    let server = site().serve();
    let name = "torch-2.5.1-cp312-cp312-win_amd64.whl";
    let url = format!("{}?x=1#sha256=abc&egg=torch", server.file(name));
    let out = kb(&server, &[&url, "--json"]).json();
    assert_eq!((&out["file"], &out["sha256"]), (&json!(name), &json!("abc")));
    assert_eq!(out["made_with"]["cuda"], "12.4");
    assert!(!server.asked().iter().any(|path| path.starts_with("/simple/")), "the index is not asked");
    kb(&server, &[&server.file("torch-2.5.1.tar.gz")])
        .refuses("bad-file", &["is not the address of a wheel"]);
    kb(&server, &[&server.file("no-1-py3-none-any.whl")]).refuses("unreachable", &["does not exist"]);
}

#[test]
fn what_there_is_not_is_said_with_what_there_is() {
    let server = site().serve();
    let refused =
        |arguments: &[&str], code: &str, texts: &[&str]| kb(&server, arguments).refuses(code, texts);
    refused(&["torch==2.5.0", "--platform", "win_amd64"], "unknown-release", &["2.4.0, 2.5.1"]);
    refused(&["torch==banana"], "bad-version", &["`banana` is not a version"]);
    refused(
        &["torch==2.4.0", "--platform", "linux"],
        "no-wheel",
        &["no wheel for linux", "there are wheels for win_amd64", "torch==2.5.1"],
    );
    refused(&["torch==2.4.0", "--platform", "macos"], "no-wheel", &["no release of torch has one for macos"]);
    let old = ["torch==2.5.1", "--platform", "win_amd64", "--python", "3.8"];
    refused(&old, "no-wheel", &["Python 3.8 on win_amd64", "cp39, cp310, cp312"]);
    refused(&["only-source"], "no-wheel", &["only source: only_source-1.0.tar.gz"]);
    refused(&["labels==1.0"], "ambiguous-wheel", &["labels-1.0+cu118-py3-none-any.whl", "labels-1.0+cu124"]);
    refused(
        &["pytroch"],
        "unknown-package",
        &["has no project pytroch", "no file or directory", "near names: torch"],
    );
    refused(&["torch>=2.5"], "bad-requirement", &["NAME==VERSION"]);
    refused(&["torch", "--platform", "beos"], "unknown-platform", &["win_amd64", "linux-x86_64"]);
    refused(&["torch", "--python", "x"], "bad-version", &["cp312"]);
    refused(&["torch", "--index-url", "ftp://x"], "bad-index", &["--index-url: `ftp://x`"]);
}

#[test]
fn what_was_withdrawn_is_shown_as_such() {
    let server = site().serve();
    let arguments = ["torch==2.6.0", "--platform", "win_amd64", "--no-code"];
    assert!(kb(&server, &arguments).stdout.contains("(yanked)"));
    assert_eq!(kb(&server, &[&arguments[..], &["--json"]].concat()).json()["yanked"], true);
}

#[test]
fn an_index_in_html() {
    let server = Site { links: true, ..site() }.serve();
    let out = kb(&server, &["torch==2.5.1", "--platform", "win_amd64", "--json"]).json();
    let json = kb(&site().serve(), &["torch==2.5.1", "--platform", "win_amd64", "--json"]).json();
    for key in ["file", "sha256", "bytes", "python", "device_code", "yanked"] {
        assert_eq!(out[key], json[key], "{key}");
    }
    let arguments = ["torch==2.6.0", "--platform", "win_amd64", "--no-code"];
    assert!(kb(&server, &arguments).stdout.contains("(yanked)"));
    kb(&server, &["nothing==1"]).refuses("unknown-package", &["nothing"]);
}

#[test]
fn servers_that_cannot_or_will_not() {
    let torch = ["torch==2.5.1", "--platform", "win_amd64"];
    let whole = Site { no_ranges: true, ..site() }.serve();
    kb(&whole, &torch).refuses("no-ranges", &[&whole.host(), "download the wheel"]);
    assert!(whole.asked().len() < 5, "it is not tried again and again");
    let html = Site { html: true, ..site() }.serve();
    kb(&html, &torch).refuses("bad-index", &["in HTML", "lists no file", "--index-url"]);
    let secret = Site { status: Some(401), ..site() }.serve();
    kb(&secret, &torch).refuses("unreachable", &["status 401", "NAME:PASSWORD@HOST"]);
    let gone = site().missing("torch-2.5.1-cp312-cp312-win_amd64.whl").serve();
    kb(&gone, &torch).refuses("unreachable", &["does not exist"]);
    let chinese = kb(&html, &["torch", "--lang", "zh-Hans"]);
    chinese.refuses("bad-index", &["没有列出文件的 HTML 页面", "请用 --index-url"]);
    let document = kb(&html, &["torch", "--json"]).json();
    assert_eq!(document["error"][0]["code"], "bad-index");
}

#[test]
fn sizes_that_are_not_true() {
    let size = bytes(TORCH).len();
    for (stated, texts) in
        [(size + 70_000, "bytes where"), (size - 1, "bytes where"), (size + 1, "bytes where")]
    {
        let name = "x-1-py3-none-any.whl";
        let server =
            Site::default().file("x", name, &bytes(TORCH)).listed("x", "size", json!(stated)).serve();
        kb(&server, &["x"]).refuses("bad-index", &[texts, &stated.to_string(), &size.to_string()]);
    }
    // An index that says no size: the server is asked.
    let name = "x-1-py3-none-any.whl";
    let server = Site::default().file("x", name, &bytes(TORCH)).listed("x", "size", Value::Null).serve();
    assert_eq!(kb(&server, &["x", "--json"]).json()["bytes"], size);
}

#[test]
fn nobody_answers() {
    let address = {
        let server = Site::default().serve();
        server.index()
    };
    let begun = Instant::now();
    let out = run_in(&directory(), &[], &["torch", "--index-url", &address]);
    out.refuses("unreachable", &["cannot be reached", "HTTPS_PROXY", "--index-url", &address]);
    assert!(begun.elapsed() < Duration::from_secs(5), "it is said at once");
    let name = ["torch", "--index-url", "http://no-such-host.invalid/simple/"];
    run_in(&directory(), &[], &name).refuses("unreachable", &["no-such-host.invalid"]);
    let proxy = [("HTTP_PROXY", address.trim_end_matches("/simple/"))];
    run_in(&directory(), &proxy, &name).refuses("unreachable", &["proxy 127.0.0.1:", "check HTTPS_PROXY"]);
}

#[test]
fn a_connection_that_breaks_is_taken_up_again() {
    let server = Site { dropped: 1, ..site() }.serve();
    let out = kb(&server, &["bitsandbytes", "--platform", "linux", "--json"]);
    assert_eq!(out.code, Some(0), "{}", out.stderr);
}

#[test]
fn passwords_are_not_shown() {
    let server = site().serve();
    let index = format!("http://somebody:secret@{}/simple/", server.host());
    for arguments in [&["torch", "--platform", "win_amd64"][..], &["no-such"], &["torch==9"]] {
        for json in [&[][..], &["--json"]] {
            let out = run_in(&directory(), &[("UV_INDEX_URL", &index)], &[arguments, json].concat());
            assert!(
                !out.stdout.contains("secret") && !out.stderr.contains("secret"),
                "{}{}",
                out.stdout,
                out.stderr
            );
        }
    }
}

#[test]
fn what_is_here_wins_and_nothing_is_asked_or_written() {
    let server = site().serve();
    let directory = directory().join("here");
    std::fs::create_dir_all(directory.join("torch")).expect("made");
    std::fs::copy(fixture("kernels.so"), directory.join("torch/libkernels.so")).expect("copied");
    std::fs::create_dir_all(directory.join("tmp")).expect("made");
    let (index, tmp) = (server.index(), directory.join("tmp").display().to_string());
    let variables = [("PIP_INDEX_URL", &*index), ("TMPDIR", &*tmp), ("HOME", &*tmp)];
    let run = |arguments: &[&str]| run_in(&directory, &variables, arguments);
    assert_eq!(run(&["torch", "--json"]).json()["kind"], "directory");
    run(&["torch-1-py3-none-any.whl"]).refuses("unreadable", &[]);
    run(&["no/such"]).refuses("unreadable", &[]);
    assert!(server.asked().is_empty(), "{:?}", server.asked());
    assert_eq!(run(&["torch==2.5.1", "--platform", "win_amd64", "--json"]).json()["kind"], "wheel");
    let count = |path: &Path| std::fs::read_dir(path).expect("listed").count();
    assert_eq!((count(&directory), count(&directory.join("tmp"))), (2, 0));
    std::fs::remove_dir_all(&directory).expect("removed");
}

/// A wheel like torch's: a list of members with more than a million bytes, a RECORD as large, a large library.
#[test]
fn without_device_code_less_than_a_megabyte_is_fetched() {
    let noise = |length: usize| {
        let mut seed = 1u32;
        let mut byte = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        (0..length).map(|_| byte()).collect::<Vec<u8>>()
    };
    let mut items = vec![
        zip::deflated("torch/version.py", b"__version__ = '2.9.1'\ncuda: Optional[str] = '12.8'\n"),
        zip::stored("torch/lib/libtorch_cuda.so", &noise(3_000_000)),
    ];
    let long = "a_long_name/".repeat(8);
    items.extend((0..9_000).map(|n| zip::stored(&format!("torch/include/{long}{n}.h"), b"x")));
    items.push(zip::deflated("torch-2.9.1.dist-info/METADATA", b"Name: torch\nVersion: 2.9.1\n"));
    items.push(zip::stored("torch-2.9.1.dist-info/RECORD", &noise(600_000)));
    let wheel = zip::zip(&items);
    let name = "torch-2.9.1-cp312-cp312-win_amd64.whl";
    let server = Site { plain: true, ..Site::default() }.file("torch", name, &wheel).serve();
    let out = kb(&server, &["torch==2.9.1", "--platform", "win_amd64", "--no-code", "--json"]).json();
    assert_eq!(out["made_with"]["cuda"], "12.8");
    assert_eq!(out["version"], "2.9.1");
    for key in ["device_code", "libraries", "bundles", "needs"] {
        assert!(out[key].is_null(), "{key} is not known: {}", out[key]);
    }
    assert!(server.sent() < 200_000, "{} bytes", server.sent());
    assert_eq!(out["fetched"]["bytes"], server.sent());
    let text = kb(&server, &["torch==2.9.1", "--platform", "win_amd64", "--no-code"]).stdout;
    assert!(text.contains("not looked for") && text.trim_end().ends_with("requests"), "{text}");
}

/// The same from a file on this machine.
#[test]
fn without_device_code_here() {
    let file = fixture(TORCH).display().to_string();
    let out = run_in(&directory(), &[], &[&file, "--no-code", "--json"]).json();
    assert_eq!(out["made_with"]["cuda"], "12.4");
    assert_eq!(out["bundles"][0]["file"], json!("torch/lib/libcudart.so.12"));
    assert!(out["device_code"].is_null() && out["fetched"].is_null());
    let file = fixture("kernels.so").display().to_string();
    let out = run_in(&directory(), &[], &[&file, "--no-code", "--json"]).json();
    assert!(out["device_code"].is_null() && out["needs"].is_array(), "{out}");
    let both = run_in(&directory(), &[], &[&file, "--no-code", "--gpu", "h100"]);
    assert_eq!(both.code, Some(2));
}

/// A directory of these tests alone: what lies in the common one wins over names in an index.
fn directory() -> std::path::PathBuf {
    let directory = std::env::temp_dir().join(format!("kb-inspect-remote-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("can be made");
    directory
}
