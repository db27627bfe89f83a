//! What to say about a name that nothing answers to.

use super::resolve::near_gpus;
use crate::catalog::normal_form;
use crate::diag::Diagnostic;
use crate::version::ComputeCapability;
use crate::world::View;

/// A GPU's name: perhaps it is an architecture, a number of a capability, or a word that many names hold.
pub(super) fn gpu(world: View<'_>, text: &str) -> Diagnostic {
    let wanted = normal_form(text);
    let gpus = &world.kb.gpus;
    // "Ada" is enough for "Ada Lovelace".
    let of_architecture = |i: &usize| {
        let name = &gpus[*i].architecture;
        normal_form(name) == wanted || name.split(' ').next().is_some_and(|w| normal_form(w) == wanted)
    };
    let mut capabilities: Vec<_> = (0..gpus.len())
        .filter(of_architecture)
        .filter_map(|i| world.gpus[i].capability.as_ref().map(|c| c.value))
        .collect();
    if !capabilities.is_empty() {
        capabilities.sort_unstable();
        capabilities.dedup();
        let list: Vec<String> = capabilities.iter().map(ToString::to_string).collect();
        return Diagnostic::error("unknown-gpu", format!("`{text}` is an architecture, not a GPU"))
            .note(format!("its compute capabilities: {}", list.join(", ")))
            .help(format!("name the GPU (`kb list gpus` shows all) or the capability: --gpu cc{}", list[0]));
    }
    let mistake = Diagnostic::error("unknown-gpu", format!("no GPU is called `{text}`"));
    if wanted.bytes().all(|b| b.is_ascii_digit())
        && let Ok(capability) = wanted.parse::<ComputeCapability>()
        && world.gpus.iter().filter_map(|g| g.capability.as_ref()).any(|c| c.value == capability)
    {
        return mistake.help(format!("the compute capability {capability} is written --gpu sm_{wanted}"));
    }
    let near = &*near_gpus(world.kb, text);
    let series = gpus.iter().filter(|g| normal_form(&g.name).contains(&wanted)).count();
    if series > 1 && wanted.len() > 1 {
        // Near to the word of a series are only those with the shortest numbers.
        let near = if wanted.bytes().any(|b| b.is_ascii_digit()) { near } else { &[] };
        return with_near(mistake, near).help(format!(
            "{series} GPUs have it in their name, and `kb list gpus {wanted}` shows them; say which one"
        ));
    }
    with_near(mistake, near).help("`kb list gpus` shows all; a compute capability works too: --gpu cc8.6")
}

/// The message with the near names, if there are some.
pub(super) fn with_near(diagnostic: Diagnostic, near: &[String]) -> Diagnostic {
    if near.is_empty() { diagnostic } else { diagnostic.note(format!("near: {}", near.join(", "))) }
}
