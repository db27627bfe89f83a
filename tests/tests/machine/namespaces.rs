//! Other machines, made of this one: in a mount namespace of its own a process sees files that nobody else does.

use crate::desk::{Desk, by, document, not_checked, output, values};
use serde_json::Value;
use std::process::Command;

/// Runs kb in a root directory of its own, in which everything of this one is mounted, after these lines of shell; `$new`
/// is the new root, `$home` the user's directory. `None`, and a line on standard error, where that is not permitted.
fn inside(desk: &Desk, lines: &str, arguments: &[&str]) -> Option<Value> {
    let script = r#"
set -e
home=$1 new=$2 kb=$3; shift 3
mount -t tmpfs none "$new"
for path in /*; do
  # Marks of a container that the tests run in are not taken along.
  case $path in /.singularity.d) continue ;; esac
  if [ -L "$path" ]; then cp -P "$path" "$new$path"
  elif [ -d "$path" ]; then mkdir "$new$path"; mount --rbind "$path" "$new$path"; fi
done
LINES
exec "$(PATH=$PATH:/usr/sbin:/sbin; command -v chroot)" "$new" "$kb" "$@"
"#;
    let new = desk.path("new-root");
    std::fs::create_dir_all(&new).expect("there is room");
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--map-root-user", "sh", "-c", script, "sh"]);
        command.arg(desk.path("")).arg(&new).arg(kb_tests::program().expect("the program is built"));
        desk.surround(&mut command);
        command
    };
    let tried = unshare("mount -t tmpfs none \"$2\"").output();
    if !tried.as_ref().is_ok_and(|t| t.status.success()) {
        let why = tried.map_or_else(|e| e.to_string(), |t| String::from_utf8_lossy(&t.stderr).into_owned());
        not_checked(&format!("namespaces: {}", why.trim()));
        return None;
    }
    let out = output(unshare(&script.replace("LINES", lines)).args(arguments).arg("--json"));
    assert_eq!(out.exit, Some(0), "{out:?}");
    Some(document(&out))
}

const KERNEL: &str = "mount --bind \"$home/osrelease\" \"$new/proc/sys/kernel/osrelease\"\n";

#[test]
fn a_container() {
    let desk = Desk::new("container");
    let Some(seen) = inside(&desk, "touch \"$new/.dockerenv\"", &["probe"]) else { return };
    assert!(values(&seen, "container").contains(&"docker".to_owned()), "{:?}", values(&seen, "container"));
    let seen = inside(&desk, "mkdir \"$new/.singularity.d\"", &["probe"]).expect("it is permitted");
    let found = values(&seen, "container");
    assert!(found.contains(&"apptainer".to_owned()) && !found.contains(&"docker".to_owned()), "{found:?}");
    let seen = inside(&desk, "", &["probe"]).expect("it is permitted");
    let found = values(&seen, "container");
    assert!(!found.iter().any(|f| ["docker", "apptainer"].contains(&f.as_str())), "{found:?}");
}

#[test]
fn windows_subsystem_for_linux() {
    let desk = Desk::new("wsl");
    for (release, generation) in [
        ("5.15.153.1-microsoft-standard-WSL2\n", Some("2")),
        ("4.4.0-19041-Microsoft\n", Some("1")),
        ("6.1.0-39-amd64\n", None),
    ] {
        desk.file("osrelease", release);
        let Some(seen) = inside(&desk, KERNEL, &["probe"]) else { return };
        assert_eq!(values(&seen, "kernel"), [release.trim()]);
        assert_eq!(values(&seen, "wsl"), generation.into_iter().collect::<Vec<_>>(), "{release}");
    }
}

/// In WSL the driver of Windows brings the library into a directory of its own.
#[test]
fn the_driver_of_windows() {
    let desk = Desk::new("wsl-driver");
    desk.file("osrelease", "5.15.153.1-microsoft-standard-WSL2\n");
    desk.gpus("driver = \"551.86\"\ncuda = 12040\n[[device]]\ndriver-model = [0, 0]\n");
    std::fs::copy(fake_nvml::library().expect("it is built"), desk.path("library")).expect("there is room");
    let lines = format!(
        r#"{KERNEL}
mount -t tmpfs none "$new/usr/lib"
# What is mounted over is still there in the old root.
for path in /usr/lib/*; do
  if [ -L "$path" ]; then cp -P "$path" "$new$path"
  elif [ -d "$path" ]; then mkdir "$new$path"; mount --rbind "$path" "$new$path"
  else touch "$new$path"; mount --bind "$path" "$new$path"; fi
done
mkdir -p "$new/usr/lib/wsl/lib"
cp "$home/library" "$new/usr/lib/wsl/lib/libnvidia-ml.so.1"
unset KB_NVML
"#
    );
    if std::path::Path::new("/proc/driver/nvidia").exists() {
        return not_checked("WSL's driver: this machine has one of its own");
    }
    let Some(seen) = inside(&desk, &lines, &["probe"]) else { return };
    assert_eq!(values(&seen, "wsl"), ["2"]);
    assert_eq!(values(&seen, "driver-model"), ["WDDM"]);
    let driver = by(&seen, "driver", Some("nvml"));
    assert_eq!(driver, ["551.86"]);
}

/// Another distribution, without the loader's cache.
#[test]
fn files_of_the_system() {
    let desk = Desk::new("files");
    desk.file("nv_tegra_release", "# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic\n");
    desk.file("os-release", "NAME=\"Nobody\"\nPRETTY_NAME=\"Nobody Linux 1\"\n");
    let lines = r#"
mkdir "$new/etc.of.test"
cp -a /etc/. "$new/etc.of.test/" 2> /dev/null || true
mount --bind "$new/etc.of.test" "$new/etc"
cp "$home/nv_tegra_release" "$new/etc/nv_tegra_release"
rm -f "$new/etc/os-release" "$new/etc/ld.so.cache"
cp "$home/os-release" "$new/etc/os-release"
"#;
    let Some(seen) = inside(&desk, lines, &["probe"]) else { return };
    assert_eq!(values(&seen, "l4t"), ["36.4.3"]);
    assert_eq!(values(&seen, "os"), ["Nobody Linux 1"]);
}
