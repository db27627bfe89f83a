//! Error codes, names and texts: `CUDA error 209`, `803`, `cudaErrorInsufficientDriver`, `CUDA_ERROR_INVALID_PTX`, `no
//! kernel image is available for execution on the device`, `CUDNN_STATUS_…`.
//!
//! Source: relation `cuda-error`; the two cuDNN status values in the rule note `sublibrary-match`.

use super::name::Name;
use super::{Decoded, lookup, text};
use crate::kb::Kb;

/// Status values of cuDNN 9 that a source states.
const CUDNN: [(u64, &str); 2] =
    [(1002, "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH"), (1008, "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED")];

/// Reads a text, a name or a code; a bare number only when it is a known code.
pub(super) fn read(kb: &Kb, name: &Name) -> Option<Decoded> {
    let given = name.text;
    if let Some(found) = by_text(kb, given) {
        return Some(found);
    }
    if given.len() > 120 {
        return None;
    }
    let tokens: Vec<String> = given
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|t| !t.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    if let Some(known) = tokens.iter().filter(|t| t.starts_with("cuda")).find_map(|t| by_name(kb, t)) {
        return Some(known);
    }
    if let [one] = tokens.as_slice() {
        let rest = one.strip_prefix("cudaerror").or_else(|| one.strip_prefix("cuda_error_"));
        if rest.is_some_and(|r| !r.is_empty() && r != "_t" && !text::digits(r)) {
            let mut out = Decoded::new("cuda-error", "decode-cuda-error-name-unknown");
            out.say("name", given);
            out.mean("known", false);
            out.canonical = Some(given.to_owned());
            return Some(out);
        }
        if let Some(status) = one.strip_prefix("cudnn_status_").filter(|s| !s.is_empty()) {
            return Some(cudnn_status(&format!("CUDNN_STATUS_{}", status.to_ascii_uppercase())));
        }
    }
    let mut code = None;
    let (mut error, mut cuda, mut cudnn) = (false, false, false);
    for token in &tokens {
        let (word, number) = match token.strip_prefix("cudaerror") {
            Some(n) if text::digits(n) => ("cudaerror", Some(n)),
            _ if text::digits(token) => ("", Some(token.as_str())),
            _ => (token.as_str(), None),
        };
        if let Some(n) = number
            && code.replace(text::number(n)?).is_some()
        {
            return None;
        }
        match word {
            "error" | "err" | "status" | "returned" => error = true,
            "cuda" | "cudart" | "runtime" | "api" | "driver" => cuda = true,
            "cudaerror" | "cudaerror_t" | "cuda_error" | "curesult" => (error, cuda) = (true, true),
            "cudnn" => cudnn = true,
            "cudnn_status" | "cudnnstatus_t" => (error, cudnn) = (true, true),
            "code" | "number" | "" => {}
            _ => return None,
        }
    }
    let code = code?;
    let bare = tokens.len() == 1 && given == tokens[0];
    if cudnn {
        let (_, status) = CUDNN.iter().find(|(c, _)| *c == code && error)?;
        return Some(cudnn_status(status));
    }
    let known =
        kb.facts_of("cuda-error").map(|(id, _)| id).find(|id| lookup::integer(kb, *id, "code") == Some(code));
    match known {
        Some(id) => {
            if !(error || bare) {
                return None;
            }
            let name = lookup::text(kb, id, "name").unwrap_or_default();
            Some(known_error(kb, id, code, &name))
        }
        None if error && !bare && (cuda || tokens.len() > 1) && code < 10_000 => {
            let mut out = Decoded::new("cuda-error", "decode-cuda-error-unknown");
            out.values.push(("code", code.to_string()));
            out.mean("code", code);
            out.mean("known", false);
            out.canonical = Some(format!("CUDA error {code}"));
            Some(out)
        }
        None => None,
    }
}

fn known_error(kb: &Kb, id: crate::fact::FactId, code: u64, name: &str) -> Decoded {
    let mut out = Decoded::new("cuda-error", "decode-cuda-error");
    out.values.push(("code", code.to_string()));
    out.mean("code", code);
    out.say("name", name);
    out.mean("known", true);
    if let Some(meaning) = lookup::text(kb, id, "meaning") {
        out.note("decode-error-meaning", "meaning", meaning);
    }
    out.canonical = Some(name.to_owned());
    out
}

/// The text that is printed for an error, also within a line of a log.
fn by_text(kb: &Kb, given: &str) -> Option<Decoded> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let line = words(given);
    kb.facts_of("cuda-error").find_map(|(id, _)| {
        let printed = words(lookup::text(kb, id, "printed")?.trim_end_matches('.'));
        // A short text is part of other sentences; it counts alone, or where the line speaks of CUDA.
        let counts = line == printed || printed.len() > 30 || line.contains("cuda error");
        if printed.is_empty() || !line.contains(&printed) || !counts {
            return None;
        }
        let name = lookup::text(kb, id, "name").unwrap_or_default();
        Some(known_error(kb, id, lookup::integer(kb, id, "code")?, &name))
    })
}

/// The name of the runtime, or that of the driver.
fn by_name(kb: &Kb, lower: &str) -> Option<Decoded> {
    kb.facts_of("cuda-error").find_map(|(id, _)| {
        let name = lookup::text(kb, id, "name").unwrap_or_default();
        let driver = lookup::text(kb, id, "driver-name").unwrap_or_default();
        let is = name.eq_ignore_ascii_case(lower) || driver.eq_ignore_ascii_case(lower);
        is.then(|| Some(known_error(kb, id, lookup::integer(kb, id, "code")?, &name)))?
    })
}

fn cudnn_status(status: &str) -> Decoded {
    let mut out = Decoded::new("cudnn-status", "decode-cudnn-status");
    out.say("name", status);
    if let Some((code, _)) = CUDNN.iter().find(|(_, n)| *n == status) {
        out.mean("code", *code);
        out.notes.push(("decode-cudnn-mixed", Vec::new()));
    }
    out.canonical = Some(status.to_owned());
    out
}
