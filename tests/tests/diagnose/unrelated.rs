//! Text that is about something else has no cause in it.

use kb_tests::logs::Doctor;
use proptest::prelude::*;

/// Lines of compilers, web servers, package managers, kernels, databases, training runs that go well.
pub(crate) const NOISE: [&str; 48] = [
    "[ 42%] Building CXX object src/CMakeFiles/core.dir/parser.cpp.o",
    "src/parser.cpp:118:14: error: 'foo' was not declared in this scope",
    "src/parser.cpp:120:9: warning: unused variable 'n' [-Wunused-variable]",
    "collect2: error: ld returned 1 exit status",
    "/usr/bin/ld: cannot find -lfoo: No such file or directory",
    "main.cpp:(.text+0x1a): undefined reference to `bar()'",
    "./app: error while loading shared libraries: libfoo.so.3: cannot open shared object file: No such file or directory",
    "error[E0308]: mismatched types",
    "   Compiling serde v1.0.219",
    "npm ERR! code ELIFECYCLE",
    "npm WARN deprecated inflight@1.0.6: This module is not supported",
    "yarn install v1.22.19",
    "10.0.0.12 - - [30/Nov/2026:10:00:00 +0000] \"GET /index.html HTTP/1.1\" 200 5124 \"-\" \"Mozilla/5.0\"",
    "2026/11/30 10:00:01 [error] 31#31: *2 open() \"/var/www/favicon.ico\" failed (2: No such file or directory)",
    "Nov 30 10:00:02 host sshd[1234]: Accepted publickey for user from 10.0.0.7 port 50022 ssh2",
    "Nov 30 10:00:03 host systemd[1]: Started Daily apt download activities.",
    "[    2.104] usb 1-1: new high-speed USB device number 2 using xhci_hcd",
    "[   12.511] EXT4-fs (sda1): mounted filesystem with ordered data mode",
    "Out of memory: Killed process 4242 (java) total-vm:8123456kB, anon-rss:4123456kB",
    "java.lang.OutOfMemoryError: Java heap space",
    "Segmentation fault (core dumped)",
    "bash: foo: command not found",
    "Setting up libssl3:amd64 (3.0.11-1~deb12u2) ...",
    "E: Unable to locate package foo",
    "ERROR: Could not find a version that satisfies the requirement foo==9.9 (from versions: 1.0, 1.1)",
    "ERROR: No matching distribution found for foo==9.9",
    "Requirement already satisfied: requests in ./venv/lib/python3.11/site-packages (2.32.3)",
    "ModuleNotFoundError: No module named 'foo'",
    "ImportError: cannot import name 'bar' from 'foo' (/srv/app/foo.py)",
    "ValueError: operands could not be broadcast together with shapes (3,) (4,)",
    "KeyError: 'user_id'",
    "psycopg2.OperationalError: could not connect to server: Connection refused",
    "Traceback (most recent call last):",
    "  File \"/srv/app/main.py\", line 12, in <module>",
    "docker: Error response from daemon: Conflict. The container name \"/db\" is already in use",
    "Error response from daemon: pull access denied for foo/bar",
    "kubectl: pods \"web-7d4\" is forbidden: User \"dev\" cannot get resource \"pods\"",
    "OSError: [Errno 28] No space left on device: '/var/log/app.log'",
    "OSError: [WinError 126] The specified module could not be found: 'C:\\\\app\\\\foo.dll'",
    "'foo' is not recognized as an internal or external command,",
    "'foo' 不是内部或外部命令，也不是可运行的程序",
    "PermissionError: [Errno 13] Permission denied: '/etc/shadow'",
    "ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed",
    "fatal: not a git repository (or any of the parent directories): .git",
    "INFO trainer: epoch 3 step 1200 loss 0.4312 lr 3.0e-04",
    "redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.",
    "GC(12) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.012ms",
    "Illegal instruction (core dumped)",
];

#[test]
fn other_software_has_no_cause() {
    let doctor = Doctor::default();
    // Alone they are what somebody asks about, and host resources are an answer.
    let meant = ["Errno 28", "WinError 126", "Errno 13", "Illegal instruction"];
    for line in NOISE.iter().filter(|l| !meant.iter().any(|m| l.contains(m))) {
        let found = doctor.diagnose(line.as_bytes());
        let named: Vec<&str> = found.causes.iter().map(|c| &*c.cause).collect();
        assert!(named.is_empty(), "{line}: {named:?}");
    }
    // All of it together, so often that it is a log of many megabytes.
    let text = (NOISE.join("\n") + "\n").repeat(600);
    let found = doctor.diagnose(text.as_bytes());
    let named: Vec<&str> = found.causes.iter().map(|c| &*c.cause).collect();
    assert!(named.is_empty(), "{named:?}");
    assert_eq!(found.verdict, "nothing-known");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(bytes in proptest::collection::vec(any::<u8>(), 0..4000), text in "\\PC{0,400}") {
        thread_local!(static DOCTOR: Doctor = Doctor::default());
        DOCTOR.with(|doctor| {
            prop_assert!(doctor.diagnose(&bytes).causes.is_empty());
            prop_assert!(doctor.diagnose(text.as_bytes()).causes.is_empty());
            Ok(())
        })?;
    }
}
