//! Channels that serve builds: `cu118`, `post117`, `pytorch-cu126`, `stable/cu126`, an index's address.
//!
//! Source: the channels of the catalogue; the labels' numbers otherwise.

use super::label::{self, Label};
use super::name::Name;
use super::text::{self, Cuda};
use super::wheel::say_label;
use super::{Decoded, lookup};
use crate::kb::Kb;

/// Reads a channel's name or address. A bare `cu124` is a channel too: the label in versions and the last part of
/// the index's address are the same word.
pub(super) fn read(kb: &Kb, name: &Name) -> Option<Decoded> {
    let lower = name.text.to_ascii_lowercase();
    let trimmed = lower.trim_end_matches('/');
    if let Some(channel) = kb
        .channels
        .iter()
        .find(|c| c.address.as_deref().is_some_and(|a| a.trim_end_matches('/').eq_ignore_ascii_case(trimmed)))
    {
        let label = channel.id.rsplit('-').next().unwrap_or(&channel.id).to_owned();
        return Some(reading(kb, &channel.id, None, &label, None));
    }
    let address = trimmed.contains('/');
    let (framework, stage, word) = if address { in_address(trimmed)? } else { (None, None, trimmed) };
    let known =
        kb.channels.iter().any(|c| *c.id == *word || c.aliases.iter().any(|a| a.eq_ignore_ascii_case(word)));
    let (prefix, bare) = match word.rsplit_once('-') {
        Some((p, rest)) => (framework_of(p), rest),
        None => (None, word),
    };
    if !known && word.contains('-') && prefix.is_none() {
        return None;
    }
    let says = of_label(bare);
    if !known && !says.as_ref().is_some_and(Label::says_something) && bare != "cudnnin" {
        return None;
    }
    let mut out = reading(kb, word, framework.or(prefix), bare, stage);
    if stage.is_some() {
        // The stage is part of the address and not of a channel's id.
        out.canonical = Some(trimmed.to_owned());
    }
    Some(out)
}

/// Framework, `stable` or `nightly`, and the label of an index's address or of its last two parts.
fn in_address(text: &str) -> Option<(Option<&'static str>, Option<&'static str>, &str)> {
    let (before, label) = text.rsplit_once('/')?;
    let framework = if before.contains("download.pytorch.org") {
        Some("torch")
    } else if before.contains("paddlepaddle.org.cn") {
        Some("paddlepaddle-gpu")
    } else {
        None
    };
    let last = before.rsplit('/').next().unwrap_or(before);
    let stage = match last {
        "stable" => Some("stable"),
        "nightly" => Some("nightly"),
        "test" => Some("test"),
        "whl" => None,
        _ if framework.is_some() => None,
        _ => return None,
    };
    Some((framework, stage, label))
}

fn framework_of(prefix: &str) -> Option<&'static str> {
    match prefix {
        "pytorch" | "torch" | "pytorch-lts" => Some("torch"),
        "paddle" | "paddlepaddle" | "paddlepaddle-gpu" => Some("paddlepaddle-gpu"),
        "onnxruntime" | "ort" => Some("onnxruntime-gpu"),
        "jax" => Some("jax"),
        _ => None,
    }
}

/// Reads a label that is a whole word: nothing else may stand in it.
fn of_label(word: &str) -> Option<Label> {
    if let Some(n) = word.strip_prefix("post") {
        return text::number(n).map(label::post);
    }
    match text::word_numbers(word)[..] {
        [(w, n)] if w.len() + n.len() == word.len() => match (w, n) {
            ("cu" | "cuda" | "rocm", n) if !n.is_empty() => Some(label::local(word)),
            ("cpu" | "xpu", "") => Some(label::local(word)),
            _ => None,
        },
        _ => None,
    }
}

/// The prefix of a framework's channel ids in the catalogue.
fn id_prefix(framework: &str) -> &'static str {
    match framework {
        "torch" => "pytorch-",
        "paddlepaddle-gpu" => "paddle-",
        "jax" => "jax-",
        _ => "onnxruntime-",
    }
}

fn reading(
    kb: &Kb,
    word: &str,
    framework: Option<&'static str>,
    bare: &str,
    stage: Option<&'static str>,
) -> Decoded {
    let mut out = Decoded::new("channel", "decode-channel");
    out.say("label", bare);
    if let Some(stage) = stage {
        out.mean("stage", stage);
    }
    let label = of_label(bare).unwrap_or_default();
    say_label(&mut out, &label);
    let of_framework = |id: &str| framework.is_none_or(|f| id.starts_with(id_prefix(f)));
    let mut channels = match kb.channel(word) {
        Some(i) => vec![kb.channels[i].id.to_string()],
        None => lookup::channels_for(kb, word),
    };
    if channels.is_empty() {
        channels = lookup::channels_for(kb, bare);
    }
    channels.retain(|id| of_framework(id));
    if let Some(stage) = stage.filter(|s| *s != "stable") {
        // Nightly and test builds stand on indexes of their own, which are not the channels of releases.
        out.note("decode-channel-stage", "stage", stage);
        if let Some(framework) = framework {
            out.mean("package", framework);
        }
        return out;
    }
    let mut packages: Vec<String> = framework.map(str::to_owned).into_iter().collect();
    for channel in channels.iter().filter_map(|id| kb.channel(id)).map(|i| &kb.channels[i]) {
        channel.packages.iter().for_each(|p| lookup::add(&mut packages, p.to_string()));
        if channels.len() == 1
            && let Some(address) = &channel.address
        {
            out.mean("address", &**address);
            out.note("decode-channel-address", "address", &**address);
        }
    }
    if !packages.is_empty() {
        out.mean("package", packages);
    }
    if channels.is_empty() && !kb.channels.is_empty() {
        out.mean("known", false);
        let nearest = nearest(kb, &label, &of_framework);
        if nearest.is_empty() {
            out.note("decode-channel-unknown", "label", bare);
        } else {
            out.notes.push((
                "decode-channel-nearest",
                vec![("label", bare.to_owned()), ("nearest", nearest.join(", "))],
            ));
            out.mean("nearest", nearest);
        }
    } else if !channels.is_empty() {
        out.mean("known", true);
        out.note("decode-channel-known", "channel", channels.join(", "));
        out.canonical = Some(if channels.len() == 1 { channels[0].clone() } else { bare.to_owned() });
        out.mean("channel", channels);
    }
    if out.canonical.is_none() {
        out.canonical = Some(match framework {
            Some(f) => format!("{}{bare}", id_prefix(f)),
            None => bare.to_owned(),
        });
    }
    out
}

/// The known channels whose CUDA is nearest to the label's, at most two.
fn nearest(kb: &Kb, label: &Label, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let place = |cuda: &Cuda| {
        let minor = match cuda {
            Cuda::Release(r) => r.split('.').nth(1).and_then(|m| m.parse().ok()).unwrap_or(0),
            Cuda::Major(_) => 0,
        };
        cuda.major() * 100 + minor
    };
    let Some(at) = label.cuda.as_ref().map(place) else { return Vec::new() };
    let mut all: Vec<(u64, String)> = kb
        .channels
        .iter()
        .filter(|c| wanted(&c.id))
        .filter_map(|c| {
            let own = of_label(c.id.rsplit('-').next()?)?.cuda?;
            Some((place(&own).abs_diff(at), c.id.to_string()))
        })
        .collect();
    all.sort();
    all.into_iter().take(2).map(|(_, id)| id).collect()
}
