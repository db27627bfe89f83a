//! The search of the site.

use crate::{reply, told};
use kb_search::{Hit, Index, Listing, Query};
use serde::Serialize;
use std::cell::RefCell;

thread_local! {
    static INDEX: RefCell<Option<Index<'static>>> = const { RefCell::new(None) };
}

/// What a query brings.
#[derive(Serialize)]
struct Found<'i> {
    hits: Vec<Page<'i>>,
}

#[derive(Serialize)]
struct Page<'i> {
    address: &'i str,
    title: &'i str,
    kind: &'i str,
    language: &'i str,
    why: &'static str,
}

/// How many documents an index has.
#[derive(Serialize)]
struct Loaded {
    documents: usize,
}

/// Takes an index in the place of the one before: first that of the names, then the full one.
/// Block: the index. Result: how many documents it has.
// SAFETY: see `alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn load_search(index: *const u8) -> *const u8 {
    reply(index, |block| {
        // A page loads two of them and keeps the second until it is closed.
        let index = Index::open(Box::leak(block)).map_err(|e| e.to_string())?;
        let documents = index.len();
        INDEX.set(Some(index));
        told(&Loaded { documents })
    })
}

/// Searches. Block: the reader's language and the query, with a line break between. Result: `{"hits": [{"address", "title",
/// "kind", "language", "why"}, …]}`, best first, `limit` at most.
// SAFETY: see `alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn query(asked: *const u8, limit: usize) -> *const u8 {
    reply(asked, |block| {
        let (language, text) =
            crate::text(&block)?.split_once('\n').ok_or("a language and a query are wanted")?;
        INDEX.with_borrow(|index| {
            let index = index.as_ref().ok_or("no index is loaded")?;
            let hits = index.find(&Query { text, language: Some(language), limit });
            told(&Found { hits: hits.iter().map(page).collect() })
        })
    })
}

fn page<'i>(hit: &Hit<'i>) -> Page<'i> {
    let Listing { address, title, kind, language } = hit.document;
    Page { address, title, kind, language, why: hit.why.word() }
}
