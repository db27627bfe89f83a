//! A page as a value: what templates are given. Nothing in it is HTML but the prose, which `prose` made.

use serde::Serialize;

/// The longest text of a line or a cell, in characters. Documents and prose have all of it.
const LONGEST: usize = 2_000;

/// A text as a page shows it.
fn cut(text: impl Into<String>) -> String {
    shortened(text.into(), LONGEST)
}

/// A text of so many characters at most.
pub(crate) fn shortened(mut text: String, most: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// A text, perhaps with a link.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) href: Option<String>,
}

impl Piece {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Piece { text: cut(text), href: None }
    }

    pub(crate) fn link(text: impl Into<String>, href: Option<String>) -> Self {
        Piece { text: cut(text), href }
    }
}

/// A label and its values.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Field {
    pub(crate) label: String,
    pub(crate) pieces: Vec<Piece>,
}

/// A column of a table.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Column {
    pub(crate) label: String,
    /// Its key, for the state in the address.
    pub(crate) key: String,
}

/// A cell: a text, perhaps with a link, and what it means beside its text.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) href: Option<String>,
    /// `fits`, `conflict`, `unknown`: shown as an icon; the text says it too.
    pub(crate) mark: Option<&'static str>,
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Cell { text: cut(text), ..Cell::default() }
    }

    pub(crate) fn link(text: impl Into<String>, href: Option<String>) -> Self {
        Cell { text: cut(text), href, mark: None }
    }
}

/// A row of a table, with the id that links to it name.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Line {
    pub(crate) id: Option<String>,
    pub(crate) cells: Vec<Cell>,
}

/// Facts that one source states in one place.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Group {
    /// The relation.
    pub(crate) title: Piece,
    /// Source, grade, day.
    pub(crate) evidence: Vec<Piece>,
    /// Claims, each linked to its row.
    pub(crate) claims: Vec<Piece>,
    /// Where the rest of a long group is.
    pub(crate) more: Option<Piece>,
}

/// A command that can be copied.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Command {
    pub(crate) label: String,
    pub(crate) text: String,
}

/// A step of a cure.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Step {
    pub(crate) says: String,
    pub(crate) commands: Vec<Command>,
    pub(crate) undo: Option<String>,
}

/// A statement that was checked.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Checked {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) verdict: String,
    pub(crate) texts: Vec<String>,
    pub(crate) links: Vec<Piece>,
}

/// A value to choose.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) text: String,
}

impl Choice {
    pub(crate) fn of(value: impl Into<String>, text: impl Into<String>) -> Self {
        Choice { value: value.into(), text: text.into() }
    }
}

/// Something to type or to choose.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Control {
    /// `line` (with proposals where there are choices), `choice`, `boxes`, `text`.
    pub(crate) sort: &'static str,
    /// Its key in the address.
    pub(crate) name: &'static str,
    pub(crate) label: String,
    pub(crate) example: &'static str,
    pub(crate) choices: Vec<Choice>,
}

/// A form that a script answers; it is hidden until the script is there.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Form {
    /// The script: `solve`, `paste`.
    pub(crate) script: &'static str,
    /// The module: `engine`, `diagnose`.
    pub(crate) module: &'static str,
    /// What is asked: `solve`, `check`, `diagnose`.
    pub(crate) command: &'static str,
    /// What tells the module and its data from those of another build.
    pub(crate) version: String,
    /// Words of the script, as JSON.
    pub(crate) words: String,
    pub(crate) send: String,
    /// The button that copies the address, where the question stands in it.
    pub(crate) link: Option<String>,
    /// The heading of the answer.
    pub(crate) answer: String,
    /// What becomes of what is typed.
    pub(crate) private: String,
    pub(crate) controls: Vec<Control>,
}

/// A part of a page. `id` is the fragment of its heading.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "sort", rename_all = "lowercase")]
pub(crate) enum Section {
    /// Labels and values.
    Fields { fields: Vec<Field> },
    /// Markdown as HTML, with its language where that is not the page's.
    Prose { html: String, lang: Option<&'static str> },
    /// A remark above everything else.
    Note { text: String },
    /// A table.
    Table {
        id: String,
        title: String,
        columns: Vec<Column>,
        rows: Vec<Line>,
        tools: bool,
        note: Option<String>,
        lang: Option<&'static str>,
    },
    /// A list of lines.
    List { id: String, title: String, items: Vec<Piece>, code: bool, lang: Option<&'static str> },
    /// Facts by relation and source.
    Facts { id: String, title: String, groups: Vec<Group>, lang: Option<&'static str> },
    /// Commands.
    Commands { id: String, title: String, commands: Vec<Command> },
    /// Steps of a cure.
    Steps { id: String, title: String, steps: Vec<Step> },
    /// A form.
    Form { form: Box<Form> },
    /// Checked statements.
    Claims { id: String, title: String, claims: Vec<Checked>, lang: Option<&'static str> },
}

/// A page in one language.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// Below the language: `gpu/rtx-3090/`; empty for the home page.
    pub(crate) address: String,
    /// Its heading.
    pub(crate) title: String,
    /// What search engines show below it.
    pub(crate) description: String,
    /// What stands above the heading: the kind.
    pub(crate) kind: Option<String>,
    /// The pages above it.
    pub(crate) crumbs: Vec<Piece>,
    pub(crate) sections: Vec<Section>,
    /// The same as JSON, below the root.
    pub(crate) json: Option<String>,
    /// What a report names: kind and id.
    pub(crate) subject: String,
}
