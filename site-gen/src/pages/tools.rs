//! Pages that answer in the browser: what to install, do versions go together, what an error means. Without modules, and
//! without JavaScript, they lead to the pages that say the same.

use super::{index, matrix};
use crate::card_page::Maker;
use crate::kind::Kind;
use crate::modules::{self, Modules};
use crate::page::{Choice, Control, Form, Page, Piece, Section};
use crate::runs::frameworks;
use kb_core::catalog::Gpu;
use kb_core::request::resolve::{self, GpuMatch};
use serde_json::{Map, Value};

/// Where they stand.
pub(crate) const SOLVE: &str = "solve/";
pub(crate) const CHECK: &str = "check/";
pub(crate) const DIAGNOSE: &str = "diagnose/";

/// Words of a script by their ids; places stay for the script to fill.
const SHARED_WORDS: [&str; 4] =
    ["ui-site-form-loading", "ui-site-form-failed", "ui-site-form-near", "ui-semicolon"];
const ANSWER_WORDS: [&str; 43] = [
    "ui-fits",
    "ui-conflict",
    "ui-unknown",
    "ui-grade",
    "ui-grade-confirmed",
    "ui-grade-primary",
    "ui-grade-secondary",
    "ui-grade-reported",
    "ui-grade-inferred",
    "ui-alone",
    "ui-stack",
    "ui-from",
    "ui-cuda",
    "ui-cudnn",
    "ui-python",
    "ui-accepts",
    "ui-driver",
    "ui-driver-least",
    "ui-driver-native",
    "ui-driver-below",
    "ui-driver-have",
    "ui-driver-branch",
    "ui-path-native",
    "ui-path-minor-version",
    "ui-path-forward-package",
    "ui-libraries",
    "ui-libraries-bundled",
    "ui-libraries-nvidia-wheels",
    "ui-libraries-system",
    "ui-code",
    "ui-runs-ptx",
    "ui-runs-run-time",
    "ui-runs-sass",
    "ui-install",
    "ui-why",
    "ui-in-the-way",
    "ui-also-in-the-way",
    "ui-try",
    "ui-missing",
    "ui-limits",
    "ui-also-fits",
    "ui-sources",
    "ui-read-on",
];
const CAUSE_WORDS: [&str; 15] = [
    "ui-diag-confirmed",
    "ui-diag-likely",
    "ui-diag-possible",
    "ui-diag-negative",
    "ui-diag-also",
    "ui-diag-fix",
    "ui-diag-undo",
    "ui-diag-proof",
    "ui-diag-decides",
    "ui-diag-never",
    "ui-diag-page",
    "ui-diag-nothing",
    "ui-diag-next",
    "ui-diag-understood",
    "ui-diag-harmless",
];

/// All of them.
pub(crate) fn pages(maker: Maker<'_, '_, '_>, modules: Option<&Modules>) -> Vec<Page> {
    let version = modules.map(modules::version);
    let forms = version.map(|v| [solve(maker, &v), check(maker, &v), diagnose(maker, &v)]);
    let forms = forms.map_or([None, None, None], |f| f.map(Some));
    let links = [
        vec![("ui-site-start-gpu", Kind::Gpu.segment()), ("ui-site-start-matrix", matrix::ADDRESS)],
        vec![
            ("ui-site-all-package", Kind::Package.segment()),
            ("ui-site-all-branch", Kind::Branch.segment()),
        ],
        vec![
            ("ui-site-start-error", Kind::Signature.segment()),
            ("ui-site-all-cause", Kind::Cause.segment()),
        ],
    ];
    let places = [("solve", SOLVE), ("check", CHECK), ("diagnose", DIAGNOSE)];
    let parts = places.into_iter().zip(forms).zip(links);
    parts.map(|(((name, address), form), links)| page(maker, name, address, form, &links)).collect()
}

fn page(
    maker: Maker<'_, '_, '_>,
    name: &str,
    address: &str,
    form: Option<Form>,
    links: &[(&str, &str)],
) -> Page {
    let (book, tongue) = (maker.book, maker.tongue);
    let link = |(word, address): &(&str, &str)| {
        let address = format!("{}/", address.trim_end_matches('/'));
        Piece::link(tongue.word(word), Some(book.link(tongue.language, &address)))
    };
    let about = tongue.word(&format!("ui-site-about-{name}"));
    let mut sections = vec![Section::Note { text: about.clone() }];
    sections.extend(form.map(|form| Section::Form { form: Box::new(form) }));
    sections.push(Section::List {
        id: "pages".to_owned(),
        title: tongue.word("ui-site-as-pages"),
        items: links.iter().map(link).collect(),
        code: false,
        lang: None,
    });
    Page {
        address: address.to_owned(),
        title: tongue.word(&format!("ui-site-{name}")),
        description: about,
        kind: None,
        crumbs: index::home(book, tongue),
        sections,
        json: None,
        subject: name.to_owned(),
    }
}

fn form(
    maker: Maker<'_, '_, '_>,
    (script, module, command): (&'static str, &'static str, &'static str),
    version: &str,
    words: &[&str],
    controls: Vec<Control>,
) -> Form {
    let tongue = maker.tongue;
    let words: Map<String, Value> = words
        .iter()
        .chain(&SHARED_WORDS)
        .map(|id| ((*id).to_owned(), Value::String(tongue.word(id))))
        .collect();
    Form {
        script,
        module,
        command,
        version: version.to_owned(),
        words: Value::Object(words).to_string(),
        send: tongue.word(&format!("ui-site-form-{command}")),
        link: (script == "solve").then(|| tongue.word("ui-site-form-link")),
        answer: tongue.word("ui-site-form-answer"),
        private: tongue.word(if script == "solve" { "ui-site-form-here" } else { "ui-site-form-private" }),
        controls,
    }
}

/// A line to type in.
fn line(maker: Maker<'_, '_, '_>, name: &'static str, word: &str, example: &'static str) -> Control {
    Control { sort: "line", name, label: maker.tongue.word(word), example, choices: Vec::new() }
}

/// GPU and system.
fn machine(maker: Maker<'_, '_, '_>) -> Vec<Control> {
    let kb = maker.book.kb;
    // A name that other GPUs have too is proposed as an id.
    let spelled = |(index, gpu): (usize, &Gpu)| match resolve::gpu(kb, &gpu.name) {
        GpuMatch::Gpu(found) if found == index => gpu.name.to_string(),
        _ => gpu.id.to_string(),
    };
    let gpus =
        kb.gpus.iter().enumerate().map(spelled).map(|name| Choice::of(name.as_str(), &*name)).collect();
    let mut systems = vec![Choice::of("", maker.tongue.word("ui-site-form-any"))];
    systems.extend(
        [("linux", "Linux"), ("windows", "Windows"), ("wsl2", "WSL 2"), ("macos", "macOS")]
            .map(|(value, text)| Choice::of(value, text)),
    );
    vec![
        Control { choices: gpus, ..line(maker, "gpu", "ui-k-gpu", "GeForce RTX 3090") },
        Control { sort: "choice", choices: systems, ..line(maker, "os", "ui-site-c-system", "") },
        line(maker, "driver", "ui-k-driver", "535.104.05"),
        line(maker, "python", "ui-python", "3.12"),
    ]
}

fn solve(maker: Maker<'_, '_, '_>, version: &str) -> Form {
    let packages = &maker.book.kb.packages;
    let main = frameworks(maker.book.world);
    let choices = main.into_iter().map(|i| Choice::of(&*packages[i].id, &*packages[i].name)).collect();
    let mut controls = machine(maker);
    controls.extend([
        Control { sort: "boxes", choices, ..line(maker, "want", "ui-site-frameworks", "") },
        line(maker, "more", "ui-site-form-more", "torchvision vllm"),
        line(maker, "cuda", "ui-k-cuda", "12.8"),
    ]);
    form(maker, ("solve", "engine", "solve"), version, &ANSWER_WORDS, controls)
}

fn check(maker: Maker<'_, '_, '_>, version: &str) -> Form {
    let mut controls = vec![line(maker, "more", "ui-site-form-packages", "torch==2.9.1 torchvision==0.24.1")];
    controls.extend(machine(maker));
    controls.extend([line(maker, "cuda", "ui-k-cuda", "12.8"), line(maker, "cudnn", "ui-k-cudnn", "9.10.2")]);
    form(maker, ("solve", "engine", "check"), version, &ANSWER_WORDS, controls)
}

fn diagnose(maker: Maker<'_, '_, '_>, version: &str) -> Form {
    let text = Control { sort: "text", ..line(maker, "text", "ui-site-form-text", "") };
    form(maker, ("paste", "diagnose", "diagnose"), version, &CAUSE_WORDS, vec![text])
}
