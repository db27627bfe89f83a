//! A text as its readers see it: lines, and the commands among them.

use crate::Line;

/// A text.
pub(super) struct Page<'a> {
    /// Its lines; numbers may jump where only excerpts are read.
    pub(super) lines: &'a [Line<'a>],
    /// Commands typed at a prompt, in order.
    pub(super) commands: Vec<Command<'a>>,
}

/// A command and where its output stands.
pub(super) struct Command<'a> {
    /// What was typed, without the prompt.
    pub(super) text: &'a str,
    /// Index of its line.
    pub(super) at: usize,
    /// Index behind its last line of output: the next command, a gap or the end.
    pub(super) end: usize,
    /// Typed into Python and not into a shell.
    pub(super) python: bool,
}

impl<'a> Page<'a> {
    /// Finds the commands of a text.
    pub(super) fn of(lines: &'a [Line<'a>]) -> Self {
        let mut commands: Vec<Command<'a>> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            if let Some((text, python)) = prompt(&line.text) {
                commands.push(Command { text, at, end: lines.len(), python });
            }
        }
        let starts: Vec<usize> = commands.iter().skip(1).map(|c| c.at).collect();
        for (command, next) in commands.iter_mut().zip(starts) {
            command.end = next;
        }
        for command in &mut commands {
            let gap = (command.at + 1..command.end).find(|i| lines[*i].number > lines[*i - 1].number + 1);
            command.end = gap.unwrap_or(command.end);
        }
        Page { lines, commands }
    }

    /// The command whose output a line belongs to.
    pub(super) fn command_over(&self, at: usize) -> Option<&Command<'a>> {
        let before = self.commands.partition_point(|c| c.at < at);
        self.commands.get(before.checked_sub(1)?).filter(|c| c.end > at)
    }

    /// Where the next command stands, from a line on.
    pub(super) fn next_command(&self, at: usize) -> Option<usize> {
        self.commands.get(self.commands.partition_point(|c| c.at < at)).map(|c| c.at)
    }

    /// The number and the text of a line.
    pub(super) fn line(&self, at: usize) -> Option<(usize, &'a str)> {
        self.lines.get(at).map(|l| (l.number, l.text.as_ref()))
    }

    /// All lines: index, number, text.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, usize, &'a str)> + use<'a> {
        self.lines.iter().enumerate().map(|(at, l)| (at, l.number, l.text.as_ref()))
    }

    /// The output of a command: index, number, text.
    pub(super) fn output(
        &self,
        command: &Command<'_>,
    ) -> impl Iterator<Item = (usize, usize, &'a str)> + use<'a> {
        let (from, to) = (command.at + 1, command.end.max(command.at + 1));
        self.lines[from..to].iter().enumerate().map(move |(i, l)| (from + i, l.number, l.text.as_ref()))
    }

    /// The first line of a command's output that says something.
    pub(super) fn first_output(&self, command: &Command<'_>) -> Option<(usize, usize, &'a str)> {
        self.output(command).find(|(_, _, text)| !text.trim().is_empty())
    }
}

impl<'a> Command<'a> {
    /// The command from the program on: without `sudo` and variables set for it.
    pub(super) fn bare(&self) -> &'a str {
        let mut text = self.text.trim_start();
        loop {
            let word = text.split_whitespace().next().unwrap_or("");
            let assignment = word.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty()
                    && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
            });
            if assignment || matches!(word, "sudo" | "time" | "command" | "!" | "&") {
                text = text[word.len()..].trim_start();
            } else {
                return text;
            }
        }
    }

    /// The program's name, without path and `.exe`, in the spelling given.
    pub(super) fn program(&self) -> &'a str {
        let word = self.bare().split_whitespace().next().unwrap_or("").trim_matches('"');
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        name.strip_suffix(".exe").unwrap_or(name)
    }

    /// Is only a part of the output shown?
    pub(super) fn cut(&self) -> bool {
        self.text.contains("| head")
            || self.text.contains("|head")
            || self.text.contains("| tail")
            || self.text.contains("| grep")
            || self.text.contains("findstr")
    }
}

/// Programs whose name at the beginning of a line makes a command of it, even without a prompt.
const PROGRAMS: [&str; 53] = [
    "nvidia-smi",
    "nvidia-smi.exe",
    "nvcc",
    "pip",
    "pip3",
    "python",
    "python3",
    "python.exe",
    "py",
    "conda",
    "mamba",
    "uv",
    "poetry",
    "uname",
    "cat",
    "ls",
    "dir",
    "where",
    "where.exe",
    "which",
    "find",
    "ldd",
    "ldconfig",
    "echo",
    "env",
    "set",
    "printenv",
    "dpkg",
    "rpm",
    "yum",
    "dnf",
    "apt",
    "lspci",
    "lsmod",
    "modinfo",
    "dmesg",
    "journalctl",
    "sudo",
    "docker",
    "kubectl",
    "systeminfo",
    "wmic",
    "type",
    "mokutil",
    "jetson_release",
    "nvidia-container-cli",
    "gpustat",
    "lsb_release",
    "micromamba",
    "pixi",
    "podman",
    "wsl",
    "ver",
];

/// The command behind a prompt, and whether the prompt is Python's.
fn prompt(line: &str) -> Option<(&str, bool)> {
    let text = line.trim();
    if text.is_empty() || text.len() > 4000 {
        return None;
    }
    if let Some(rest) = text.strip_prefix(">>>") {
        return (rest.is_empty() || rest.starts_with(' ')).then(|| (rest.trim(), true));
    }
    if let Some(rest) = text.strip_prefix("In [") {
        let (number, rest) = rest.split_once("]:")?;
        return number.trim().bytes().all(|b| b.is_ascii_digit()).then(|| (rest.trim(), true));
    }
    shell(text).map(|command| (command.trim(), false))
}

/// The command behind the prompt of a shell.
fn shell(text: &str) -> Option<&str> {
    let text = environment(text);
    let bytes = text.as_bytes();
    if let Some(rest) = text.strip_prefix("PS ")
        && let Some((path, command)) = rest.split_once('>')
        && path.len() < 200
        && path.contains([':', '/', '\\'])
    {
        return Some(command);
    }
    if bytes.len() > 2
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes[2], b'\\' | b'/' | b'>')
        && let Some((path, command)) = text.split_once('>')
        && !path.contains(['"', '|', '<'])
    {
        return Some(command);
    }
    if let Some(rest) = text
        .strip_prefix("$ ")
        .or_else(|| text.strip_prefix("❯ "))
        .or_else(|| text.strip_prefix("λ "))
        .or_else(|| text.strip_prefix("╰─$ "))
    {
        return Some(rest);
    }
    if text == "$" || text == "#" {
        return Some("");
    }
    for mark in ["# ", "> ", "% ", "!", "%"] {
        if let Some(rest) = text.strip_prefix(mark)
            && known(rest)
        {
            return Some(rest);
        }
    }
    if let Some(command) = host(text).or_else(|| fish(text)).or_else(|| themed(text)) {
        return Some(command);
    }
    known(text).then_some(text)
}

/// Without `(base)` and the like before a prompt.
fn environment(text: &str) -> &str {
    let mut text = text;
    // `[host] # command`, as people mark where they typed.
    if let Some((place, rest)) = text.strip_prefix('[').and_then(|r| r.split_once("] "))
        && !place.contains([' ', '@', ':', '.'])
        && place.starts_with(|c: char| c.is_ascii_alphabetic())
        && (rest.starts_with(['#', '$']) || rest.split_whitespace().next().is_some_and(|w| w.contains('@')))
    {
        text = rest;
    }
    while let Some(rest) = text.strip_prefix('(')
        && let Some((name, rest)) = rest.split_once(')')
        && name.len() < 60
        && !name.contains(' ')
        && rest.starts_with(' ')
        && rest.trim_start().contains(['$', '#', '>', '%'])
    {
        text = rest.trim_start();
    }
    text
}

/// `user@host:~/dir$ command`, `[root@host ~]# command`, `bash-4.2$ command`, `wmic:root\cli>command`.
fn host(text: &str) -> Option<&str> {
    let start: String = text.chars().take(160).collect();
    let head = text.get(..start.len())?;
    let first = head.split_whitespace().next()?;
    if first.starts_with("wmic:") {
        return text.split_once('>').map(|(_, rest)| rest);
    }
    let shell = first.starts_with("sh-") || first.starts_with("bash-");
    let name = head.trim_start_matches('[');
    let at = name.find('@').filter(|at| {
        *at > 0
            && name[..*at]
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'\\'))
    });
    if !shell && at.is_none() {
        return None;
    }
    let from = at.unwrap_or(0);
    for (i, c) in head.char_indices().skip_while(|(i, _)| *i < from) {
        if matches!(c, '$' | '#' | '%') {
            let rest = &text[i + 1..];
            if rest.is_empty() || rest.starts_with(' ') {
                return Some(rest);
            }
        }
    }
    None
}

/// fish's `user@host ~/dir> command`; mails quote with the same mark, so the command must be known.
fn fish(text: &str) -> Option<&str> {
    let (head, rest) = text.split_once("> ").filter(|(head, _)| head.len() < 120)?;
    let host = head.split_whitespace().next()?;
    (host.contains('@') && !host.contains(['<', ':']) && known(rest)).then_some(rest)
}

/// `➜  dir git:(main) ✗ command`, `└─$ command`, `~/dir ❯ command`: what themes of shells make of a prompt.
fn themed(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['➜', '└', '╰', '~'])?;
    if text.len() > 400 {
        return None;
    }
    let mark = rest.char_indices().take(80).find(|(_, c)| matches!(c, '$' | '❯' | '✗' | '#' | '%' | '»'));
    if let Some((at, c)) = mark {
        return rest[at + c.len_utf8()..].strip_prefix(' ').filter(|r| known(r));
    }
    // `➜  dir command`
    let place = rest.trim_start();
    let (_, command) = place.split_once(' ').filter(|_| text.starts_with('➜'))?;
    known(command).then_some(command)
}

/// Does a text begin with a program, used as one?
fn known(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else { return false };
    if !PROGRAMS.contains(&first) {
        return false;
    }
    let second = words.next();
    match (first, second) {
        (
            "nvidia-smi" | "gpustat" | "lsmod" | "lspci" | "dmesg" | "env" | "set" | "printenv"
            | "systeminfo" | "nvidia-smi.exe" | "ver" | "jetson_release",
            None,
        ) => true,
        (_, None) => false,
        ("find", Some(second)) => second.starts_with(['/', '.', '~', '$']),
        ("cat" | "ls" | "ldd" | "type" | "dir", Some(second)) => {
            second.starts_with(['/', '.', '-', '~', '$', '"', '*', 'l']) || second.contains(['/', '\\', '.'])
        }
        ("echo", Some(second)) => second.starts_with(['$', '%', '"']),
        ("where" | "which" | "where.exe", Some(_)) => words.next().is_none(),
        ("set", Some(second)) => {
            second.contains('=') || second.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
        }
        ("pip" | "pip3" | "conda" | "mamba" | "micromamba" | "pixi" | "uv" | "poetry", Some(second)) => {
            matches!(
                second,
                "list"
                    | "show"
                    | "freeze"
                    | "install"
                    | "uninstall"
                    | "pip"
                    | "env"
                    | "create"
                    | "info"
                    | "check"
                    | "debug"
                    | "add"
                    | "config"
                    | "inspect"
            )
        }
        (
            "docker" | "kubectl" | "podman" | "apt" | "yum" | "dnf" | "rpm" | "dpkg" | "journalctl",
            Some(second),
        ) => {
            second.starts_with('-')
                || matches!(
                    second,
                    "info"
                        | "run"
                        | "exec"
                        | "get"
                        | "describe"
                        | "version"
                        | "list"
                        | "logs"
                        | "compose"
                        | "build"
                        | "ps"
                        | "policy"
                        | "search"
                        | "pull"
                )
        }
        ("sudo", Some(second)) => second.len() > 1,
        (_, Some(second)) => {
            second.starts_with(['-', '|', '>', '&', '2', '/', '.', '\'', '"'])
                || second.ends_with(".py")
                || second == "path"
                || second == "nvidia"
                || second == "info"
                || second == "os"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_stand_behind_prompts() {
        for (line, command) in [
            ("$ nvidia-smi", "nvidia-smi"),
            ("user@host:~ $ gpustat --color", "gpustat --color"),
            ("root@host:/workspace# python3 -m sglang.check_env", "python3 -m sglang.check_env"),
            ("[user@host dir]$ ls /dev/nvidia*", "ls /dev/nvidia*"),
            ("PS C:\\Users\\user> nvidia-smi", "nvidia-smi"),
            ("C:\\Users\\user>nvcc -V | findstr release", "nvcc -V | findstr release"),
            ("(rec) F:\\work> pip list", "pip list"),
            ("(tensor) root@wsl:/mnt/c/work# pip install x", "pip install x"),
            ("user@host ~/dir> pip3 list | grep torch", "pip3 list | grep torch"),
            ("➜  work git:(main) ✗ pip list", "pip list"),
            ("➜  ~ nvidia-smi -L", "nvidia-smi -L"),
            ("└─$ pip list", "pip list"),
            ("# nvidia-smi", "nvidia-smi"),
            ("> pip list | findstr torch", "pip list | findstr torch"),
            ("!nvcc --version", "nvcc --version"),
            ("nvcc --version", "nvcc --version"),
            ("wmic:root\\cli>path win32_VideoController get name", "path win32_VideoController get name"),
        ] {
            assert_eq!(prompt(line), Some((command, false)), "{line}");
        }
        assert_eq!(prompt(">>> import torch"), Some(("import torch", true)));
        assert_eq!(prompt("In [3]: torch.__version__"), Some(("torch.__version__", true)));
    }

    #[test]
    fn other_lines_are_no_commands() {
        for line in [
            "nvcc: NVIDIA (R) Cuda compiler driver",
            "user@mail.org> we found that it fails",
            "└── torch v2.1.0",
            "nvidia-smi works fine",
            "# Name                    Version",
            "python 3.10.8 h7a1cb2a_2",
            "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.3\\bin\\cudart64_110.dll",
            "find library=libcudnn.so.8 [0]; searching",
            "pip                20.0.2",
            "  0%   43C    P0    40W / 210W",
        ] {
            assert_eq!(prompt(line), None, "{line}");
        }
    }
}
