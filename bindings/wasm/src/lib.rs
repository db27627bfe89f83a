//! kb in the browser: functions over blocks of bytes, without glue that would have to be generated.
//!
//! A call goes like this: the page asks [`alloc`] for a block, fills it, and passes its address to one function, which takes
//! it back. What comes out is text (JSON in UTF-8): the function returns its address, [`length`] its length, and it stays
//! until the next call. A page copies it at once.
//!
//! ```js
//! const give = bytes => { const at = kb.alloc(bytes.length); new Uint8Array(kb.memory.buffer, at).set(bytes); return at }
//! const told = at => JSON.parse(decoder.decode(new Uint8Array(kb.memory.buffer, at, kb.length())))
//! told(kb.load_search(give(index)))                      // {"documents": 2000}
//! told(kb.query(give(encoder.encode('en\nrtx 3090')), 10))         // {"hits": [{"address": "/gpu/rtx-3090/", …}]}
//! ```
//!
//! What cannot be done is told: `{"error": "…"}`. Nothing here decides anything: the crates behind it do.
//!
//! No function touches memory that it was not given: addresses are looked up among the blocks that were handed out. The only
//! `unsafe` is what a function needs to keep its name in the module.

mod blocks;
#[cfg(feature = "diagnose")]
mod logs;
#[cfg(feature = "engine")]
mod questions;
#[cfg(feature = "search")]
mod searching;

use serde::Serialize;

/// A block of so many bytes for the page to fill; it belongs to the function that it is passed to.
// SAFETY: of all crates in the module only this one exports names, and each once.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    blocks::hand_out(length)
}

/// Takes a block back that no function is going to get.
// SAFETY: see `alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn free(block: *const u8) {
    blocks::take_back(block);
}

/// How many bytes long the last result is.
// SAFETY: see `alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    blocks::length()
}

/// What a function makes of the block at an address: text, or an error in words.
fn reply(block: *const u8, make: impl FnOnce(Box<[u8]>) -> Result<String, String>) -> *const u8 {
    let block = blocks::take_back(block).ok_or_else(|| "no block was handed out at this address".to_owned());
    blocks::tell(block.and_then(make).or_else(|error| told(&Failure { error })).unwrap_or_default())
}

/// What cannot be done.
#[derive(Serialize)]
struct Failure {
    error: String,
}

/// A value as JSON.
fn told<T: Serialize>(value: &T) -> Result<String, String> {
    serde_json::to_string(value).map_err(|e| e.to_string())
}

/// A block as text.
fn text(block: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(block).map_err(|e| e.to_string())
}
