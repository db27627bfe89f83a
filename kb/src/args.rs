//! What can be typed. Everything stays text here; it gets its meaning in `request` and in kb-core.

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

mod examples;

/// Which GPU, driver, CUDA, cuDNN and framework versions work together, and why.
#[derive(Parser, Debug)]
#[command(
    name = "kb",
    version,
    disable_version_flag = true,
    arg_required_else_help = true,
    propagate_version = false,
    max_term_width = 110,
    after_help = examples::MAIN,
    subcommand_help_heading = "Commands"
)]
pub struct Cli {
    /// Options that every command has.
    #[command(flatten)]
    pub global: Global,
    /// Print the version of the program and of its data.
    #[arg(short = 'V', long)]
    pub version: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// Options that every command has.
#[derive(Args, Debug, Clone, Default)]
pub struct Global {
    /// Print one JSON document on standard output.
    #[arg(long, global = true, help_heading = "Output")]
    pub json: bool,
    /// When to use colour; NO_COLOR is respected.
    #[arg(long, global = true, value_enum, value_name = "auto|always|never", default_value_t = Color::Auto, hide_default_value = true, hide_possible_values = true, help_heading = "Output")]
    pub color: Color,
    /// Language: en, zh-Hans, zh-Hant. Default: the language of the system.
    #[arg(long, global = true, alias = "language", value_name = "LANG", help_heading = "Output")]
    pub lang: Option<String>,
    /// Directory with facts that are laid over the built-in ones.
    #[arg(long, global = true, value_name = "DIR", help_heading = "Data")]
    pub data: Option<PathBuf>,
}

/// When to use colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Find what fits: versions, install lines, reasons.
    #[command(alias = "find", alias = "recommend", after_help = examples::SOLVE)]
    Solve(Solve),
    /// Judge versions that are already chosen, or a requirements file.
    #[command(alias = "verify", alias = "test", after_help = examples::CHECK)]
    Check(Check),
    /// Show what is known under an id.
    #[command(alias = "info", after_help = examples::SHOW)]
    Show(Show),
    /// List what there is.
    #[command(alias = "ls", after_help = examples::LIST)]
    List(List),
    /// Show where a fact comes from, or the chain behind an answer.
    #[command(after_help = examples::WHY)]
    Why(Why),
    /// Explain a rule, a kind of table, a topic, a cause or an error message.
    #[command(after_help = examples::EXPLAIN)]
    Explain(Explain),
    /// Say what a file name, tag, label or number means.
    #[command(after_help = examples::DECODE)]
    Decode(Decode),
    /// Say what wheels, libraries and installed packages hold: CUDA, device code, what they need.
    #[command(after_help = examples::INSPECT)]
    Inspect(Inspect),
    /// Say which copy of a library or program would be taken, and why.
    #[command(alias = "where", after_help = examples::WHICH)]
    Which(Which),
    /// Find the cause behind an error: reads logs, tables and reports as they are pasted.
    #[command(alias = "why-not", alias = "triage", after_help = examples::DIAGNOSE)]
    Diagnose(Diagnose),
    /// Say what this machine has: GPUs, driver, toolkits, libraries, Python environments. Nothing is judged or changed.
    #[command(alias = "detect", after_help = examples::PROBE)]
    Probe(Probe),
    /// Look at this machine and say what is wrong with it, and how to mend it. Nothing is changed.
    #[command(alias = "doc", after_help = examples::DOCTOR)]
    Doctor(Doctor),
    /// Write the state of this machine into a file, or compare the machine with such a file.
    #[command(alias = "lock", after_help = examples::SNAPSHOT)]
    Snapshot(Snapshot),
    /// Read temperature, memory, power and clocks of the GPUs here again and again.
    #[command(after_help = examples::WATCH)]
    Watch(Watch),
    /// Check a data directory.
    #[command(after_help = examples::LINT)]
    Lint(Lint),
    /// Write the stub of a new fact, GPU, source …
    #[command(alias = "add", after_help = examples::NEW)]
    New(New),
    /// Make the website: a page for every thing, all tables, a JSON API.
    Site(Site),
    /// Print the completion script of a shell.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(Completions),
    /// Print the manual page, of the whole or of one command.
    #[command(after_help = examples::MAN)]
    Man(Man),
}

/// The question: what there is, and what is wanted.
#[derive(Args, Debug, Clone, Default)]
pub struct Question {
    /// GPU in any usual spelling: rtx3090, "RTX 3090", a100-80gb, sm_86, cc8.6; none for CPU. Repeatable.
    #[arg(short, long = "gpu", value_name = "NAME", allow_negative_numbers = true, help_heading = "Machine")]
    pub gpu: Vec<String>,
    /// What several GPUs mean: all of them in one environment, or any one of them.
    #[arg(long = "gpus", value_name = "all|any", allow_negative_numbers = true, help_heading = "Machine")]
    pub gpus: Option<String>,
    /// Operating system: linux, windows, wsl2, macos. Default: this machine's.
    #[arg(
        long,
        alias = "system",
        value_name = "OS",
        allow_negative_numbers = true,
        help_heading = "Machine"
    )]
    pub os: Option<String>,
    /// Processor: x86_64, aarch64.
    #[arg(long, value_name = "ARCH", allow_negative_numbers = true, help_heading = "Machine")]
    pub arch: Option<String>,
    /// Version of the C library: 2.35.
    #[arg(long, value_name = "VER", allow_negative_numbers = true, help_heading = "Machine")]
    pub glibc: Option<String>,
    /// Driver version: 535.104.05 (Linux), 573.76 (Windows).
    #[arg(short, long, value_name = "VER", allow_negative_numbers = true, help_heading = "Machine")]
    pub driver: Option<String>,
    /// CUDA version: 12.4, 12.4.1, cu124, '>=12.4, <13'.
    #[arg(long, value_name = "SPEC", allow_negative_numbers = true, help_heading = "Versions")]
    pub cuda: Option<String>,
    /// cuDNN version: 8.9.7, 9.1.0.70, '>=9.1, <10'.
    #[arg(long, value_name = "SPEC", allow_negative_numbers = true, help_heading = "Versions")]
    pub cudnn: Option<String>,
    /// Python version: 3.12.
    #[arg(
        short,
        long,
        alias = "py",
        value_name = "VER",
        allow_negative_numbers = true,
        help_heading = "Versions"
    )]
    pub python: Option<String>,
    /// Framework or package: `torch`, `torch==2.9.1`, `jax[cuda12]`. Repeatable.
    #[arg(short, long = "want", value_name = "REQ", help_heading = "Versions")]
    pub want: Vec<String>,
    /// Where builds may come from: pypi, pytorch-cu126, conda-forge … Repeatable.
    #[arg(
        short,
        long = "channel",
        value_name = "NAME",
        allow_negative_numbers = true,
        help_heading = "Versions"
    )]
    pub channel: Vec<String>,
    /// Which evidence is enough: listed (by the vendor), or tested (also what was tested or built).
    #[arg(long, value_name = "listed|tested", help_heading = "Versions")]
    pub policy: Option<String>,
    /// Take system, processor, glibc and Python from this machine where they are not said.
    #[arg(long, help_heading = "Machine")]
    pub here: bool,
    /// JSON file with what was observed on a machine, as the guide of check shows it; - is standard input.
    #[arg(long, value_name = "FILE", help_heading = "Machine")]
    pub facts: Option<PathBuf>,
    /// The day the question is asked for: 2026-11-30.
    #[arg(long, value_name = "DATE", allow_negative_numbers = true, help_heading = "Versions")]
    pub today: Option<String>,
}

/// `kb solve`.
#[derive(Args, Debug, Default)]
pub struct Solve {
    /// What is wanted; the same as --want.
    #[arg(value_name = "REQ")]
    pub wants: Vec<String>,
    /// The question.
    #[command(flatten)]
    pub question: Question,
    /// Print every step of the reasoning.
    #[arg(long, help_heading = "Output")]
    pub why: bool,
}

/// `kb check`.
#[derive(Args, Debug, Default)]
pub struct Check {
    /// Requirements, or a requirements.txt, uv.lock, pylock.toml, environment.yml, Dockerfile; - is standard input.
    #[arg(value_name = "REQ|FILE")]
    pub wants: Vec<String>,
    /// A requirements file, whatever it is called; - is standard input. Repeatable.
    #[arg(short, long, value_name = "FILE")]
    pub requirement: Vec<String>,
    /// The question.
    #[command(flatten)]
    pub question: Question,
    /// Print every step of the reasoning.
    #[arg(long, help_heading = "Output")]
    pub why: bool,
}

/// `kb show`.
#[derive(Args, Debug)]
pub struct Show {
    /// Any id or usual name.
    #[arg(value_name = "ID", required = true, num_args = 1..)]
    pub id: Vec<String>,
}

/// `kb list`.
#[derive(Args, Debug)]
pub struct List {
    /// gpus, packages, releases, channels, facts, causes, signatures, sources, stale …; without it, the counts of all.
    #[arg(value_name = "WHAT")]
    pub what: Option<String>,
    /// Only those of a relation, a package, or with this word in them.
    #[arg(value_name = "FILTER")]
    pub filter: Option<String>,
    /// For stale: the age in days, months or years, 90d, 6m, 1y. Default: 180d.
    #[arg(long, value_name = "AGE", allow_negative_numbers = true)]
    pub older_than: Option<String>,
    /// For stale: the day from which ages are counted. Default: today.
    #[arg(long, value_name = "DATE")]
    pub today: Option<String>,
}

/// `kb why`.
#[derive(Args, Debug)]
pub struct Why {
    /// A fact's id, or a requirement whose answer is to be explained.
    #[arg(value_name = "FACT-ID|REQ", required = true)]
    pub what: Vec<String>,
    /// The question.
    #[command(flatten)]
    pub question: Question,
    /// Print the chain as Graphviz text.
    #[arg(long, conflicts_with_all = ["svg", "json"], help_heading = "Output")]
    pub dot: bool,
    /// Print the chain as an SVG picture.
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    pub svg: bool,
}

/// `kb explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// A rule, a relation, a topic, an advisory; without it, all of them.
    #[arg(value_name = "NAME")]
    pub name: Vec<String>,
}

/// `kb decode`.
#[derive(Args, Debug)]
pub struct Decode {
    /// Names: cu124, cudart64_110.dll, cudnn-…-archive.zip, a wheel, an image tag, 8907 …
    #[arg(value_name = "NAME", required = true)]
    pub names: Vec<String>,
}

/// `kb inspect`.
#[derive(Args, Debug)]
pub struct Inspect {
    /// Wheels, libraries (.so, .dll, .pyd, .exe), installed or unpacked packages, environments, unpacked archives of cuDNN; a release in an index or the address of a wheel.
    ///
    /// What exists on this machine wins over a name in an index.
    #[arg(value_name = "FILE|NAME==VERSION|URL", required = true)]
    pub files: Vec<PathBuf>,
    /// GPU in any usual spelling: rtx3090, "RTX 3090", sm_86. Says whether the device code runs there. Repeatable.
    #[arg(short, long = "gpu", value_name = "NAME", allow_negative_numbers = true, help_heading = "Machine")]
    pub gpu: Vec<String>,
    /// Do not look for device code: only what is stated. Of a wheel that is elsewhere less than 1 MB is fetched.
    #[arg(long, conflicts_with = "gpu")]
    pub no_code: bool,
    /// Compare the contents of installed files with RECORD, not only their sizes.
    #[arg(long)]
    pub verify: bool,
    /// The wheel for this platform: win_amd64, manylinux_2_28_x86_64, linux-aarch64 … Default: this machine's.
    #[arg(long, value_name = "PLATFORM", allow_negative_numbers = true, help_heading = "Index")]
    pub platform: Option<String>,
    /// The wheel for this Python: 3.12. Default: the newest that there is one for.
    #[arg(
        short = 'p',
        long = "python",
        alias = "py",
        value_name = "VER",
        allow_negative_numbers = true,
        help_heading = "Index"
    )]
    pub wheel_python: Option<String>,
    /// The index that is asked. Default: PIP_INDEX_URL, UV_DEFAULT_INDEX, UV_INDEX_URL, else PyPI.
    #[arg(long, alias = "default-index", value_name = "URL", help_heading = "Index")]
    pub index_url: Option<String>,
}

/// `kb which`.
#[derive(Args, Debug)]
pub struct Which {
    /// Files, libraries whatever their version, programs: libcudnn.so.9, cudnn64_8.dll, cudnn, cudart, nvcc …
    #[arg(value_name = "NAME", required = true)]
    pub names: Vec<String>,
    /// Which machine, and whose frameworks ask.
    #[command(flatten)]
    pub machine: Machine,
}

/// `kb diagnose`.
#[derive(Args, Debug, Default)]
pub struct Diagnose {
    /// Logs, outputs of nvidia-smi, pip list …, all of one machine; or the message itself, in quotes. - is standard input, as is nothing.
    #[arg(value_name = "FILE|MESSAGE")]
    pub files: Vec<PathBuf>,
    /// GPU in any usual spelling, where the text does not say it. Repeatable.
    #[arg(short, long = "gpu", value_name = "NAME", allow_negative_numbers = true, help_heading = "Machine")]
    pub gpu: Vec<String>,
    /// Operating system, where the text does not say it: linux, windows, wsl2.
    #[arg(long, alias = "system", value_name = "OS", help_heading = "Machine")]
    pub os: Option<String>,
    /// Driver version, where the text does not say it.
    #[arg(short, long, value_name = "VER", allow_negative_numbers = true, help_heading = "Machine")]
    pub driver: Option<String>,
    /// Python version, where the text does not say it.
    #[arg(
        short,
        long,
        alias = "py",
        value_name = "VER",
        allow_negative_numbers = true,
        help_heading = "Machine"
    )]
    pub python: Option<String>,
    /// Replace user names, hosts, addresses, tokens and serial numbers in what is shown.
    #[arg(long, help_heading = "Sharing")]
    pub redact: bool,
    /// Write what a bug report needs into a Markdown file, with private names replaced.
    #[arg(long, value_name = "FILE", help_heading = "Sharing")]
    pub bundle: Option<PathBuf>,
    /// Pass the text through while it comes, and explain it at its end (Ctrl-C ends a file that grows).
    #[arg(short, long)]
    pub follow: bool,
    /// Show all causes and everything that was understood.
    #[arg(long, help_heading = "Output")]
    pub all: bool,
    /// A command to run: its output passes through unchanged, its exit code is kept, a failure is explained after it.
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["files", "follow"])]
    pub run: Vec<std::ffi::OsString>,
}

/// Which machine, and which of its Python environments.
#[derive(Args, Debug, Clone, Default)]
pub struct Machine {
    /// A Python environment, its interpreter or its site-packages, instead of the one that a shell would start.
    #[arg(short, long, alias = "py", value_name = "PATH", help_heading = "Machine")]
    pub python: Option<PathBuf>,
    /// All Python environments that can be found.
    #[arg(long, alias = "all-python", conflicts_with = "python", help_heading = "Machine")]
    pub all_pythons: bool,
    /// The variables of the machine instead of your own: what a service sees.
    #[arg(long, help_heading = "Machine")]
    pub as_service: bool,
    /// A machine that was captured with `kb probe --capture`, instead of this one.
    #[arg(long, value_name = "DIR", conflicts_with = "as_service", help_heading = "Machine")]
    pub from: Option<PathBuf>,
}

/// `kb probe`.
#[derive(Args, Debug, Default)]
pub struct Probe {
    /// Which machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Write everything that was looked at into this directory, with private names replaced: for a colleague, or an issue.
    #[arg(long, value_name = "DIR", help_heading = "Sharing")]
    pub capture: Option<PathBuf>,
    /// Show all observations with the way and the place of each.
    #[arg(long, help_heading = "Output")]
    pub all: bool,
}

/// `kb doctor`.
#[derive(Args, Debug, Default)]
pub struct Doctor {
    /// Which machine.
    #[command(flatten)]
    pub machine: Machine,
    /// One line and the exit code: for the first line of the day, and for CI.
    #[arg(short, long)]
    pub quick: bool,
    /// Show all findings in full.
    #[arg(long, help_heading = "Output")]
    pub all: bool,
}

/// `kb snapshot`.
#[derive(Args, Debug, Default)]
pub struct Snapshot {
    /// Which machine.
    #[command(flatten)]
    pub machine: Machine,
    /// The file to compare with.
    #[arg(long, value_name = "FILE")]
    pub check: Option<PathBuf>,
    /// Where to write it. Default: standard output.
    #[arg(short, long, value_name = "FILE", conflicts_with = "check")]
    pub output: Option<PathBuf>,
}

/// `kb watch`.
#[derive(Args, Debug, Default)]
pub struct Watch {
    /// Time from one reading to the next: 2, 0.5, 500ms, 1m. Default: 2 seconds.
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub every: Option<String>,
    /// End after so many readings. Default: at Ctrl-C.
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true)]
    pub count: Option<String>,
    /// How readings are written. Default: table; with --json jsonl.
    #[arg(
        long,
        value_enum,
        value_name = "table|csv|jsonl|prometheus",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    pub format: Option<Format>,
    /// Tell when a temperature is above this, in °C: 85.
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true, help_heading = "Limits")]
    pub temperature_above: Option<String>,
    /// Tell when more of the memory is in use, in percent: 95%.
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, help_heading = "Limits")]
    pub memory_above: Option<String>,
    /// Tell when more of the power limit is drawn, in percent: 95%.
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, help_heading = "Limits")]
    pub power_above: Option<String>,
}

/// How readings are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// For people: a line for each GPU.
    #[default]
    Table,
    /// Comma-separated values with a line of names.
    Csv,
    /// One JSON document a line.
    Jsonl,
    /// The text format of Prometheus.
    Prometheus,
}

/// `kb lint`.
#[derive(Args, Debug)]
pub struct Lint {
    /// The data directory. Default: --data, else kb-data/data, else data.
    ///
    /// One without the relations of the built-in data is checked laid over it.
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The day of today: tables that were read later are told.
    #[arg(long, value_name = "DATE")]
    pub today: Option<String>,
}

/// `kb new`.
#[derive(Args, Debug)]
pub struct New {
    /// gpu, source, fact, release, relation, dispute, advisory, claim, channel, package, topic, rule, signature, cause.
    #[arg(value_name = "KIND")]
    pub kind: String,
    /// What the kind wants: an id, a relation and a source …
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Print the files instead of writing them.
    #[arg(long)]
    pub dry_run: bool,
    /// The day to write as the day of reading. Default: today.
    #[arg(long, value_name = "DATE")]
    pub today: Option<String>,
}

/// `kb site`.
#[derive(Args, Debug)]
pub struct Site {
    /// What to do with it.
    #[command(subcommand)]
    pub action: SiteAction,
}

/// What is done with the website.
#[derive(Subcommand, Debug)]
pub enum SiteAction {
    /// Write the website into a directory.
    #[command(after_help = examples::SITE_BUILD)]
    Build(SiteBuild),
}

/// `kb site build`.
#[derive(Args, Debug)]
pub struct SiteBuild {
    /// Where it is written: a directory that is new, empty, or an earlier site.
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// The path that the site is served under: /kb/. Default: /.
    #[arg(long, value_name = "PATH")]
    pub base_path: Option<String>,
    // The same sentence is the help of the option, where it is no link.
    #[allow(rustdoc::bare_urls)]
    /// The scheme and host that it is served from, https://example.org: for the sitemap and canonical addresses.
    #[arg(long, value_name = "URL")]
    pub origin: Option<String>,
    /// The modules for browsers, which scripts/wasm.sh wrote there: pages then answer questions themselves.
    #[arg(long, value_name = "DIR")]
    pub modules: Option<PathBuf>,
    /// The day that pages say they were made on. Default: today.
    #[arg(long, value_name = "DATE")]
    pub today: Option<String>,
}

/// `kb completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// bash, zsh, fish, powershell, elvish.
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

/// `kb man`.
#[derive(Args, Debug)]
pub struct Man {
    /// A command; without it, the page of the whole.
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

impl Command {
    /// The name as it stands in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Command::Solve(_) => "solve",
            Command::Check(_) => "check",
            Command::Show(_) => "show",
            Command::List(_) => "list",
            Command::Why(_) => "why",
            Command::Explain(_) => "explain",
            Command::Decode(_) => "decode",
            Command::Inspect(_) => "inspect",
            Command::Which(_) => "which",
            Command::Diagnose(_) => "diagnose",
            Command::Probe(_) => "probe",
            Command::Doctor(_) => "doctor",
            Command::Snapshot(_) => "snapshot",
            Command::Watch(_) => "watch",
            Command::Lint(_) => "lint",
            Command::New(_) => "new",
            Command::Site(_) => "site",
            Command::Completions(_) => "completions",
            Command::Man(_) => "man",
        }
    }
}
