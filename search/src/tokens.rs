//! The words of a text, for the index and for queries alike.
//!
//! A word is what people type without a blank: `libcudnn.so.8`, `torch==2.5.1+cu124`, `CUDNN_STATUS_NOT_INITIALIZED`. It
//! stays whole, and its parts are words of a lower order. A version is never taken apart, and numbers that are left over
//! from a name (the 8 of `libcudnn.so.8`) are no parts: they would be found everywhere. Letters and the number behind them
//! are also joined, so that `RTX 3090`, `rtx-3090` and `RTX3090` meet.
//!
//! Chinese, Japanese and Korean are cut into overlapping pairs of characters; a character that stands alone is a word.

/// The longest token, in bytes: what is longer is known by its parts alone.
pub const LONGEST: usize = 64;

/// A word of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Word {
    /// The word in small letters; empty if it is longer than [`LONGEST`].
    pub text: String,
    /// Its parts, where it has several.
    pub parts: Vec<String>,
    /// Letters and numbers joined: within the word, and with the word before it.
    pub joints: Vec<String>,
}

/// The words of a text, in its order.
pub fn words(text: &str) -> Vec<Word> {
    let chars = normal(text);
    let mut words = Vec::new();
    let mut before = Before::default();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let end;
        if is_cjk(c) {
            end = run(&chars, at, is_cjk);
            pairs(&chars[at..end], &mut words);
            before = Before::default();
        } else if is_letter(c) {
            end = word_end(&chars, at);
            words.push(word(&chars[at..end], &mut before));
        } else {
            end = at + 1;
            before.gap(c);
        }
        at = end;
    }
    words
}

/// A name as it is compared: letters and numbers, nothing between them but what keeps two numbers apart. Two names that
/// people would take for the same have the same key: `RTX 3090` and `rtx-3090`, `torch 2.5.1` and `torch==2.5.1`.
pub fn name_key(name: &str) -> String {
    let mut key = String::with_capacity(name.len());
    let mut gap = ' ';
    for c in normal(name) {
        if !is_letter(c) {
            gap = if c == '.' && gap == '\0' { '.' } else { ' ' };
            continue;
        }
        // `12.4` is not `124`, and `12 4` is neither.
        if gap != '\0' && c.is_ascii_digit() && key.ends_with(|last: char| last.is_ascii_digit()) {
            key.push(gap);
        }
        key.push(c);
        gap = '\0';
    }
    key
}

/// The shorter versions that a word begins with, longest first: `12.4.1` → `12.4`, `libcudnn.so.8.9` → `libcudnn.so.8`,
/// `550.54.15` → `550.54`, `550`. A short number alone is none.
pub fn leads(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let (lead, last) = rest.rsplit_once('.')?;
        rest = lead;
        let branch = lead.len() >= 3 && lead.bytes().all(|b| b.is_ascii_digit());
        let numbered = lead.ends_with(|c: char| c.is_ascii_digit()) && lead.contains('.');
        (last.bytes().all(|b| b.is_ascii_digit()) && (branch || numbered)).then_some(lead)
    })
}

/// Has it a digit? Then it is exactly what was meant: no typing error is looked for.
pub fn has_digit(word: &str) -> bool {
    word.bytes().any(|b| b.is_ascii_digit())
}

/// Is it made of characters of Chinese, Japanese or Korean?
pub fn is_cjk_word(word: &str) -> bool {
    word.chars().next().is_some_and(is_cjk)
}

/// Small letters; letters of full width are those of ASCII.
fn normal(text: &str) -> Vec<char> {
    let mut chars = Vec::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'a'..='z' | '0'..='9' | ' ' => chars.push(c),
            '\u{ff01}'..='\u{ff5e}' => {
                let narrow = char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c);
                chars.push(narrow.to_ascii_lowercase());
            }
            _ => chars.extend(c.to_lowercase()),
        }
    }
    chars
}

/// Scripts without blanks between words: Han, kana; and Hangul, whose words have endings.
fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x11ff | 0x3005..=0x3007 | 0x3040..=0x30fa | 0x30fc..=0x30ff | 0x3130..=0x318f | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

fn is_letter(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() }
}

/// A letter of a script with blanks.
fn is_plain(c: char) -> bool {
    is_letter(c) && !is_cjk(c)
}

fn run(chars: &[char], at: usize, same: fn(char) -> bool) -> usize {
    chars[at..].iter().position(|&c| !same(c)).map_or(chars.len(), |length| at + length)
}

fn pairs(run: &[char], words: &mut Vec<Word>) {
    let whole = |text: &[char]| Word { text: text.iter().collect(), ..Word::default() };
    match run {
        [single] => words.push(whole(&[*single])),
        _ => words.extend(run.windows(2).map(whole)),
    }
}

/// Where a word ends: at what is neither a letter nor a sign between two letters.
fn word_end(chars: &[char], mut at: usize) -> usize {
    let plain = |at: usize| chars.get(at).is_some_and(|&c| is_plain(c));
    loop {
        at = run(chars, at, is_plain);
        match chars.get(at..) {
            Some(['.' | '_' | '+' | '-', ..]) if plain(at + 1) => at += 1,
            Some(['=', '=', ..]) if plain(at + 2) => at += 2,
            _ => return at,
        }
    }
}

/// The end of the word before, as far as it may be joined with this one.
#[derive(Default)]
struct Before {
    piece: String,
    gap: usize,
}

impl Before {
    /// `RTX 3090` and `CUDA: 12.4` belong together; a new sentence or line does not.
    fn gap(&mut self, c: char) {
        self.gap += 1;
        if !matches!(c, ' ' | ':' | '=') || self.gap > 2 {
            self.piece.clear();
        }
    }
}

fn word(chars: &[char], before: &mut Before) -> Word {
    let text: String = chars.iter().collect();
    // Most words are plain.
    if text.bytes().all(|b| b.is_ascii_lowercase()) {
        let last = std::mem::replace(&mut before.piece, text.clone());
        before.gap = 0;
        let joints = joint(&last, &text).into_iter().collect();
        return Word {
            text: if text.len() > LONGEST { String::new() } else { text },
            parts: Vec::new(),
            joints,
        };
    }
    let mut parts = Parts { pieces: Vec::new(), found: Vec::new() };
    if let Some((_, version)) = text.split_once("==") {
        parts.add(version);
    }
    for segment in text.split(['_', '+', '-', '=']).filter(|s| !s.is_empty()) {
        parts.segment(segment);
    }
    let mut joints = Vec::new();
    let mut last = std::mem::take(&mut before.piece);
    for piece in &parts.pieces {
        if let Some(joint) = joint(&last, piece)
            && joint != text
            && !joints.contains(&joint)
            && !parts.found.contains(&joint)
        {
            joints.push(joint);
        }
        last.clear();
        last.push_str(piece);
    }
    *before = Before { piece: last, gap: 0 };
    parts.found.retain(|part| *part != text);
    Word { text: if text.len() > LONGEST { String::new() } else { text }, parts: parts.found, joints }
}

struct Parts {
    /// In order, for joining.
    pieces: Vec<String>,
    /// Those that are words.
    found: Vec<String>,
}

impl Parts {
    fn add(&mut self, part: &str) {
        if part.len() <= LONGEST && !self.found.iter().any(|known| known == part) {
            self.found.push(part.to_owned());
        }
    }

    /// What stands between two of `_`, `+`, `-`.
    fn segment(&mut self, segment: &str) {
        let number = segment.find(|c: char| c.is_ascii_digit()).unwrap_or(segment.len());
        let (letters, version) = segment.split_at(number);
        if is_version(version) && !letters.contains('.') {
            self.piece(letters);
            self.piece(version);
            return;
        }
        let dotted = segment.contains('.');
        for name in segment.split('.').filter(|n| !n.is_empty()) {
            if !(dotted && is_number(name)) {
                self.name(name);
            }
        }
    }

    /// A name without signs: `cu124`, `rtx3090ti`.
    fn name(&mut self, name: &str) {
        if name.chars().nth(1).is_some() && !is_number(name) {
            self.add(name);
        }
        let mut start = 0;
        let mut number = false;
        for (at, c) in name.char_indices() {
            let digit = c.is_ascii_digit();
            // One letter behind a number belongs to it: `90a`.
            let turn = if number {
                !digit && name[at..].chars().nth(1).is_some_and(|c| !c.is_ascii_digit())
            } else {
                digit
            };
            if turn && at > start {
                self.piece(&name[start..at]);
                start = at;
            }
            number = digit || (number && !turn);
        }
        self.piece(&name[start..]);
    }

    fn piece(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        self.pieces.push(piece.to_owned());
        // The 3090 of a card is looked for alone; the 124 of `cu124` would only be taken for another number.
        let least = if is_number(piece) { 4 } else { 2 };
        if piece.chars().nth(least - 1).is_some() {
            self.add(piece);
        }
    }
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// Numbers with dots, with whatever a version ends in: `12.4`, `2.4.0rc1`, `2.0.dev20240101`.
fn is_version(text: &str) -> bool {
    let mut components = text.split('.').map(|c| c.starts_with(|c: char| c.is_ascii_digit()));
    components.next() == Some(true) && components.next() == Some(true)
}

/// `rtx` and `3090`, `sm` and `90a`, `cuda` and `12.4`; `3090` and `ti`, `24` and `gb`.
fn joint(left: &str, right: &str) -> Option<String> {
    let letters =
        |s: &str, most: usize| (1..=most).contains(&s.len()) && s.bytes().all(|b| b.is_ascii_lowercase());
    let numbered = |s: &str| s.len() <= 24 && s.starts_with(|c: char| c.is_ascii_digit());
    let fits =
        (letters(left, 12) && numbered(right)) || (numbered(left) && is_number(left) && letters(right, 2));
    fits.then(|| format!("{left}{right}"))
}
