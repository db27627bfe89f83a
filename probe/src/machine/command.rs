//! Programs run for what they print, for a bounded time.

use super::{Ran, Refusal};
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;
use wait_timeout::ChildExt;

/// A program that does not answer within this is not waited for: a GPU that hangs makes nvidia-smi hang.
const LONGEST: Duration = Duration::from_secs(10);

/// Bytes of output at most.
const LARGEST: u64 = 4 << 20;

pub(super) fn run(program: &str, arguments: &[&str]) -> Result<Ran, Refusal> {
    let mut child = Command::new(program)
        .args(arguments)
        // Numbers and messages as they are documented.
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdout = child.stdout.take().map(collect);
    let stderr = child.stderr.take().map(collect);
    let Some(status) = child.wait_timeout(LONGEST)? else {
        // A process that waits inside the kernel cannot be ended; then its threads are left behind with it.
        let _ = child.kill();
        return Err(Refusal::TimedOut);
    };
    let text = |reader: Option<std::thread::JoinHandle<Vec<u8>>>| {
        let bytes = reader.and_then(|r| r.join().ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(Ran { code: status.code(), stdout: text(stdout), stderr: text(stderr) })
}

fn collect(from: impl Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut out = Vec::new();
        let mut from = from.take(LARGEST);
        // What came before an error is what there is.
        let _ = from.read_to_end(&mut out);
        // A program whose output nobody reads any more would wait for ever.
        let _ = std::io::copy(&mut from.into_inner(), &mut std::io::sink());
        out
    })
}
