//! Listings of files: `ls`, `dir`, `find`, `where`, `which`, `locate`, and paths alone on their lines.

use super::found::Found;
use super::library;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader { tool: "files", words: &[".so", ".dll"], read };

/// Libraries of the GPU stack that a listing shows.
fn read(page: &Page<'_>, found: &mut Found) {
    let mut listing = false;
    let mut commands = page.commands.iter().peekable();
    for (at, line, text) in page.all() {
        if let Some(command) = commands.next_if(|c| c.at == at) {
            listing = matches!(
                command.program(),
                "ls" | "ll"
                    | "dir"
                    | "find"
                    | "where"
                    | "which"
                    | "locate"
                    | "whereis"
                    | "readlink"
                    | "realpath"
                    | "stat"
                    | "Get-ChildItem"
                    | "gci"
                    | "tree"
            );
            continue;
        }
        let trimmed = text.trim();
        if trimmed.len() > 1000 || trimmed.contains("=>") {
            continue;
        }
        if let Some((link, target)) = trimmed.split_once(" -> ") {
            // A link: its target has the longer number.
            let link = link.rsplit(' ').next().unwrap_or(link);
            if library::is_gpu_library(link) && library::is_library(library::file(target.trim())) {
                found.see("library-found", link, line);
                library::see_versions(target.trim(), target.trim(), line, found);
            }
        } else if is_path(trimmed) {
            library::see_found(trimmed, line, found);
        } else if listing {
            for word in trimmed.split_whitespace() {
                library::see_found(word.trim_matches(['\'', '"']), line, found);
            }
        } else if let Some((label, rest)) = trimmed.split_once(':')
            && label.starts_with("cuDNN version")
        {
            // collect_env: one path, or all of them where the line breaks were lost.
            let rest = rest.trim();
            if is_path(rest) {
                library::see_found(rest, line, found);
            } else {
                rest.split_whitespace()
                    .filter(|w| is_path(w))
                    .for_each(|w| library::see_found(w, line, found));
            }
        }
    }
}

/// A whole line that is one absolute path of a library. Windows' may hold blanks.
fn is_path(text: &str) -> bool {
    let bytes = text.as_bytes();
    let windows = bytes.len() > 3 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes[2] == b'\\';
    let linux = text.starts_with('/') && !text.contains(' ');
    (windows || linux) && !text.contains([',', ';', '"', '>']) && library::is_library(library::file(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("ls");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn listings_show_what_is_there() {
        assert_eq!(
            of("$ ls /usr/lib/wsl/lib/libcuda*\n/usr/lib/wsl/lib/libcuda.so  /usr/lib/wsl/lib/libcuda.so.1"),
            ["library-found=/usr/lib/wsl/lib/libcuda.so@2", "library-found=/usr/lib/wsl/lib/libcuda.so.1@2"]
        );
        assert_eq!(
            of("lrwxrwxrwx 1 root root 17 Jan 1 libcudnn.so.8 -> libcudnn.so.8.9.2"),
            ["library-found=libcudnn.so.8@1", "cudnn=8.9.2@1"]
        );
        assert_eq!(
            of("cuDNN version: C:\\Program Files\\NVIDIA\\bin\\cudnn_ops_train64_8.dll"),
            ["library-found=C:\\Program Files\\NVIDIA\\bin\\cudnn_ops_train64_8.dll@1", "cudnn=8@1"]
        );
        assert_eq!(
            of(
                "cuDNN version: Probably one of the following: /usr/lib/libcudnn.so.8.9.0 /usr/lib/libcudnn_ops_infer.so.8.9.0"
            ),
            [
                "library-found=/usr/lib/libcudnn.so.8.9.0@1",
                "cudnn=8.9.0@1",
                "library-found=/usr/lib/libcudnn_ops_infer.so.8.9.0@1",
                "cudnn=8.9.0@1"
            ]
        );
        assert_eq!(of("ImportError: /opt/x/libtorch_cuda.so: undefined symbol: x"), [""; 0]);
    }
}
