//! Scalars: the style that Psych asks for, the one that libyaml can grant, and the letters.

use super::super::scalar::{Scalar, resolve};
use super::writer::Writer;
use crate::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

/// As a key it would merge; as a text it says that it is one.
pub(super) const MERGE: &str = "<<";

pub(super) fn is_break(letter: char) -> bool {
    matches!(letter, '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_blank(letter: Option<char>) -> bool {
    letter.is_none_or(|letter| matches!(letter, ' ' | '\t' | '\0') || is_break(letter))
}

/// Returns what libyaml prints as it is.
fn is_printable(letter: char) -> bool {
    matches!(letter, '\n' | ' '..='~' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}') && letter != '\u{FEFF}'
}

/// Returns the style that Psych asks for.
pub(super) fn style_of(text: &str) -> Style {
    // Ruby's `\Z` stands before a line feed at the end as well.
    let inner = text.strip_suffix('\n').unwrap_or(text);
    if inner.strip_suffix('\n').unwrap_or(inner).contains('\n') {
        return Style::Literal;
    }
    if text == MERGE {
        return Style::SingleQuoted;
    }
    if text == "y" || text == "n" || begins_oddly(text) {
        return Style::DoubleQuoted;
    }
    let is_text = matches!(resolve(text), Scalar::Value(Value::String(_)));
    if text.is_empty() || !is_text || is_almost_octal(text) { Style::SingleQuoted } else { Style::Plain }
}

/// With what is no letter, digit or underscore, and without a double quote behind it; each line counts, also one that is
/// but a line feed.
fn begins_oddly(text: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.ends_with("\n\n")
        || text.chars().next().is_some_and(|first| !is_word(first)) && !text[first_width(text)..].contains('"')
}

fn first_width(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// `089`
fn is_almost_octal(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('0') else { return false };
    rest.trim_start_matches(|digit| matches!(digit, '0'..='7')).starts_with(['8', '9'])
}

/// What a text allows.
struct Analysis {
    is_plain: bool,
    is_single_quoted: bool,
    is_block: bool,
}

fn analyze(text: &str) -> Analysis {
    if text.is_empty() {
        return Analysis { is_plain: true, is_single_quoted: true, is_block: false };
    }
    let letters: Vec<char> = text.chars().collect();
    let mut indicators = text.starts_with("---") || text.starts_with("...");
    let (mut special, mut has_breaks, mut break_space, mut space_break) = (false, false, false, false);
    let (mut after_space, mut after_break, mut after_blank) = (false, false, true);
    for (at, &letter) in letters.iter().enumerate() {
        let is_before_blank = is_blank(letters.get(at + 1).copied());
        indicators |= match letter {
            '#' if at > 0 => after_blank,
            '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => at == 0,
            ':' => is_before_blank,
            '?' | '-' => at == 0 && is_before_blank,
            _ => false,
        };
        special |= !is_printable(letter);
        if letter == ' ' {
            break_space |= after_break;
            (after_space, after_break) = (true, false);
        } else if is_break(letter) {
            has_breaks = true;
            space_break |= after_space;
            (after_space, after_break) = (false, true);
        } else {
            (after_space, after_break) = (false, false);
        }
        after_blank = is_blank(Some(letter));
    }
    let is_edge = |letter: Option<&char>| letter.is_some_and(|letter| *letter == ' ' || is_break(*letter));
    let has_blank_edge = is_edge(letters.first()) || is_edge(letters.last());
    let is_quiet = !break_space && !space_break && !special;
    Analysis {
        is_plain: is_quiet && !indicators && !has_breaks && !has_blank_edge,
        is_single_quoted: is_quiet,
        is_block: !special && !space_break && letters.last() != Some(&' '),
    }
}

/// `indent`: of the lines after the first; `is_key`: it has to stay on one line.
pub(super) fn write(to: &mut Writer, text: &str, wanted: Style, indent: usize, is_key: bool) {
    let analysis = analyze(text);
    let mut style = wanted;
    if is_key && text.contains(is_break) {
        style = Style::DoubleQuoted;
    }
    if style == Style::Plain && (!analysis.is_plain || is_key && text.is_empty()) {
        style = Style::SingleQuoted;
    }
    if style == Style::SingleQuoted && !analysis.is_single_quoted {
        style = Style::DoubleQuoted;
    }
    if style == Style::Literal && (!analysis.is_block || is_key) {
        style = Style::DoubleQuoted;
    }
    let letters: Vec<char> = text.chars().collect();
    let line = Line { to, letters: &letters, indent, may_fold: !is_key };
    match style {
        Style::Plain => line.plain(),
        Style::SingleQuoted => line.single_quoted(),
        Style::DoubleQuoted => line.double_quoted(),
        Style::Literal => line.literal(),
    }
}

struct Line<'t> {
    to: &'t mut Writer,
    letters: &'t [char],
    indent: usize,
    may_fold: bool,
}

impl Line<'_> {
    /// Returns true if a line may end at this blank, which has no other beside it.
    fn folds(&self, at: usize, after_space: bool) -> bool {
        self.may_fold
            && !after_space
            && self.to.column() > self.to.layout().width
            && self.letters.get(at + 1) != Some(&' ')
    }

    fn is_inside(&self, at: usize) -> bool {
        at > 0 && at + 1 < self.letters.len()
    }

    fn plain(self) {
        // An empty one leaves no blank at the end of the line.
        if !self.to.is_blank() && !self.letters.is_empty() {
            self.to.put(' ');
        }
        let mut after_space = false;
        for (at, &letter) in self.letters.iter().enumerate() {
            if letter == ' ' && self.folds(at, after_space) {
                self.to.new_line(self.indent);
            } else {
                self.to.letter(letter);
            }
            after_space = letter == ' ';
        }
        self.to.set_plain();
    }

    fn single_quoted(self) {
        self.to.indicator("'", true, false, false);
        let (mut after_space, mut after_break) = (false, false);
        for (at, &letter) in self.letters.iter().enumerate() {
            if letter == ' ' {
                match self.is_inside(at) && self.folds(at, after_space) {
                    true => self.to.new_line(self.indent),
                    false => self.to.letter(letter),
                }
                after_space = true;
            } else if is_break(letter) {
                if !after_break && letter == '\n' {
                    self.to.line_end();
                }
                self.to.break_of_text(letter);
                after_break = true;
            } else {
                if after_break {
                    self.to.new_line(self.indent);
                }
                if letter == '\'' {
                    self.to.put('\'');
                }
                self.to.letter(letter);
                (after_space, after_break) = (false, false);
            }
        }
        if after_break {
            self.to.new_line(self.indent);
        }
        self.to.indicator("'", false, false, false);
        self.to.set_plain();
    }

    fn double_quoted(self) {
        self.to.indicator("\"", true, false, false);
        let mut after_space = false;
        for (at, &letter) in self.letters.iter().enumerate() {
            if !is_printable(letter) || is_break(letter) || matches!(letter, '"' | '\\') {
                escaped(letter).chars().for_each(|letter| self.to.put(letter));
                after_space = false;
            } else if letter == ' ' {
                let folds =
                    self.may_fold && !after_space && self.to.column() > self.to.layout().width && self.is_inside(at);
                if folds {
                    self.to.new_line(self.indent);
                    if self.letters.get(at + 1) == Some(&' ') {
                        self.to.put('\\');
                    }
                } else {
                    self.to.letter(letter);
                }
                after_space = true;
            } else {
                self.to.letter(letter);
                after_space = false;
            }
        }
        self.to.indicator("\"", false, false, false);
        self.to.set_plain();
    }

    fn literal(self) {
        self.to.indicator("|", true, false, false);
        if self.letters.first().is_some_and(|first| *first == ' ' || is_break(*first)) {
            self.to.indicator(&self.to.layout().step.to_string(), false, false, false);
        }
        let chomping = match self.letters {
            [.., last] if !is_break(*last) => "-",
            [.., before, _] if is_break(*before) => "+",
            [_] => "+",
            _ => "",
        };
        self.to.indicator(chomping, false, false, false);
        self.to.leave_open(chomping == "+");
        self.to.begin_block();
        let mut after_break = true;
        for &letter in self.letters {
            if is_break(letter) {
                self.to.break_of_text(letter);
                after_break = true;
            } else {
                if after_break {
                    self.to.new_line(self.indent);
                }
                self.to.letter(letter);
                after_break = false;
            }
        }
    }
}

fn escaped(letter: char) -> String {
    let short = match letter {
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{B}' => 'v',
        '\u{C}' => 'f',
        '\r' => 'r',
        '\u{1B}' => 'e',
        '"' => '"',
        '\\' => '\\',
        '\u{85}' => 'N',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        other => {
            let code = u32::from(other);
            return match code {
                0..=0xFF => format!("\\x{code:02X}"),
                0x100..=0xFFFF => format!("\\u{code:04X}"),
                _ => format!("\\U{code:08X}"),
            };
        }
    };
    format!("\\{short}")
}
