//! Where readers put what they find.

use kb_core::observe::Observation;

/// Observations of one reader.
pub(super) struct Found {
    method: String,
    /// What was found, in the order in which it was.
    pub(super) list: Vec<Observation>,
}

impl Found {
    /// For a reader of what `tool` prints.
    pub(super) fn of(tool: &str) -> Self {
        Found { method: format!("pasted {tool}"), list: Vec::new() }
    }

    /// From now on the reader of another tool finds.
    pub(super) fn by(&mut self, tool: &str) {
        self.method = format!("pasted {tool}");
    }

    /// A value that stands on a line as it is.
    pub(super) fn see(&mut self, what: &str, value: &str, line: usize) {
        self.made(what, value, value, line);
    }

    /// A value that was made from a part of a line.
    pub(super) fn made(&mut self, what: &str, value: &str, raw: &str, line: usize) {
        let seen = Observation::on_line(what, value, self.method.as_str(), line);
        self.list.push(if raw == value { seen } else { seen.from_text(raw) });
    }

    /// A weaker sign, by another method than the tool's own output.
    pub(super) fn weak(&mut self, what: &str, value: &str, raw: &str, method: &str, line: usize) {
        self.list.push(Observation::on_line(what, value, method, line).from_text(raw));
    }
}

#[cfg(test)]
impl Found {
    /// What was found, as `what=value@line`, for tests.
    pub(super) fn shown(&self) -> Vec<String> {
        self.list.iter().map(|o| format!("{}={}@{}", o.what, o.value, o.line.unwrap_or_default())).collect()
    }
}
