//! `kb watch` with a management library that answers from a file.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory of one test, with the file that the library reads.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, world: &str) -> Self {
        let path = std::env::temp_dir().join(format!("kb-watch-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("there is room");
        std::fs::write(path.join("world.toml"), world).expect("there is room");
        Place(path)
    }

    fn command(&self, library: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(kb_tests::program().expect("the program is built"));
        command
            .arg("watch")
            .args(arguments)
            .env_clear()
            .env("KB_NVML", library)
            .env("FAKE_NVML", self.0.join("world.toml"))
            .env("LANG", "C")
            .env("COLUMNS", "110")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        parts(self.command(&library(), arguments).output().expect("it starts"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

fn library() -> PathBuf {
    fake_nvml::library().expect("it is built")
}

fn parts(out: Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let (stdout, stderr) = (text(&out.stdout), text(&out.stderr));
    assert!(!stderr.contains("panicked at"), "{stderr}");
    (out.status.code(), stdout, stderr)
}

/// Two GPUs, of which the first gets warm.
const WORLD: &str = r#"
[[device]]
uuid = "GPU-a"
used-mib = [1024, 2048, 23500]
temperature = [60, 90, 91]
power-mw = [100500, 349000]
power-limit-mw = 350000
utilisation = [97, 40]
clock-sm = 1695
clock-memory = 9501
reasons = [4]
[[device]]
name = "NVIDIA \"odd\", name"
uuid = "GPU-b"
pci = "00000000:02:00.0"
temperature = [40]
"#;

const QUICK: [&str; 4] = ["--every", "100ms", "--count", "3"];

#[test]
fn a_table_for_people() {
    let place = Place::new("table", WORLD);
    let (code, out, err) = place.run(&QUICK);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "GPU 0  NVIDIA GeForce RTX 3090  00000000:01:00.0");
    assert_eq!(lines[2], "driver 535.104.05, CUDA up to 12.2");
    assert!(lines[4].starts_with("time ") && lines[4].ends_with("clocks held by"), "{out}");
    assert_eq!(lines.len(), 5 + 6, "{out}");
    let words: Vec<&str> = lines[5].split_whitespace().collect();
    // A time in UTC, as RFC 3339.
    assert!(words[0].ends_with('Z') && words[0].as_bytes()[10] == b'T', "{out}");
    assert_eq!(words[1..], ["0", "60", "1024/24576", "101/350", "97", "1695", "9501", "sw-power-cap"]);
    let other: Vec<&str> = lines[6].split_whitespace().collect();
    assert_eq!(other[1..], ["1", "40", "0/24576", "-", "-", "-", "-", "-"]);
    // Columns stand below each other.
    assert_eq!(lines[5].find("24576"), lines[6].find("24576"));
    assert!(err.starts_with("3 readings from "), "{err}");
    assert!(err.contains("60 / 80.3 / 91") && err.contains("1024 / 8857.3 / 23500"), "{err}");
    assert_eq!(code, Some(0));
}

#[test]
fn limits_are_told_once_and_end_with_1() {
    let place = Place::new("limits", WORLD);
    let limits = ["--temperature-above", "85", "--memory-above", "95%", "--power-above", "95"];
    let (code, out, err) = place.run(&[&QUICK[..], &limits].concat());
    assert_eq!(code, Some(1));
    let told = |what: &str| err.lines().filter(|l| l.contains(what)).count();
    assert_eq!(told("GPU 0: 90 °C is above 85 °C"), 1, "{err}");
    assert_eq!(told("°C is above"), 1, "it stays above: {err}");
    assert_eq!(told("GPU 0: 95.6 % of the memory is in use, above 95 %"), 1, "{err}");
    assert_eq!(told("GPU 0: 99.7 % of the power limit is drawn, above 95 %"), 1, "{err}");
    assert!(!out.contains("above"), "standard output has readings only");
    let (code, _, err) = place.run(&["--count", "1", "--temperature-above", "85"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "a single reading needs no summary");
}

#[test]
fn csv_has_one_head() {
    let place = Place::new("csv", WORLD);
    let (code, out, _) = place.run(&[&QUICK[..], &["--format", "csv"]].concat());
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, lines.len()), (Some(0), 1 + 6));
    assert!(lines[0].starts_with("time,gpu,name,uuid,temperature_c,"));
    let first: Vec<&str> = lines[1].split(',').collect();
    let wanted =
        ["0", "NVIDIA GeForce RTX 3090", "GPU-a", "60", "1024", "24576", "100.500", "350.000", "97", "40"];
    assert_eq!(first[1..11], wanted);
    assert_eq!(first.len(), lines[0].split(',').count());
    assert!(lines[2].contains(r#","NVIDIA ""odd"", name",GPU-b,40,"#), "{}", lines[2]);
}

#[test]
fn json_is_a_document_on_each_line() {
    let place = Place::new("json", WORLD);
    for option in [&["--json"][..], &["--format", "jsonl"], &["--json", "--format", "jsonl"]] {
        let (code, out, _) = place.run(&[&QUICK[..], option, &["--temperature-above", "85"]].concat());
        assert_eq!((code, out.lines().count()), (Some(1), 3));
        let documents: Vec<serde_json::Value> =
            out.lines().map(|l| serde_json::from_str(l).expect("a document")).collect();
        let last = &documents[2];
        assert_eq!((&last["schema"], &last["command"]), (&1.into(), &"watch".into()));
        assert_eq!(last["devices"][0]["temperature_c"], 91);
        assert_eq!(last["devices"][1]["power_mw"], serde_json::Value::Null, "what is not known is null");
        assert_eq!(
            last["crossed"][0],
            serde_json::json!({"gpu": 0, "what": "temperature", "value": 91.0, "limit": 85.0})
        );
        assert_eq!(documents[0]["crossed"], serde_json::json!([]));
    }
}

#[test]
fn prometheus_reads_it() {
    let place = Place::new("prometheus", WORLD);
    let (code, out, err) = place.run(&["--count", "1", "--format", "prometheus"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let mut types = std::collections::BTreeSet::new();
    for line in out.lines() {
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            assert!(types.insert(rest.split(' ').next().expect("a name").to_owned()), "twice: {line}");
        } else if !line.starts_with("# HELP ") {
            let (series, value) = line.rsplit_once(' ').expect("a value");
            assert!(types.contains(series.split('{').next().expect("a name")), "{line}");
            assert!(value.parse::<f64>().is_ok(), "{line}");
        }
    }
    let first = r#"{gpu="0",uuid="GPU-a",name="NVIDIA GeForce RTX 3090""#;
    for wanted in [
        format!("kb_gpu_temperature_celsius{first}}} 60"),
        format!("kb_gpu_power_watts{first}}} 100.5"),
        format!("kb_gpu_memory_used_bytes{first}}} 1073741824"),
        format!("kb_gpu_clock_reason{first},reason=\"sw-power-cap\"}} 1"),
        r#"kb_gpu_up{gpu="1",uuid="GPU-b",name="NVIDIA \"odd\", name"} 1"#.to_owned(),
    ] {
        assert!(out.lines().any(|l| l == wanted), "{wanted}\n{out}");
    }
}

/// A GPU that falls off the bus has a row that says so, with its name; the others go on.
#[test]
fn a_gpu_is_lost() {
    let world = "[[device]]\nuuid = \"GPU-a\"\ntemperature = [50]\nlost-after = 2\n[[device]]\nuuid = \"GPU-b\"\ntemperature = [40]\n";
    let place = Place::new("lost", world);
    let arguments = ["--every", "100ms", "--count", "4"];
    let (code, out, err) = place.run(&arguments);
    assert_eq!(code, Some(1));
    let rows: Vec<&str> = out.lines().skip_while(|l| !l.starts_with("time")).skip(1).collect();
    assert_eq!(rows.len(), 8, "{out}");
    assert_eq!(rows.iter().filter(|r| r.ends_with("gpu-lost")).count(), 2, "{out}");
    let lost = "GPU 0 (NVIDIA GeForce RTX 3090) does not answer any more: gpu-lost";
    assert_eq!(err.matches(lost).count(), 1, "{err}");
    let (_, out, _) = place.run(&[&arguments[..], &["--format", "csv"]].concat());
    let last = out.lines().nth(7).expect("a row");
    assert!(last.contains(",0,NVIDIA GeForce RTX 3090,GPU-a,,") && last.ends_with("gpu-lost"), "{out}");
}

/// What cannot be read is told once, and is not what a GPU does not have.
#[test]
fn a_value_that_cannot_be_read() {
    let world = format!("{WORLD}[device.calls]\nnvmlDeviceGetTemperature = 4\n");
    let place = Place::new("unreadable", &world);
    let (code, out, err) = place.run(&QUICK);
    assert_eq!(code, Some(0));
    let row: Vec<&str> = out.lines().nth(6).expect("a row").split_whitespace().collect();
    assert_eq!(row[1..4], ["1", "?", "0/24576"]);
    let told = "GPU 1: temperature_c cannot be read: no-permission (nvmlDeviceGetTemperature)";
    assert_eq!(err.matches(told).count(), 1, "{err}");
}

#[test]
fn nothing_to_read_is_exit_3() {
    let failing = |name: &str, world: &str, library: &Path, wanted: &str, help: &str| {
        let place = Place::new(name, world);
        let (code, out, err) = parts(place.command(library, &["--count", "1"]).output().expect("it starts"));
        assert_eq!((code, out.as_str()), (Some(3), ""), "{err}");
        assert!(err.contains(wanted) && err.contains(help), "{err}");
        let (code, out, err) = parts(place.command(library, &["--json"]).output().expect("it starts"));
        assert_eq!((code, err.as_str()), (Some(3), ""), "{out}");
        serde_json::from_str::<serde_json::Value>(&out).expect("one document")
    };
    let gone = std::env::temp_dir().join("kb-watch-gone").join("libnvidia-ml.so.1");
    let document = failing("gone", "", &gone, "is not here (tried: ", "KB_NVML");
    assert_eq!(document["error"]["error"], "library-not-found");
    let fake = library();
    let driver = "[calls]\nnvmlInit_v2 = 9\n";
    let document =
        failing("driver", driver, &fake, "driver-not-loaded (nvmlInit_v2)", "kernel module is not loaded");
    assert_eq!(
        (&document["error"]["error"], &document["nvml"]),
        (&"driver-not-loaded".into(), &"12.535.104.05".into())
    );
    let mismatch = "[calls]\nnvmlInit_v2 = 18\n";
    failing(
        "mismatch",
        mismatch,
        &fake,
        "lib-rm-version-mismatch",
        "another version than the library (12.535.104.05)",
    );
    failing("permission", "[calls]\nnvmlInit_v2 = 4\n", &fake, "no-permission", "/dev/nvidia");
    failing("none", "", &fake, "lists no GPU (driver 535.104.05)", "");
}

/// A driver that hangs does not hang kb.
#[test]
fn a_driver_that_hangs() {
    let place = Place::new("hang", "[calls]\nnvmlInit_v2 = \"hang\"\n");
    let start = std::time::Instant::now();
    let (code, out, err) = place.run(&["--count", "1"]);
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert!(err.contains("did not answer within 5 s: nvmlInit_v2"), "{err}");
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn wrong_options_are_told_together() {
    let place = Place::new("options", WORLD);
    let wrong = ["--every", "0", "--count", "no", "--memory-above", "101%", "--json", "--format", "csv"];
    let (code, out, err) = place.run(&wrong);
    assert_eq!((code, err.as_str()), (Some(2), ""));
    let document: serde_json::Value = serde_json::from_str(&out).expect("one document");
    let codes: Vec<&str> =
        document["error"].as_array().expect("a list").iter().filter_map(|e| e["code"].as_str()).collect();
    assert_eq!(codes, ["usage", "usage", "usage", "contradiction"]);
}

/// `kb watch | head -n 3` ends when `head` does, without a word.
#[test]
fn a_closed_pipe_ends_it() {
    let place = Place::new("pipe", WORLD);
    let mut child = place
        .command(&library(), &["--every", "100ms", "--format", "csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    lines.read_line(&mut line).expect("it writes");
    drop(lines);
    let (code, _, err) = parts(child.wait_with_output().expect("it ends"));
    assert_eq!((code, err.as_str()), (Some(0), ""));
}

/// Ctrl-C ends it with the summary.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_with_the_summary() {
    let place = Place::new("interrupt", WORLD);
    let mut child = place
        .command(&library(), &["--every", "100ms", "--format", "csv", "--temperature-above", "85"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped"));
    // A head, and two readings of two GPUs.
    for _ in 0..5 {
        let mut line = String::new();
        lines.read_line(&mut line).expect("it writes");
    }
    let sent = Command::new("sh").arg("-c").arg(format!("kill -INT {}", child.id())).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let rest = std::thread::spawn(move || std::io::Read::read_to_string(&mut lines, &mut String::new()));
    let (code, _, err) = parts(child.wait_with_output().expect("it ends"));
    assert!(rest.join().is_ok());
    assert_eq!(code, Some(1), "a limit was crossed: {err}");
    assert!(err.contains("readings from ") && err.contains("least / mean / greatest"), "{err}");
}

/// It speaks the language that is asked for; numbers and names stay.
#[test]
fn in_chinese() {
    let place = Place::new("chinese", WORLD);
    let (_, out, err) =
        place.run(&[&QUICK[..], &["--lang", "zh-Hans", "--temperature-above", "85"]].concat());
    assert!(out.contains("显存 MiB") && err.contains("GPU 0：90 °C，高于 85 °C"), "{out}{err}");
}
