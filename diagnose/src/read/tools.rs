//! Where programs of the stack stand: `which`, `where`, `whereis`, `type`, and programs that say what they run.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;

pub(super) const READER: Reader = Reader {
    tool: "which",
    words: &["nvcc", "ptxas", "nvidia-smi", "nvidia-c", "python", "where", "which"],
    read,
};

/// Programs whose place decides something: compilers, NVIDIA's tools, interpreters.
const PROGRAMS: [&str; 19] = [
    "nvcc",
    "ptxas",
    "nvlink",
    "fatbinary",
    "cuobjdump",
    "cicc",
    "nvidia-smi",
    "nvidia-ctk",
    "nvidia-container-cli",
    "nvidia-container-runtime",
    "nvidia-container-toolkit",
    "nvidia-container-runtime-hook",
    "nvidia-modprobe",
    "trtexec",
    "python",
    "python3",
    "pip",
    "pip3",
    "conda",
];

/// Reads the places of programs.
fn read(page: &Page<'_>, found: &mut Found) {
    for command in &page.commands {
        let listing = [
            "which ",
            "where ",
            "where.exe ",
            "whereis ",
            "type -",
            "command -v ",
            "readlink ",
            "realpath ",
            "ls ",
            "find ",
            "Get-Command ",
        ];
        if !listing.iter().any(|l| command.text.contains(l)) {
            continue;
        }
        for (_, line, text) in page.output(command).take(40) {
            let text = text.trim();
            // `nvcc: /usr/bin/nvcc /usr/local/cuda/bin/nvcc`, `nvcc is /usr/bin/nvcc`; `ls -l` ends in a link's target.
            let rest =
                text.split_once(": /").map_or(text, |(_, _)| text.split_once(": ").map_or(text, |(_, r)| r));
            if is_program(rest) {
                found.see("program-found", rest, line);
            } else if !refuses(text) && text.len() < 400 {
                rest.split_whitespace()
                    .filter(|w| is_program(w))
                    .for_each(|w| found.see("program-found", w, line));
            }
        }
    }
    for (_, line, text) in page.all() {
        if let Some(path) = run(text).filter(|p| is_program(p)) {
            found.see("program-found", path, line);
        } else if let Some((_, rest)) = text.split_once("Invoking ptxas with version ")
            && let Some(version) = super::number::version(rest)
        {
            // XLA: which of several it took.
            found.made("program-found", &format!("ptxas {version}"), version, line);
        }
    }
}

/// A program that a message says was run: Python's `Command '['/…/ptxas', …]' returned`, Triton's `Repro command: /…`.
fn run(text: &str) -> Option<&str> {
    let (rest, quoted) = match text.split_once("Command '['") {
        Some((_, rest)) => (rest, true),
        None => (text.split_once("Repro command: ")?.1, false),
    };
    rest.split(if quoted { '\'' } else { ' ' }).next()
}

fn refuses(text: &str) -> bool {
    ["No such file", "not found", "cannot access", " no ", "Permission denied"]
        .iter()
        .any(|w| text.contains(w))
}

/// Is a text the whole path of such a program? Windows' may hold blanks.
fn is_program(path: &str) -> bool {
    let bytes = path.as_bytes();
    let windows = bytes.len() > 3 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes[2] == b'\\';
    if !(windows || path.starts_with('/') && !path.contains(' '))
        || path.len() > 300
        || path.contains(['*', '"'])
    {
        return false;
    }
    let name = path.rsplit(['/', '\\']).next().unwrap_or("");
    let name = name.strip_suffix(".exe").or_else(|| name.strip_suffix(".EXE")).unwrap_or(name);
    PROGRAMS.contains(&name) || name.strip_prefix("python3.").is_some_and(|n| n.parse::<u8>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("which");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn places_of_programs() {
        assert_eq!(
            of("$ which ptxas; ptxas --version\n/usr/local/cuda-12.1/bin/ptxas\nptxas: NVIDIA (R) Ptx"),
            ["program-found=/usr/local/cuda-12.1/bin/ptxas@2"]
        );
        assert_eq!(
            of(
                "C:\\Users\\user>where nvcc\nC:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.8\\bin\\nvcc.exe"
            ),
            ["program-found=C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.8\\bin\\nvcc.exe@2"]
        );
        assert_eq!(
            of("$ whereis nvcc\nnvcc: /usr/bin/nvcc /usr/share/man/man1/nvcc.1.gz"),
            ["program-found=/usr/bin/nvcc@2"]
        );
        assert_eq!(
            of(
                "CalledProcessError: Command '['/venv/triton/backends/nvidia/bin/ptxas', '-v']' returned non-zero exit status 255."
            ),
            ["program-found=/venv/triton/backends/nvidia/bin/ptxas@1"]
        );
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        assert_eq!(
            of(
                "$ which nvcc\n/usr/bin/which: no nvcc in (/usr/bin/nvcc:/bin)\n$ ls /usr/local/cuda/bin/nvcc\nls: cannot access '/usr/local/cuda/bin/nvcc': No such file or directory"
            ),
            [""; 0]
        );
    }
}
