//! Values that were printed in Python: `>>> torch.__version__` with the value below, `python -c "…print(a, b)…"`,
//! a notebook's cell with its output.

use super::found::Found;
use super::page::Page;
use super::readers::Reader;
use super::{collect_env, label, number, package, platform_text};

pub(super) const READER: Reader = Reader {
    tool: "python",
    words: &["__version__", "print(", "torch.", "paddle.", "tf.", "sys.version", "platform.", "cupy."],
    read,
};

/// Pairs what was asked with what was printed.
fn read(page: &Page<'_>, found: &mut Found) {
    for command in &page.commands {
        let prints = prints(command.text, command.python);
        if prints.is_empty() {
            continue;
        }
        let output: Vec<(usize, &str)> =
            page.output(command).map(|(_, line, text)| (line, text)).take(200).collect();
        answer(&prints, &output, found);
    }
    cells(page, found);
}

/// Code without a prompt, as copied from a cell or a script: its `print` lines, then their output.
fn cells(page: &Page<'_>, found: &mut Found) {
    let mut at = 0;
    while at < page.lines.len() {
        let mut asked = Vec::new();
        while let Some((_, text)) = page.line(at) {
            let code = text.trim_start();
            let is_code = code.starts_with("print(")
                || code.starts_with("import ")
                || (code.starts_with("from ") && code.contains(" import "));
            let between = code.is_empty() && !asked.is_empty();
            if !is_code && !between {
                break;
            }
            asked.extend(prints(code, false));
            at += 1;
        }
        if asked.is_empty() {
            at += 1;
            continue;
        }
        let end = page.next_command(at).unwrap_or(page.lines.len()).min(at + 200);
        let output: Vec<(usize, &str)> =
            page.all().skip(at).take(end.saturating_sub(at)).map(|(_, line, text)| (line, text)).collect();
        answer(&asked, &output, found);
    }
}

/// One print: its arguments.
type Print<'a> = Vec<&'a str>;

/// The prints of a piece of code; in an interactive session an expression prints itself.
fn prints(code: &str, interactive: bool) -> Vec<Print<'_>> {
    let mut out = Vec::new();
    // No line that people type is longer.
    let mut rest = if code.len() > 4000 { "" } else { code };
    while let Some((before, after)) = rest.split_once("print(") {
        if before
            .ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == 'p' && before.ends_with("pp"))
        {
            rest = after;
            continue;
        }
        let end = closing(after);
        let inside = &after[..end];
        // Text around the values makes a line that the readers of labels see.
        if !inside.contains(['{', '%']) {
            out.push(arguments(inside).into_iter().filter(|a| !is_text(a)).collect());
        }
        rest = after.get(end..).unwrap_or("");
    }
    if out.is_empty() && interactive {
        let last = code.rsplit(';').next().unwrap_or(code).trim();
        let assigns = last.contains(" = ") || last.starts_with("import ") || last.starts_with("from ");
        if !assigns && !last.is_empty() {
            let parts = arguments(last);
            out.push(parts);
        }
    }
    out.retain(|p| !p.is_empty() && p.len() < 12);
    out
}

fn is_text(argument: &str) -> bool {
    argument.starts_with(['"', '\''])
        || argument.starts_with("f'")
        || argument.starts_with("f\"")
        || argument.starts_with("sep=")
        || argument.starts_with("\\\"")
}

/// Index of the bracket that closes what is open at the beginning.
fn closing(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices().take(2000) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return at,
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// The parts between commas that stand in no brackets.
fn arguments(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut depth, mut from) = (0usize, 0);
    for (at, c) in text.char_indices().take(2000) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(text[from..].trim());
    out.retain(|a| !a.is_empty());
    out
}

/// Finds the line that each print made: the next one whose values can be what was asked.
fn answer(prints: &[Print<'_>], output: &[(usize, &str)], found: &mut Found) {
    let mut from = 0;
    for print in prints {
        let known = print.iter().any(|a| subject(a).is_some());
        let hit = output
            .iter()
            .enumerate()
            .skip(from)
            .find_map(|(i, (line, text))| Some((i, *line, values(text, print)?)));
        if !known {
            // What is not known may have printed anything; it takes the next line that says something.
            if let Some(next) = output.iter().enumerate().skip(from).find(|(_, (_, t))| !t.trim().is_empty())
            {
                from = if next.1.1.len() < 40 { next.0 + 1 } else { from };
            }
            continue;
        }
        let Some((at, line, values)) = hit else { continue };
        from = at + 1;
        for (argument, value) in print.iter().zip(values) {
            if let Some(subject) = subject(argument) {
                say(&subject, value, line, found);
            }
        }
    }
}

/// The values of a line, one for each argument; none where the line cannot be their output.
fn values<'a>(text: &'a str, print: &Print<'_>) -> Option<Vec<&'a str>> {
    let text = text.trim();
    let text = text.strip_prefix("Out[").and_then(|t| t.split_once("]: ")).map_or(text, |(_, rest)| rest);
    if text.is_empty() || text.len() > 2000 || text.starts_with("...") {
        return None;
    }
    let words = if print.len() == 1 {
        vec![text]
    } else {
        // An interactive tuple: `('2.0.1', '11.7')`.
        let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).filter(|t| t.contains(','));
        match inner.map(arguments).filter(|p| p.len() == print.len()) {
            Some(parts) => parts,
            None => words(text),
        }
    };
    let fits = words.len() == print.len()
        && print
            .iter()
            .zip(&words)
            .all(|(argument, value)| subject(argument).is_none_or(|s| s.accepts(value)));
    fits.then_some(words)
}

/// Words of a line; brackets and quotes hold together.
fn words(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut depth, mut from) = (0usize, None);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c.is_whitespace() && depth == 0 {
            if let Some(start) = from.take() {
                out.push(&text[start..at]);
            }
        } else if from.is_none() {
            from = Some(at);
        }
    }
    out.extend(from.map(|start| &text[start..]));
    out
}

/// What an expression asks for.
enum Subject {
    /// The version of a package.
    Package(String),
    FrameworkCuda,
    FrameworkCudnn,
    Cudnn,
    Available,
    Gpu,
    Capability,
    Arches,
    Python,
    Platform,
    DriverLevel,
    CudaInteger,
    /// A list of devices or providers.
    Devices,
    /// How many GPUs are seen.
    Count,
    /// `gpu` or `cpu`, what a framework works on.
    Place,
}

fn subject(expression: &str) -> Option<Subject> {
    let text = expression.trim().trim_start_matches("print(").trim_end_matches(';').trim();
    let text = text.strip_prefix("str(").and_then(|t| t.strip_suffix(')')).unwrap_or(text);
    if text.len() > 120 || text.contains(' ') && !text.contains('(') {
        return None;
    }
    let module = text
        .strip_suffix(".__version__")
        .or_else(|| text.strip_suffix(".version.VERSION"))
        .or_else(|| text.strip_suffix(".version.full_version"));
    if let Some(module) = module {
        return module
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
            .then(|| Subject::Package(distribution(module)));
    }
    let call = text.split('(').next().unwrap_or(text);
    let last = call.rsplit('.').next().unwrap_or(call);
    Some(match (call, last) {
        ("torch.version.cuda", _) => Subject::FrameworkCuda,
        (_, "cuda") if call.contains("version") && text.ends_with("()") => Subject::FrameworkCuda,
        (_, "cudnn") if call.contains("version") && text.ends_with("()") => Subject::FrameworkCudnn,
        ("torch.backends.cudnn.version" | "cudnn.version", _) | (_, "get_cudnn_version") => Subject::Cudnn,
        (
            _,
            "is_compiled_with_cuda" | "is_built_with_cuda" | "is_gpu_available" | "is_built_with_gpu_support",
        ) => Subject::Available,
        (_, "is_available") if call.contains("cuda") => Subject::Available,
        (
            _,
            "list_physical_devices" | "list_logical_devices" | "get_available_providers" | "get_providers",
        )
        | ("jax.devices" | "jax.local_devices", _) => Subject::Devices,
        (_, "device_count") if call.contains("cuda") => Subject::Count,
        ("paddle.get_device" | "paddle.device.get_device" | "jax.default_backend", _) => Subject::Place,
        (_, "get_device") if matches!(call.split('.').next(), Some("ort" | "rt" | "onnxruntime")) => {
            Subject::Place
        }
        (_, "get_device_name") => Subject::Gpu,
        (_, "get_device_capability") => Subject::Capability,
        (_, "get_arch_list") => Subject::Arches,
        ("sys.version", _) | (_, "python_version") => Subject::Python,
        ("platform.platform", _) => Subject::Platform,
        (_, "driverGetVersion") => Subject::DriverLevel,
        (_, "runtimeGetVersion") => Subject::CudaInteger,
        _ => return None,
    })
}

/// The distribution that an imported name belongs to.
fn distribution(module: &str) -> String {
    match module.split('.').next().unwrap_or(module) {
        "tf" => "tensorflow",
        "np" => "numpy",
        "pd" => "pandas",
        "cv2" => "opencv-python",
        "PIL" => "pillow",
        "sklearn" => "scikit-learn",
        "paddle" => "paddlepaddle",
        "ort" | "rt" => "onnxruntime",
        "cp" => "cupy",
        "trt" => "tensorrt",
        "T" => "torch",
        "bnb" => "bitsandbytes",
        other => other,
    }
    .to_owned()
}

fn unquoted(value: &str) -> &str {
    value.trim().trim_matches(['\'', '"'])
}

impl Subject {
    /// Can a value be the answer?
    fn accepts(&self, value: &str) -> bool {
        let plain = unquoted(value);
        match self {
            Subject::Package(_) => number::is_release(plain) && plain.contains('.'),
            Subject::FrameworkCuda => {
                plain == "None" || plain == "False" || number::cuda(plain) == Some(plain)
            }
            Subject::FrameworkCudnn => {
                plain == "None" || plain == "False" || number::dotted(plain) == Some(plain)
            }
            Subject::Cudnn => plain == "None" || plain.bytes().all(|b| b.is_ascii_digit()),
            Subject::Available => matches!(plain, "True" | "False"),
            Subject::Gpu => {
                plain.len() < 70
                    && !plain.contains(':')
                    && plain.chars().any(|c| c.is_ascii_alphabetic())
                    && !plain.contains("Error")
            }
            Subject::Capability => plain.starts_with('(') && plain.ends_with(')'),
            Subject::Arches => plain.starts_with('['),
            Subject::Python => collect_env::python(plain).is_some(),
            Subject::Platform => plain.starts_with("Linux-") || plain.starts_with("Windows-"),
            Subject::DriverLevel | Subject::CudaInteger => number::cuda_integer(plain).is_some(),
            Subject::Devices => value == "[]" || super::devices::answer(value).is_some(),
            Subject::Count => plain.len() < 4 && plain.bytes().all(|b| b.is_ascii_digit()),
            Subject::Place => place(plain).is_some(),
        }
    }
}

/// `gpu:0`, `GPU`, `gpu`, `cuda`; `cpu` and `CPU` say that none is used.
fn place(text: &str) -> Option<&'static str> {
    let kind = text.split(':').next().unwrap_or(text);
    match kind.to_ascii_lowercase().as_str() {
        "gpu" | "cuda" => Some("True"),
        "cpu" => Some("False"),
        _ => None,
    }
}

fn say(subject: &Subject, value: &str, line: usize, found: &mut Found) {
    let plain = unquoted(value);
    if label::is_nothing(plain) && !matches!(subject, Subject::Available | Subject::Devices) {
        return;
    }
    match subject {
        Subject::Package(name) => {
            package::see(found, name, plain, line);
        }
        Subject::FrameworkCuda => found.see("framework-cuda", plain, line),
        Subject::FrameworkCudnn => found.see("framework-cudnn", plain, line),
        Subject::Cudnn => {
            if let Some(version) = number::cudnn_integer(plain) {
                found.made("cudnn", &version, plain, line);
            }
        }
        Subject::Available => found.see("cuda-available", plain, line),
        Subject::Devices => {
            let answer = super::devices::answer(value).unwrap_or("False");
            found.made("cuda-available", answer, value, line);
        }
        Subject::Count => {
            let answer = if plain.bytes().all(|b| b == b'0') { "False" } else { "True" };
            found.made("cuda-available", answer, plain, line);
        }
        Subject::Place => {
            if let Some(answer) = place(plain) {
                found.made("cuda-available", answer, plain, line);
            }
        }
        Subject::Gpu => found.see("gpu", plain, line),
        Subject::Capability => {
            let digits: Vec<&str> = plain.trim_matches(['(', ')']).split(',').map(str::trim).collect();
            if let [major, minor] = digits.as_slice() {
                let version = format!("{major}.{minor}");
                if number::dotted_capability(&version) == Some(version.as_str()) {
                    found.made("compute-capability", &version, plain, line);
                }
            }
        }
        Subject::Arches => {
            if let Some(arches) = number::arches(plain) {
                found.made("framework-arches", &arches, plain, line);
            }
        }
        Subject::Python => {
            if let Some(version) = collect_env::python(plain) {
                found.see("python", version, line);
            }
        }
        Subject::Platform => platform_text::see(plain, line, found),
        Subject::DriverLevel => {
            if let Some(version) = number::cuda_integer(plain) {
                found.made("cuda-driver-level", &version, plain, line);
            }
        }
        Subject::CudaInteger => {
            if let Some(version) = number::cuda_integer(plain) {
                found.made("framework-cuda", &version, plain, line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Line;

    fn of(text: &str) -> Vec<String> {
        let lines = Line::all(text);
        let mut found = Found::of("python");
        read(&Page::of(&lines), &mut found);
        found.shown()
    }

    #[test]
    fn values_stand_below_their_expressions() {
        assert_eq!(
            of(
                ">>> import tensorflow as tf\n>>> tf.__version__\n'2.11.0'\n>>> tf.test.is_built_with_cuda()\nFalse\n>>> import torch; torch.cuda.is_available()\nTrue\n>>> torch.cuda.get_device_capability()\n(8, 6)"
            ),
            [
                "package:tensorflow=2.11.0@3",
                "cuda-available=False@5",
                "cuda-available=True@7",
                "compute-capability=8.6@9"
            ]
        );
        assert_eq!(of("In [2]: torch.version.cuda\nOut[2]: '11.7'"), ["framework-cuda=11.7@2"]);
    }

    #[test]
    fn several_values_on_a_line_and_several_lines() {
        assert_eq!(
            of(
                "$ python -c \"import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())\"\nwarning: something\n2.1.0+cu121 12.1 False"
            ),
            [
                "package:torch=2.1.0+cu121@3",
                "framework-cuda=12.1@3",
                "framework-cuda=12.1@3",
                "cuda-available=False@3"
            ]
        );
        assert_eq!(
            of(
                "$ python3 -c \"import tensorflow as tf; print(tf.__version__); print(tf.config.list_physical_devices('GPU'))\"\n2024-03-09 19:15:45.018171: I tensorflow/core\n2.16.1\n[]"
            ),
            ["package:tensorflow=2.16.1@3", "cuda-available=False@4"]
        );
        assert_eq!(
            of(
                ">>> jax.devices()\n[CpuDevice(id=0)]\n>>> torch.cuda.device_count()\n1\n>>> paddle.device.get_device()\n'cpu'"
            ),
            ["cuda-available=False@2", "cuda-available=True@4", "cuda-available=False@6"]
        );
        assert_eq!(
            of(
                "import torch\nprint(torch.__version__)\nprint(torch.backends.cudnn.version())\n2.0.1\n8500\n"
            ),
            ["package:torch=2.0.1@4", "cudnn=8.5.0@5"]
        );
    }

    #[test]
    fn an_error_is_no_value() {
        assert_eq!(
            of(">>> torch.cuda.get_device_name(0)\nRuntimeError: no driver\n>>> torch.version.cuda\nNone"),
            [""; 0]
        );
    }
}
