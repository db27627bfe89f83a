//! A copy of a prefix that takes little room and time: what nobody changes in place is linked.

use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Copies `from`, a prefix in which nothing runs, to `to`, which is not there.
pub(super) fn prefix(from: &Path, to: &Path) -> Result<(), String> {
    let copied = tree(from, to, false);
    copied.map_err(|e| format!("{} cannot be copied to {}: {e}", from.display(), to.display()))
}

/// Programs and DLLs are replaced, never written into: they are linked. The registry is written into where it is linked,
/// and homes belong to whoever uses the prefix: they are copied.
fn tree(from: &Path, to: &Path, link: bool) -> io::Result<()> {
    std::fs::create_dir(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            symlink(std::fs::read_link(&path)?, &target)?;
        } else if kind.is_dir() {
            let programs = ["windows", "Program Files", "Program Files (x86)"];
            tree(&path, &target, link || programs.iter().any(|n| entry.file_name() == *n))?;
        } else if !kind.is_file() {
            // A socket: of a server that ran.
        } else if link {
            std::fs::hard_link(&path, &target)?;
        } else {
            std::fs::copy(&path, &target)?;
        }
    }
    Ok(())
}
