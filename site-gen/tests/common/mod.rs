//! A small knowledge base, and a reader of pages that shares nothing with what makes them.
#![allow(dead_code)]

use html5gum::{Token, Tokenizer};
use kb_core::kb::Kb;
use kb_core::world::World;
use site_gen::{Options, Site};

/// A few of each kind of the real data, and the tables of a few relations.
pub(crate) fn small() -> Kb {
    let mut kb = kb_data::builtin_full();
    kb.gpus.truncate(4);
    kb.packages.retain(|p| ["cupy", "cupy-cuda12x", "numpy"].contains(&&*p.id));
    kb.signatures.truncate(6);
    kb.causes.truncate(6);
    kb.articles.truncate(1);
    kb.topics.truncate(3);
    let kept = ["gpu-compute-capability", "release", "driver-branch", "cuda-release", "import-name", "image"];
    let relations = kb.relations.clone();
    kb.tables.retain(|t| kept.contains(&&*relations[usize::from(t.relation)].id));
    kb
}

pub(crate) fn site(kb: &Kb, options: &Options) -> Site {
    let world = World::new(kb);
    match site_gen::generate(&world, options) {
        Ok(site) => site,
        Err(mistakes) => {
            panic!("{}", mistakes.iter().take(9).map(ToString::to_string).collect::<Vec<_>>().join("\n"))
        }
    }
}

pub(crate) fn options() -> Options {
    Options { origin: "https://kb.example".to_owned(), ..Options::new("2026-12-01") }
}

/// A start tag: its name, and its attributes.
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
}

impl Tag {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// All start tags of a page, as a browser reads them.
pub(crate) fn tags(html: &[u8]) -> Vec<Tag> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Tokenizer::new(html)
        .flatten()
        .filter_map(|token| match token {
            Token::StartTag(tag) => Some(Tag {
                name: text(&tag.name),
                attributes: tag.attributes.iter().map(|(n, v)| (text(n), text(v))).collect(),
            }),
            _ => None,
        })
        .collect()
}

/// The pages of a site.
pub(crate) fn pages(site: &Site) -> impl Iterator<Item = (&String, &Vec<u8>)> {
    site.iter().filter(|(path, _)| path.ends_with(".html"))
}
