//! What lints say beyond the loader.

mod common;

use common::{edited, shown, with, world};
use kb_data::lint::{lint, lint_whole, rule_pages};
use kb_data::tree::DataTree;

fn one(tree: &DataTree, code: &str, piece: &str) {
    let all = lint(tree);
    assert_eq!(all.len(), 1, "{}", shown(&all));
    assert_eq!(all[0].code, code);
    assert!(all[0].to_string().contains(piece), "{}", all[0]);
}

#[test]
fn the_world_passes() {
    let all = lint(&world());
    assert!(all.is_empty(), "{}", shown(&all));
}

#[test]
fn pages() {
    one(&edited("relations/release.md", "\n\nNot more.", ""), "missing-page", "two paragraphs");
    one(
        &edited("disputes/cuda-minimum-driver/12-linux.md", "The maker knows.\n", ""),
        "missing-page",
        "no text",
    );
}

#[test]
fn spellings() {
    let gpu = |id: &str, name: &str, alias: &str| {
        format!(
            "[[gpu]]\nid = '{id}'\nname = '{name}'\narchitecture = 'Sred'\nsegment = 'geforce'\naliases = [{alias}]\n"
        )
    };
    one(
        &with(&[("catalog/gpus/sred.toml", &gpu("red-1x", "GeForce Red-1", ""))]),
        "ambiguous-spelling",
        "`geforcered1` names 2 GPUs: red-1, red-1x",
    );
    one(
        &with(&[("catalog/gpus/sred.toml", &gpu("red-7", "Quadro RED 7", "'Red 7'"))]),
        "needless-alias",
        "`red-7` answers to `Red 7`",
    );
    // Without the brands the names are equal, which must be listed.
    let both = gpu("red-7", "Quadro RED 7", "") + &gpu("red-7-tesla", "Tesla RED 7", "");
    one(&with(&[("catalog/gpus/sred.toml", &both)]), "ambiguous-spelling", "`red7` names 2 GPUs");
    let listed = "[[ambiguous]]\nspelling = 'RED 7'\ncandidates = ['red-7', 'red-7-tesla']\n";
    let all = lint(&with(&[("catalog/gpus/sred.toml", &both), ("catalog/gpus/ambiguous.toml", listed)]));
    assert!(all.is_empty(), "{}", shown(&all));
}

#[test]
fn words() {
    let english = ("words/en.toml", "[verdict]\nfits = '{package} fits'\nfails = 'no'\n");
    one(
        &with(&[english, ("words/zh-Hans.toml", "[verdict]\nfits = '{package} 可用'\n")]),
        "missing-sentence",
        "`verdict.fails` is missing in zh-Hans",
    );
    one(
        &with(&[english, ("words/zh-Hant.toml", "[verdict]\nfits = '可用'\nfails = '否'\n")]),
        "unequal-places",
        "English: {package}",
    );
}

#[test]
fn sources() {
    let source = |kind: &str| format!("title = 't'\npublisher = 'p'\nkind = '{kind}'\n");
    one(&with(&[("sources/idle.toml", &source("report"))]), "unused-source", "nothing is taken from `idle`");
    let table = "source = 'ours'\nread-on = '2026-11-30'\n[[row]]\npackage = 'torch'\nversion = '2.8.0'\n";
    one(
        &with(&[("sources/ours.toml", &source("derived")), ("facts/release/ours.toml", table)]),
        "unexplained-inference",
        "1 inferred rows",
    );
}

#[test]
fn packages_and_channels() {
    one(
        &edited("catalog/packages/torch-cpu.toml", "gpu-package", "main = 1\ngpu-package"),
        "equal-order",
        "both have main = 1",
    );
    one(
        &edited("catalog/packages/cuda-toolkit.toml", "kind", "channel-order = ['pypi']\nkind"),
        "not-served",
        "does not list `cuda-toolkit`",
    );
    one(
        &edited("facts/build-made-with/maker.toml", "==2.8.*", "==2.8.7"),
        "empty-range",
        "no known release of `torch` is in `==2.8.7`",
    );
    // Beyond the newest release nobody knows.
    assert!(lint(&edited("facts/build-made-with/maker.toml", "==2.8.*", "==7.*")).is_empty());
}

#[test]
fn lists_beside_each_other() {
    let real =
        kb_data::tree::DataTree::from_dir(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data"))
            .expect("the data is there");
    let path = "imported/pypi/shared-paths/wheels.toml";
    let text = String::from_utf8_lossy(real.get(path).expect("there")).into_owned();
    let line = |start: &str| text.lines().find(|l| l.starts_with(start)).expect("there").to_owned();
    let found = |from: &str, to: &str| {
        let mut tree = real.clone();
        tree.insert(path, text.replacen(from, to, 1));
        lint(&tree)
    };
    let versions = line("versions = ");
    for (to, says) in
        [("versions = [\"==1.0\"]", "`versions` has 1 sets"), ("versions = []", "`versions` has 0 sets")]
    {
        let found = found(&versions, to);
        let one = found.iter().find(|d| d.code == "list-lengths").expect("found");
        assert!(one.message.contains(says) && one.place.as_ref().is_some_and(|p| p.path == path), "{one}");
    }
    let found = found(&line("packages = "), "packages = [\"cupy-cuda11x\", \"cupy-cuda11x\"]");
    assert!(found.iter().any(|d| d.code == "same-package"), "{found:?}");
}

#[test]
fn rules_have_pages() {
    let kb = kb_data::authoring::load(&with(&[(
        "rules/old.md",
        "+++\ntitle = 't'\nreads = ['release']\n+++\nText.\n",
    )]))
    .0;
    let codes: Vec<&str> = rule_pages(&kb, &["new"]).iter().map(|d| d.code).collect();
    assert_eq!(codes, ["missing-page", "unknown-rule"]);
}

#[test]
fn hidden_characters() {
    let gpu = |name: &str| {
        format!("[[gpu]]\nid = 'red-9'\nname = \"{name}\"\narchitecture = 'Red'\nsegment = 'geforce'\n")
    };
    for (name, piece) in [
        ("Red\u{202e} 9", "U+202E"),
        ("Red \u{7f}9", "U+007F"),
        ("Red\u{200b}9", "U+200B"),
        ("Red \\u001b9", "U+001B in `name`"),
        ("Red \\u2066 9", "U+2066 in `name`"),
    ] {
        let all = lint(&with(&[("catalog/gpus/rednine.toml", &gpu(name))]));
        // TOML itself refuses raw control characters; the lint says which it is.
        assert!(
            all.iter().any(|d| d.code == "hidden-character" && d.message.contains(piece)),
            "{}",
            shown(&all)
        );
    }
    // In a page, below its keys.
    let all = lint(&edited("relations/release.md", "Not more.", "Not\u{200f} more."));
    assert!(all.iter().any(|d| d.code == "hidden-character"), "{}", shown(&all));
    assert!(lint(&with(&[("catalog/gpus/rednine.toml", &gpu("红色 9 · é"))])).is_empty());
}

#[test]
fn words_of_gpus() {
    let gpu = |architecture: &str, segment: &str| {
        format!(
            "[[gpu]]\nid = 'red-9'\nname = 'Red 9'\narchitecture = '{architecture}'\nsegment = '{segment}'\n"
        )
    };
    one(
        &with(&[("catalog/gpus/rednine.toml", &gpu("Red", "gefroce"))]),
        "unknown-word",
        "the segment `gefroce`",
    );
    // What architectures there are is known only where a table says it.
    let relation = "+++\ntitle = 't'\nsays = '{compute-capability} {architecture}'\nkey = ['compute-capability']\nprimary = ['vendor-document']\n[columns]\ncompute-capability = 'compute'\narchitecture = 'text'\n+++\nIs.\n\nNot more.\n";
    let rows = "source = 'maker'\nread-on = '2026-11-30'\n[[row]]\ncompute-capability = '8.6'\narchitecture = 'Red'\n";
    one(
        &with(&[
            ("relations/arch-info.md", relation),
            ("facts/arch-info/maker.toml", rows),
            ("catalog/gpus/rednine.toml", &gpu("Redd", "geforce")),
        ]),
        "unknown-word",
        "the architecture `Redd`",
    );
}

#[test]
fn a_whole_directory_has_pages_and_words() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut tree = DataTree::from_dir(&data).expect("listed");
    tree.remove("rules/device-code.md");
    tree.remove("words/en.toml");
    let all = lint_whole(&tree);
    let said: Vec<String> = all.iter().map(|d| format!("{} {}", d.code, d.message)).collect();
    assert_eq!(
        said,
        [
            "missing-page the rule `device-code` has no page",
            "missing-sentence there are no sentences in English"
        ],
        "{}",
        shown(&all)
    );
}

/// A signature whose page and samples are good.
const SIGNATURE: &str = "+++\ntitle = 'it broke'\nneedle = ['it has BROKEN']\npattern = 'broken (?<cc>\\d)'\n\
    captures = { cc = 'compute-capability' }\nemitted-by = ['program']\nmatches = ['E: It has broken 7']\n\
    passes = ['it has broken down']\nseen-in = ['o/r path']\n[zh]\ntitle = '坏了'\n+++\nIt means that.\n\n\
    <!-- zh-Hans -->\n\n就是这样。\n";

/// A cause whose page has all parts.
const CAUSE: &str = "+++\ntitle = 'why'\nfamily = 'driver'\nsays = ['so']\n[zh]\ntitle = '原因'\n+++\n## Why\n\n\
    Because.\n\n## How to see it\n\n## How to fix it\n\n## Do not\n\n<!-- zh-Hans -->\n\n## 为什么\n\n因为。\n\n\
    ## 怎么确认\n\n## 怎么解决\n\n## 不要做\n";

#[test]
fn signatures_find_their_samples() {
    let changed = |from: &str, to: &str| {
        assert!(SIGNATURE.contains(from), "{from}");
        with(&[("signatures/s.md", &SIGNATURE.replace(from, to))])
    };
    assert!(lint(&with(&[("signatures/s.md", SIGNATURE)])).is_empty());
    one(
        &changed("'E: It has broken 7'", "'E: It broke 7'"),
        "unmatched-sample",
        "no needle is in the sample",
    );
    one(
        &changed("'E: It has broken 7'", "'E: It has broken'"),
        "unmatched-sample",
        "the pattern does not match",
    );
    one(&changed("'it has broken down'", "'it has broken 8'"), "matched-contrast", "must pass, and is found");
    one(&changed("[zh]\ntitle = '坏了'\n", ""), "missing-translation", "the title");
    one(&changed("It means that.", ""), "missing-page", "no sentence");
    one(&changed("就是这样。", ""), "missing-translation", "the page");
    let idle = SIGNATURE
        .replace("pattern = 'broken (?<cc>\\d)'\n", "")
        .replace("passes = ['it has broken down']\n", "");
    one(&with(&[("signatures/s.md", &idle)]), "idle-captures", "no pattern");
}

#[test]
fn a_sample_may_be_broken_by_a_console() {
    let sample = SIGNATURE.replace("'E: It has broken 7'", "\"\"\"E: It has\nbroken 7\"\"\"");
    let all = lint(&with(&[("signatures/s.md", &sample)]));
    assert!(all.is_empty(), "{}", shown(&all));
}

#[test]
fn pages_of_causes_have_four_parts() {
    let changed = |from: &str, to: &str| with(&[("causes/c.md", &CAUSE.replace(from, to))]);
    assert!(lint(&with(&[("causes/c.md", CAUSE)])).is_empty());
    one(&changed("## Do not\n", ""), "missing-heading", "the English page has no ## Do not");
    one(&changed("## 不要做\n", ""), "missing-heading", "the Chinese page has no ## 不要做");
    one(&changed("title = '原因'\n", ""), "missing-translation", "the title");
}

#[test]
fn causes_are_no_consequences_of_themselves() {
    let over = |id: &str, others: &str| {
        let front = format!("+++\nover = [{others}]\n");
        (format!("causes/{id}.md"), CAUSE.replacen("+++\n", &front, 1))
    };
    let tree = |files: &[(String, String)]| {
        with(&files.iter().map(|(path, text)| (&**path, &**text)).collect::<Vec<_>>())
    };
    assert!(lint(&tree(&[over("c", "'b'"), over("b", "'a'"), over("a", "")])).is_empty());
    let circle = tree(&[over("c", "'b'"), over("b", "'a'"), over("a", "'d', 'c'"), over("d", "")]);
    one(&circle, "cycle", "a → c → b → a");
    one(&tree(&[over("a", "'a'")]), "cycle", "a → a");
}

#[test]
fn what_must_not_be_done_may_be_of_one_system_or_package() {
    let never = |text: &str| {
        let front = format!("+++\nnever = ['plain', {text}]\n");
        with(&[(
            "causes/c.md",
            &CAUSE.replacen("+++\n", &front, 1).replace("[zh]\n", "[zh]\nnever = ['一', '二']\n"),
        )])
    };
    let (kb, mistakes) =
        kb_data::authoring::load(&never("{ says = 'this', os = 'windows', framework = 'cu*' }"));
    assert!(mistakes.is_empty(), "{}", shown(&mistakes));
    let never_of = &kb.causes[0].never[1];
    assert_eq!((never_of.os.as_deref(), never_of.says.zh.as_deref()), (Some("windows"), Some("二")));
    assert!(never_of.is_about("cuda-toolkit") && !never_of.is_about("torch"));
    one(&never("{ says = 'this', os = 'beos' }"), "unknown-word", "`os` cannot be `beos`");
    one(&never("{ says = 'this', system = 'windows' }"), "unknown-key", "`system`");
    let number = lint(&never("7"));
    assert_eq!(number[0].code, "wrong-type", "{}", shown(&number));
    one(
        &never("{ says = 'this', framework = 'tourch*' }"),
        "dangling-package",
        "no package is called `tourch*`",
    );
}
