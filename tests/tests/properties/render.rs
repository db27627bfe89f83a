//! A made-up world as data files, and a made-up question as it would be typed.

use super::model::*;
use kb_core::kb::Kb;
use kb_core::request::RawRequest;
use kb_data::authoring::{load, load_over};
use kb_data::tree::DataTree;
use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

/// Relations and words of the real data, so that the tables have their real columns; sources of our own.
static BASE: LazyLock<Kb> = LazyLock::new(|| {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kb-data/data");
    let all = DataTree::from_dir(&data).expect("the data is there");
    let mut tree = DataTree::from_texts(
        all.files()
            .filter(|(path, _)| path.starts_with("relations/") || *path == "words/en.toml")
            .map(|(p, b)| (p, b.to_vec())),
    );
    tree.insert("sources/vendor.toml", "title = 'Vendor'\npublisher = 'Vendor'\nkind = 'vendor-document'\n");
    tree.insert("sources/somebody.toml", "title = 'Somebody'\npublisher = 'Somebody'\nkind = 'report'\n");
    let (kb, diagnostics) = load(&tree);
    assert!(
        diagnostics.is_empty(),
        "{}",
        diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    );
    kb
});

/// A file: its path, what stands on top, and its rows, so that rows can be shuffled.
#[derive(Clone, Debug)]
pub struct File {
    pub path: String,
    pub head: String,
    pub rows: Vec<String>,
}

impl File {
    fn table(relation: &str, source: &str, part: &str) -> File {
        File {
            path: format!("facts/{relation}/{source}{part}.toml"),
            head: format!("source = '{source}'\nread-on = '2026-11-30'\n"),
            rows: Vec::new(),
        }
    }

    fn row(&mut self, cells: &[(&str, Option<String>)]) {
        let mut out = String::from("[[row]]\n");
        for (name, value) in cells {
            if let Some(value) = value {
                let _ = writeln!(out, "{name} = {value}");
            }
        }
        self.rows.push(out);
    }

    pub fn text(&self) -> String {
        format!("{}{}", self.head, self.rows.concat())
    }
}

fn q(text: impl std::fmt::Display) -> Option<String> {
    Some(format!("'{text}'"))
}

fn list<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> Option<String> {
    Some(format!("[{}]", items.into_iter().map(|i| format!("'{i}'")).collect::<Vec<_>>().join(", ")))
}

pub fn cap_text(cap: Cap) -> String {
    format!("{}.{}", cap.0, cap.1)
}

fn target_text(target: &Target) -> String {
    format!("{}{}", cap_text(target.0), target.1.map(String::from).unwrap_or_default())
}

fn cuda_text(cuda: &Cuda) -> String {
    format!("{}.{}", cuda.version.0, cuda.version.1)
}

pub fn name(package: usize) -> &'static str {
    if package == LIB_AT { LIB } else { PACKAGES[package] }
}

/// The files of a world.
pub fn files(world: &World) -> Vec<File> {
    let mut out = Vec::new();
    let mut plain = |path: String, text: String| out.push(File { path, head: text, rows: Vec::new() });
    let mut gpus = String::new();
    for (i, gpu) in world.gpus.iter().enumerate() {
        let _ = writeln!(
            gpus,
            "[[gpu]]\nid = 'board-{i}'\nname = 'Board {i}'\narchitecture = 'Arch{}'\nsegment = '{}'",
            gpu.arch,
            gpu.segment.word()
        );
    }
    plain("catalog/gpus/boards.toml".into(), gpus);
    for (at, package) in world.packages.iter().enumerate().filter(|(_, p)| !p.releases.is_empty()) {
        let main = if package.main { format!("main = {}\n", at + 1) } else { String::new() };
        let module = if package.same_module { "import-name = 'module'\n" } else { "" };
        plain(
            format!("catalog/packages/{}.toml", name(at)),
            format!(
                "name = '{}'\nkind = 'framework'\nscheme = 'pep440'\n{main}{module}channel-order = ['pypi', '*']\n",
                name(at)
            ),
        );
    }
    plain(
        format!("catalog/packages/{LIB}.toml"),
        format!("name = '{LIB}'\nkind = 'library'\nscheme = 'pep440'\n"),
    );
    plain(
        "catalog/packages/cuda-toolkit.toml".into(),
        "name = 'CUDA toolkit'\nkind = 'system'\nscheme = 'cuda'\n".into(),
    );
    for (at, channel) in CHANNELS.iter().enumerate() {
        let serves = (0..3)
            .filter(|p| world.packages[*p].releases.iter().any(|r| r.builds.iter().any(|b| b.channel == at)));
        let serves = list(serves.map(name)).unwrap_or_default();
        let kind = if *channel == "pypi" { "pypi" } else { "pip-index" };
        plain(
            format!("catalog/channels/{channel}.toml"),
            format!(
                "name = '{channel}'\nkind = '{kind}'\npackages = {serves}\n[[install]]\ntool = 'pip'\nshell = 'any'\ncommand = 'pip install {{requirement}}'\n"
            ),
        );
    }
    for (at, advisory) in world.advisories.iter().enumerate() {
        plain(format!("advisories/advisory-{at}.md"), advisory_text(world, at, advisory));
    }
    out.extend(tables(world).into_iter().filter(|t| !t.rows.is_empty()));
    out
}

fn advisory_text(world: &World, at: usize, advisory: &Advisory) -> String {
    let range = |spec: Spec| if spec == Spec::Any { ">=0".to_owned() } else { spec.text() };
    let mut when = format!("{} = '{}'\n", name(advisory.package), range(advisory.spec));
    if let Some(os) = advisory.os {
        let _ = writeln!(when, "os = '{}'", os.word());
    }
    if !advisory.channels.is_empty() {
        let names: Vec<&str> = advisory.channels.iter().map(|c| CHANNELS[*c]).collect();
        let _ = writeln!(when, "channel = '{}'", names.join(" || "));
    }
    if let Some(cap) = advisory.compute_from {
        let _ = writeln!(when, "gpu-compute = '>={}'", cap_text(cap));
    }
    if let Some(gpu) = advisory.gpu {
        let _ = writeln!(when, "gpu = 'board-{gpu}'");
    }
    if let Some(python) = advisory.python_from {
        let _ = writeln!(when, "python = '>=3.{python}'");
    }
    if let Some((from, to)) = advisory.branches {
        let upper = world.branches.get(to).map_or(String::new(), |b| format!(", <R{}", b.number));
        let _ = writeln!(when, "driver-branch = '>=R{}{upper}'", world.branches[from].number);
    }
    if let Some((package, spec)) = advisory.with {
        let _ = writeln!(when, "{} = '{}'", name(package), range(spec));
    }
    let severity = if advisory.breaks { "breaks" } else { "degrades" };
    format!(
        "+++\ntitle = 't'\nseverity = '{severity}'\n[when]\n{when}[say]\nfinding = 'finding-{at}'\nfix = 'x'\n[[evidence]]\nsource = 'vendor'\n+++\nWhy.\n"
    )
}

fn tables(world: &World) -> Vec<File> {
    let table = |relation: &str| File::table(relation, "vendor", "");
    let mut capability = table("gpu-compute-capability");
    let mut listed = table("gpu-driver");
    for (i, gpu) in world.gpus.iter().enumerate() {
        if let Some(cap) = gpu.cap {
            capability.row(&[("gpu", q(format!("board-{i}"))), ("compute-capability", q(cap_text(cap)))]);
        }
        if let Some(branches) = &gpu.listed {
            let entries = branches.iter().map(|(b, since)| {
                let number = world.branches[*b].number;
                since.map_or_else(|| format!("R{number}"), |m| format!("R{number} {number}.{m}"))
            });
            listed.row(&[("gpu", q(format!("board-{i}"))), ("listed", list(entries))]);
        }
    }
    let mut arch = table("arch-driver");
    let mut wsl = table("wsl-support");
    for (i, a) in world.archs.iter().enumerate() {
        let branch = |b: Option<usize>| b.and_then(|b| q(format!("R{}", world.branches[b].number)));
        arch.row(&[
            ("architecture", q(format!("Arch{i}"))),
            ("first-branch", branch(a.first)),
            ("last-branch", branch(a.last)),
        ]);
        if let Some(yes) = a.wsl {
            wsl.row(&[("architecture", q(format!("Arch{i}"))), ("supported", Some(yes.to_string()))]);
        }
    }
    // Which architecture a bare capability belongs to: that of the first board with it.
    let mut info = table("arch-info");
    let mut seen: Vec<Cap> = Vec::new();
    for gpu in &world.gpus {
        let Some(cap) = gpu.cap.filter(|c| !seen.contains(c)) else { continue };
        seen.push(cap);
        info.row(&[
            ("compute-capability", q(cap_text(cap))),
            ("architecture", q(format!("Arch{}", gpu.arch))),
        ]);
    }
    let mut first = table("capability-driver");
    for (cap, branch) in &world.cap_first {
        first.row(&[
            ("compute-capability", q(cap_text(*cap))),
            ("first-branch", q(format!("R{}", world.branches[*branch].number))),
        ]);
    }
    let mut branch = table("driver-branch");
    let mut tags = table("open-kernel-branch");
    for b in &world.branches {
        branch.row(&[
            ("branch", q(format!("R{}", b.number))),
            ("type", q("production")),
            ("cuda", b.cuda.and_then(|c| q(cuda_text(&world.cudas[c])))),
            ("windows-families", b.windows.then(|| format!("[{}]", b.number + 1))),
        ]);
        if world.tables {
            tags.row(&[
                ("branch", q(format!("R{}", b.number))),
                ("first", q(format!("{}.10", b.number))),
                ("last", q(format!("{}.30", b.number))),
                ("tags", Some("3".into())),
            ]);
        }
    }
    let mut release = table("cuda-release");
    let mut targets = table("toolkit-targets");
    let mut ptx = table("toolkit-ptx");
    for cuda in &world.cudas {
        let text = cuda_text(cuda);
        release.row(&[("toolkit", q(&text)), ("label", q(&text))]);
        if let Some(t) = &cuda.targets {
            targets.row(&[("toolkit", q(&text)), ("targets", list(t.iter().map(target_text)))]);
        }
        if let Some(isa) = cuda.isa {
            ptx.row(&[("toolkit", q(&text)), ("isa", q(format!("8.{isa}")))]);
        }
    }
    let mut floors = table("cuda-minimum-driver");
    let mut hearsay = File::table("cuda-minimum-driver", "somebody", "");
    for floor in &world.floors {
        let driver = world.driver_text(Driver::Of(floor.driver.0, floor.driver.1), floor.windows);
        let os = if floor.windows { "windows" } else { "linux" };
        let to = if floor.first_hand { &mut floors } else { &mut hearsay };
        to.row(&[("toolkit", q(format!("{}.*", floor.major))), ("os", q(os)), ("driver", q(driver))]);
    }
    let mut forward = table("cuda-forward");
    for (cuda, on) in &world.forward {
        let text = cuda_text(&world.cudas[*cuda]);
        let on = list(on.iter().map(|b| format!("R{}", world.branches[*b].number)));
        forward.row(&[
            ("package", q(format!("cuda-compat-{}", text.replace('.', "-")))),
            ("toolkit", q(&text)),
            ("compatible", on),
        ]);
    }
    let mut classes = table("cuda-forward-class");
    for (segment, eligible) in [("geforce", "no"), ("datacenter", "yes"), ("rtx-pro-quadro", "selected")] {
        classes.row(&[("segment", q(segment)), ("eligible", q(eligible))]);
    }
    let mut shared = table("shared-paths");
    if let Some((a, b)) = world.shared {
        shared.row(&[("packages", list([name(a), name(b)]))]);
    }
    let mut out = vec![
        capability, listed, arch, wsl, info, first, branch, tags, release, targets, ptx, floors, hearsay,
        forward, classes, shared,
    ];
    out.extend(packages(world));
    out
}

fn packages(world: &World) -> Vec<File> {
    let table = |relation: &str| File::table(relation, "vendor", "");
    let (mut release, mut made, mut code) =
        (table("release"), table("build-made-with"), table("build-device-code"));
    let (mut requires, mut files, mut python) =
        (table("build-requires"), table("wheel-files"), table("package-python"));
    let (mut compute, mut module) = (table("package-compute"), table("import-name"));
    for r in 1..=LIB_RELEASES {
        release.row(&[("package", q(LIB)), ("version", q(format!("{r}.0")))]);
    }
    for (at, package) in world.packages.iter().enumerate() {
        let id = name(at);
        if package.releases.is_empty() {
            continue;
        }
        if let Some((from, below)) = package.python {
            python.row(&[
                ("package", q(id)),
                ("versions", q(">=0")),
                ("python", q(format!(">=3.{from}, <3.{below}"))),
            ]);
        }
        if let Some(cap) = package.compute {
            compute.row(&[
                ("package", q(id)),
                ("versions", q(">=0")),
                ("compute", q(format!(">={}", cap_text(cap)))),
            ]);
        }
        if package.same_module {
            module.row(&[("package", q(id)), ("module", q("module"))]);
        }
        for (i, r) in package.releases.iter().enumerate() {
            let version = format!("{}.0", i + 1);
            let only = q(format!("=={version}"));
            release.row(&[
                ("package", q(id)),
                ("version", q(&version)),
                ("yanked", r.yanked.then(|| "true".into())),
            ]);
            if r.requires.is_some() {
                let texts = r.needs().map(|(p, s, (from, below))| {
                    let lower = (from > 0).then(|| format!("python_version >= \"3.{from}\""));
                    let upper = (below < u32::MAX).then(|| format!("python_version < \"3.{below}\""));
                    let marker: Vec<String> = lower.into_iter().chain(upper).collect();
                    let marker =
                        if marker.is_empty() { String::new() } else { format!("; {}", marker.join(" and ")) };
                    format!("{}{}{marker}", name(p), s.text())
                });
                requires.row(&[("package", q(id)), ("versions", only.clone()), ("requires", list(texts))]);
            }
            for b in &r.builds {
                let place = [
                    ("package", q(id)),
                    ("versions", only.clone()),
                    ("channel", q(CHANNELS[b.channel])),
                    ("platform", q(b.platform.word())),
                ];
                let kind = match b.kind {
                    Kind::Cuda => "cuda",
                    Kind::Cpu => "cpu",
                    Kind::Rocm => "rocm",
                };
                let libs = b.libs.and_then(|l| {
                    q(match l {
                        Libs::Bundled => "bundled",
                        Libs::Wheels => "nvidia-wheels",
                        Libs::System => "system",
                    })
                });
                let mut cells = place.to_vec();
                cells.extend([
                    ("kind", q(kind)),
                    ("cuda", b.cuda.and_then(|c| q(cuda_text(&world.cudas[c])))),
                    ("libraries", libs),
                ]);
                made.row(&cells);
                if let Some((sass, ptx)) = &b.code {
                    let mut cells = place.to_vec();
                    cells.push(("sass", list(sass.iter().map(target_text))));
                    cells.push(("ptx", ptx.as_ref().and_then(|p| list(p.iter().map(target_text)))));
                    code.row(&cells);
                }
                if let Some((minors, glibc)) = &b.files {
                    let mut cells = place.to_vec();
                    cells[1] = ("versions", list([&version]));
                    cells.push(("python", list(minors.iter().map(|m| format!("cp3{m}")))));
                    cells.push(("glibc", glibc.and_then(|g| q(format!("2.{g}")))));
                    files.row(&cells);
                }
            }
        }
    }
    vec![release, made, code, requires, files, python, compute, module]
}

/// Loads files over the base; they must have no mistakes.
pub fn load_files(files: &[File]) -> Result<Kb, String> {
    let tree = DataTree::from_texts(files.iter().map(|f| (f.path.clone(), f.text())));
    let (kb, diagnostics) = load_over(BASE.clone(), &tree);
    if diagnostics.is_empty() {
        Ok(kb)
    } else {
        Err(diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n"))
    }
}

pub fn kb(world: &World) -> Result<Kb, String> {
    load_files(&files(world))
}

/// The question as it would be typed.
pub fn request(world: &World, question: &Question) -> RawRequest {
    let windows = question.os != Os::Linux;
    let mut wants: Vec<String> =
        question.wants.iter().map(|(p, s)| format!("{}{}", name(*p), s.text())).collect();
    if let Some(toolkit) = question.toolkit {
        wants.push(format!("cuda-toolkit=={}", cuda_text(&world.cudas[toolkit])));
    }
    let mut gpus: Vec<String> = question
        .hardware
        .iter()
        .map(|h| match h {
            Hardware::Board(i) => format!("Board {i}"),
            Hardware::Bare(cap) => format!("cc{}", cap_text(*cap)),
        })
        .collect();
    if question.no_gpu {
        gpus.push("none".into());
    }
    RawRequest {
        command: if question.check { "check" } else { "solve" }.into(),
        wants,
        gpus,
        gpus_mode: question.any.then(|| "any".into()),
        os: Some(question.os.word().into()),
        driver: question.driver.map(|d| world.driver_text(d, windows)),
        cuda: question.cuda.map(|c| cuda_text(&world.cudas[c])),
        python: question.python.map(|m| format!("3.{m}")),
        glibc: question.glibc.map(|g| format!("2.{g}")),
        channels: question.channel.map(|c| CHANNELS[c].to_owned()).into_iter().collect(),
        ..RawRequest::default()
    }
}
