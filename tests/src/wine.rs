//! The program for Windows under Wine: a prefix of a test's own, what is planted in it, and what was changed in it.
//!
//! `scripts/windows-build.sh` builds the program, `scripts/wine.sh` runs it. A test asks for [`program`] first:
//!
//! ```no_run
//! use kb_tests::wine::{Data, Hive, Prefix, program};
//! let Some(kb) = program()? else { return Ok(()) };
//! let prefix = Prefix::new("two-cudnn")?;
//! prefix.system32("cudnn64_8.dll", b"MZ")?;
//! prefix.set(Hive::Machine, r"Software\NVIDIA Corporation\NVSMI", "Version", Data::Text("8.0"))?;
//! prefix.set_path(Hive::User, &[r"C:\CUDA\v12.4\bin"])?;
//! let before = prefix.snapshot()?;
//! let out = prefix.run(prefix.command(&kb).args(["solve", "torch"]).env("CUDA_PATH", r"C:\CUDA\v12.4"))?;
//! assert_eq!(out.exit, Some(0));
//! assert_eq!(before.changes(&prefix.snapshot()?), [""; 0]);
//! # Ok::<(), String>(())
//! ```

mod copy;
mod registry;
mod snapshot;

pub use registry::{Data, Hive};
pub use snapshot::Snapshot;

use crate::cases::Output;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program for Windows that `KB_WINE_EXE` names. Without it `None`, and that nothing is checked is said on standard
/// error even where the output of tests is captured.
///
/// # Errors
/// If there is none and `KB_WINE` is `required`; if there is no such file.
pub fn program() -> Result<Option<PathBuf>, String> {
    let named = std::env::var_os("KB_WINE_EXE").filter(|v| !v.is_empty()).map(PathBuf::from);
    match named {
        Some(path) if path.is_file() => Ok(Some(path)),
        Some(path) => Err(format!("KB_WINE_EXE: there is no {}", path.display())),
        None if std::env::var_os("KB_WINE").is_some_and(|v| v == "required") => {
            Err("KB_WINE is required, but KB_WINE_EXE is not set: scripts/windows-build.sh prints it"
                .to_owned())
        }
        None => {
            let text =
                "\nWindows: NOT CHECKED, KB_WINE_EXE is not set (scripts/windows-build.sh prints it)\n";
            // Not by a macro of print's: those are captured.
            drop(std::io::stderr().write_all(text.as_bytes()));
            Ok(None)
        }
    }
}

/// A prefix of a test's own, taken away at its end.
#[derive(Debug)]
pub struct Prefix {
    dir: PathBuf,
}

impl Prefix {
    /// A new prefix, as `scripts/wine.sh` makes it: its files are links to those of the template.
    ///
    /// # Errors
    /// If Wine is missing, or there is no room.
    pub fn new(name: &str) -> Result<Prefix, String> {
        let made = Command::new(script()).stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if !made.status.success() {
            return Err(format!("scripts/wine.sh: {}", said(&made.stderr)));
        }
        let template = PathBuf::from(said(&made.stdout));
        let mut dir = template.clone().into_os_string();
        dir.push(format!("-{name}-{}", std::process::id()));
        // Before the copy: what is half made is taken away as well.
        let prefix = Prefix { dir: dir.into() };
        copy::prefix(&template, &prefix.dir)?;
        prefix.start()?;
        Ok(prefix)
    }

    /// Where a path of Windows is: `C:\Windows\System32` is written as the prefix has it, `C:\windows\system32`. Another
    /// drive than `C:` is Unix's root.
    pub fn path(&self, windows: &str) -> PathBuf {
        let unix = windows.replace('\\', "/");
        match unix.strip_prefix("C:/") {
            Some(inside) => self.dir.join("drive_c").join(inside),
            None => PathBuf::from(unix.strip_prefix("Z:").unwrap_or(&unix)),
        }
    }

    /// Writes a file, and the directories it stands in.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn file(&self, windows: &str, bytes: &[u8]) -> Result<PathBuf, String> {
        let path = self.path(windows);
        let failed = |e: std::io::Error| format!("{}: {e}", path.display());
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(failed)?;
        }
        // What is there may be a link to the template's file, which must stay as it is.
        drop(std::fs::remove_file(&path));
        std::fs::write(&path, bytes).map_err(failed)?;
        Ok(path)
    }

    /// Writes a file into System32, where programs find every DLL.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn system32(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, String> {
        self.file(&format!(r"C:\windows\system32\{name}"), bytes)
    }

    /// Sets a value in the registry; an empty name is the key's own value. Programs that run lose their Wine.
    ///
    /// # Errors
    /// If the file of the hive cannot be written.
    pub fn set(&self, hive: Hive, key: &str, name: &str, data: Data<'_>) -> Result<(), String> {
        self.stop()?;
        registry::append(&self.dir, hive, key, name, data)?;
        self.start()
    }

    /// Sets an environment variable in the registry, of the machine or of the user.
    ///
    /// # Errors
    /// As [`Prefix::set`].
    pub fn set_variable(&self, hive: Hive, name: &str, data: Data<'_>) -> Result<(), String> {
        self.set(hive, hive.environment(), name, data)
    }

    /// Sets PATH in the registry: the machine's directories are set before those of the system, without which little
    /// works; the user's stand behind all of them.
    ///
    /// # Errors
    /// As [`Prefix::set`].
    pub fn set_path(&self, hive: Hive, directories: &[&str]) -> Result<(), String> {
        let mut all = directories.to_vec();
        if hive == Hive::Machine {
            all.extend([r"%SystemRoot%\system32", "%SystemRoot%", r"%SystemRoot%\system32\wbem"]);
        }
        self.set_variable(hive, "PATH", Data::Expand(&all.join(";")))
    }

    /// The command that runs a program, whose environment is what Windows and the test give it; of Unix it inherits
    /// nothing but how to find Wine. Its current directory is `C:\`.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(script());
        command.arg(program).env_clear().env("KB_WINE_PREFIX", &self.dir).current_dir(self.path(r"C:\"));
        for name in ["PATH", "HOME", "USER"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
    }

    /// Runs a command without input and takes what it writes.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&self, command: &mut Command) -> Result<Output, String> {
        self.run_with(command, b"")
    }

    /// The same with standard input.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run_with(&self, command: &mut Command, input: &[u8]) -> Result<Output, String> {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().map_err(|e| e.to_string())?;
        let mut stdin = child.stdin.take();
        std::thread::scope(|scope| {
            // A program that does not read its input closes it: no error.
            scope.spawn(move || stdin.take().map(|mut to| to.write_all(input)));
            let out = child.wait_with_output().map_err(|e| e.to_string())?;
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Ok(Output { stdout: text(&out.stdout), stderr: text(&out.stderr), exit: out.status.code() })
        })
    }

    /// Everything in the prefix as it is now. Wine is stopped for it, so that the registry is written.
    ///
    /// # Errors
    /// If something cannot be read.
    pub fn snapshot(&self) -> Result<Snapshot, String> {
        self.stop()?;
        let taken = Snapshot::of(&self.dir);
        self.start()?;
        taken
    }

    /// Starts Wine's services and keeps them, with no streams: started by a program under test they would keep its
    /// pipes open after it has ended.
    fn start(&self) -> Result<(), String> {
        self.server("-p")?;
        let mut nothing = self.command(Path::new("cmd"));
        nothing.args(["/c", "exit"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        match nothing.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("Wine does not start: {status}")),
            Err(error) => Err(format!("Wine does not start: {error}")),
        }
    }

    /// Ends all programs of the prefix; the registry is written.
    fn stop(&self) -> Result<(), String> {
        // There may be none to end, which is an error to it and none here.
        drop(self.server("-k"));
        self.server("-w")
    }

    fn server(&self, option: &str) -> Result<(), String> {
        let done = Command::new("wineserver")
            .arg(option)
            .env("WINEPREFIX", &self.dir)
            .env("WINEDEBUG", "-all")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        match done {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("wineserver {option}: {status}")),
            Err(error) => Err(format!("wineserver {option}: {error}")),
        }
    }
}

impl Drop for Prefix {
    fn drop(&mut self) {
        drop(self.stop());
        drop(std::fs::remove_dir_all(&self.dir));
    }
}

fn script() -> PathBuf {
    crate::root().join("../scripts/wine.sh")
}
