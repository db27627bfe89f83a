//! Data comes from anybody.

mod common;

use common::{options, pages, site, small, tags};
use kb_core::kb::Kb;
use kb_core::value::Value;
use kb_core::world::World;
use site_gen::{Options, generate};

const SCRIPT: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>";

fn poisoned() -> Kb {
    let mut kb = small();
    kb.gpus[0].name = SCRIPT.into();
    kb.gpus[0].note = Some(SCRIPT.into());
    kb.gpus[0].aliases = vec![SCRIPT.into()];
    kb.gpus[1].id = "../../../etc/passwd".into();
    kb.gpus[1].name = "[x](javascript:alert(1))".into();
    kb.gpus[2].id = format!("long-{}", "x".repeat(4000)).into();
    kb.sources[0].title = SCRIPT.into();
    kb.sources[0].address = Some("javascript:alert(1)".into());
    kb.signatures[0].title.en = SCRIPT.into();
    kb.signatures[0].prose.en = format!("# {SCRIPT}\n\n<iframe src=\"//x\"></iframe>\n\n[a](javascript:alert(1)) [b](//evil/) [c](data:text/html,x)\n\n| a |\n|---|\n| {SCRIPT} |\n").into();
    kb.signatures[0].matches = vec![SCRIPT.into()];
    kb.causes[0].fixes[0].says.en = SCRIPT.into();
    kb.topics[0].id = "..".repeat(3).replace("..", "a/../").into();
    kb.articles[0].claims[0].statement = SCRIPT.into();
    kb.articles[0].claims[0].id = "\"onclick=alert(1)".into();
    kb.relations[0].title = SCRIPT.into();
    for table in &mut kb.tables {
        if let Some(cell) = table.rows[0].cells.iter_mut().flatten().find(|c| matches!(c, Value::Text(_))) {
            *cell = Value::Text(format!("{SCRIPT}{}", "y".repeat(1_000_000)).into());
        }
    }
    kb
}

#[test]
fn nothing_of_the_data_becomes_a_tag_an_address_or_a_path() {
    let site = site(&poisoned(), &options());
    for (path, html) in pages(&site) {
        for tag in tags(html) {
            let own = tag.name != "script" || tag.get("src") == Some("/static/site.js");
            assert!(
                own && !["iframe", "img", "object", "embed", "style", "base"].contains(&tag.name.as_str()),
                "{path}: {}",
                tag.name
            );
            for (name, value) in &tag.attributes {
                assert!(!name.starts_with("on"), "{path}: {name}");
                if name == "href" || name == "src" {
                    let safe = ["/", "#", "https://", "http://", "data:,"]
                        .iter()
                        .any(|start| value.starts_with(start));
                    assert!(safe && !value.starts_with("//"), "{path}: {value}");
                }
            }
        }
    }
    let largest = pages(&site).map(|(path, html)| (html.len(), path.as_str())).max().unwrap_or_default();
    assert!(largest.0 < 600_000, "a cell of a megabyte makes no page of one: {largest:?}");
    for path in site.keys() {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/._+-".contains(c);
        assert!(path.chars().all(plain) && !path.contains("..") && !path.starts_with('/'), "{path}");
        assert!(path.len() < 240, "{path}");
    }
}

#[test]
fn two_things_with_one_address_are_told() {
    let mut kb = small();
    kb.gpus[0].id = "a b".into();
    kb.gpus[1].id = "A-B".into();
    kb.gpus[2].id = "显卡".into();
    let mistakes = generate(&World::new(&kb), &options()).expect_err("two GPUs have one address");
    let codes: Vec<&str> = mistakes.iter().map(|d| d.code).collect();
    assert!(codes.contains(&"one-address") && codes.contains(&"no-address"), "{codes:?}");
}

#[test]
fn places_that_are_none_are_refused() {
    let kb = small();
    let world = World::new(&kb);
    for (base, origin) in [
        ("/../", ""),
        ("/\"><script>/", ""),
        ("/", "javascript:alert(1)"),
        ("/", "https://a/b"),
        ("/", "https://a\"b"),
    ] {
        let options =
            Options { base_path: base.to_owned(), origin: origin.to_owned(), ..Options::new("2026-12-01") };
        assert!(generate(&world, &options).is_err(), "{base} {origin}");
    }
}
