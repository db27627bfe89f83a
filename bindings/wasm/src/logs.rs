//! Logs and messages.

use crate::questions::with_world;
use crate::{reply, text, told};
use diagnose::diagnosis;
use diagnose::needles::Needles;
use diagnose::sift::sift;

/// Finds the cause of a failure. Block: the language and the text, with a line break between. Result: the document of
/// `kb diagnose --json`. The data's part for it has to be loaded.
// SAFETY: see `alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn diagnose(log: *const u8) -> *const u8 {
    reply(log, |block| {
        let (language, log) = text(&block)?.split_once('\n').ok_or("a language and a text are wanted")?;
        with_world(|world| {
            let needles = Needles::new(world.kb, &diagnose::read::ANCHORS);
            let excerpt = sift(&needles, &mut log.as_bytes()).map_err(|e| e.to_string())?;
            let findings = diagnosis::observe(&needles, excerpt, Vec::new());
            told(&diagnosis::diagnose(world, &findings, language))
        })
    })
}
