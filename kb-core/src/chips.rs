//! GPUs of which one name was sold with chips of different compute capability.
//!
//! Which chip a board has only the device itself can say. The question is answered for each of them; where the answers
//! differ, nobody knows.

use crate::answer::{Answer, Verdict};
use crate::request::{GpuTarget, Hardware, Request};
use crate::world::View;

/// A question for each other combination of chips that the GPUs of a question can have, with the first GPU and the
/// capability that make the difference. The catalogue's own chips are those of the question itself.
pub(crate) fn other_variants(world: View<'_>, request: &Request) -> Vec<(Request, GpuTarget)> {
    let mut out: Vec<(Request, GpuTarget)> = Vec::new();
    for (at, target) in request.gpus().iter().enumerate() {
        let others = target.gpu.map(|index| &*world.gpus[index].others).unwrap_or_default();
        // The combinations that the GPUs before this one made, with its own chip.
        let before = out.len();
        for capability in others {
            let other = GpuTarget { gpu: None, capability: *capability, label: target.label.clone() };
            for known in std::iter::once(None).chain((0..before).map(Some)) {
                let (mut changed, first) = match known {
                    None => (request.clone(), other.clone()),
                    Some(known) => out[known].clone(),
                };
                if let Hardware::Gpus { gpus, .. } = &mut changed.hardware {
                    gpus[at] = other.clone();
                }
                out.push((changed, first));
            }
        }
    }
    out
}

/// The answer for the catalogue's chips, unknown where that for other ones differs. `says` is the sentence about a chip
/// with another answer.
pub(crate) fn combine(
    mut answer: Answer,
    others: &[(Answer, GpuTarget)],
    says: impl Fn(&GpuTarget, &str) -> String,
    unknown: impl Fn(&str) -> String,
) -> Answer {
    for (other, chip) in others {
        if other.verdict != answer.verdict {
            answer.verdict = Verdict::Unknown;
            answer.conflict = None;
        }
        for (item, same) in answer.answers.iter_mut().zip(&other.answers) {
            if item.verdict == same.verdict {
                continue;
            }
            let sentence = says(chip, &same.says);
            if item.verdict != Verdict::Unknown || item.missing.is_empty() {
                item.verdict = Verdict::Unknown;
                item.grade = None;
                item.conflict = None;
                item.says = unknown(&item.want);
            }
            item.missing.push(sentence);
        }
    }
    answer
}
