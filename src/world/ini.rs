//! The lines of `puppet.conf` and `environment.conf`: sections, settings, and what is neither.
//!
//! Knows which lines there are, and not which settings or sections.

use pantin_values::Value;

/// A file's settings, by section.
#[derive(Clone, Debug)]
pub(super) struct Ini {
    /// `main`, which holds what stands before the first section, and the others in the order of their first lines.
    pub(super) sections: Vec<Section>,
}

#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) settings: Vec<(String, Value)>,
}

impl Section {
    /// Returns the first of that name counts.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.settings.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }
}

enum Line<'t> {
    Section(&'t str),
    Setting(&'t str, &'t str),
    Other,
}

impl Ini {
    /// `allowed`: the names that sections may have, if not any. The error is the real one's text.
    pub(super) fn parse(file: &str, text: &str, allowed: Option<&[&str]>) -> Result<Ini, String> {
        let mut sections = vec![Section { name: "main".to_owned(), settings: Vec::new() }];
        for (number, line) in numbered(text) {
            let Line::Section(name) = Line::from_line(line) else { continue };
            if let Some(allowed) = allowed.filter(|allowed| !allowed.contains(&name)) {
                return Err(illegal_section(file, number, name, allowed));
            }
            if !sections.iter().any(|known| known.name == name) {
                sections.push(Section { name: name.to_owned(), settings: Vec::new() });
            }
        }
        // All sections are looked at before any setting, and each section on its own: of two errors,
        // that is the order.
        for section in &mut sections {
            section.fill(file, text)?;
        }
        Ok(Ini { sections })
    }

    pub(super) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }
}

impl Section {
    fn fill(&mut self, file: &str, text: &str) -> Result<(), String> {
        let mut current = "main";
        for (number, line) in numbered(text) {
            match Line::from_line(line) {
                Line::Section(name) => current = name,
                _ if current != self.name => {}
                Line::Setting(name, value) => self.settings.push((name.to_owned(), translated_line(value)?)),
                Line::Other if is_comment_or_blank(line) => {}
                Line::Other => {
                    let place = place(file, number);
                    return Err(format!("Could not match line {line}{place}"));
                }
            }
        }
        Ok(())
    }
}

/// Lines with their ends, counted from one.
fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').enumerate().map(|(index, line)| (index + 1, line))
}

fn place(file: &str, line: usize) -> String {
    format!(" (file: {file}, line: {line})")
}

fn illegal_section(file: &str, number: usize, name: &str, allowed: &[&str]) -> String {
    format!(
        "Illegal section '{name}' in config file at{}. The only valid puppet.conf sections are: [{}]. Please use the \
         directory environments feature to specify environments. (See \
         https://puppet.com/docs/puppet/latest/environments_about.html)",
        place(file, number),
        allowed.join(", ")
    )
}

impl<'t> Line<'t> {
    fn from_line(line: &'t str) -> Line<'t> {
        let line = line.trim_matches(is_space);
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|name| is_word(name))
        {
            return Line::Section(name);
        }
        match line.split_once('=') {
            Some((name, value)) if is_word(name.trim_end_matches(is_space)) => {
                Line::Setting(name.trim_end_matches(is_space), value.trim_start_matches(is_space))
            }
            _ => Line::Other,
        }
    }
}

fn is_comment_or_blank(line: &str) -> bool {
    let line = line.trim_matches(is_space);
    line.is_empty() || line.starts_with('#')
}

/// Returns what Ruby's `\s` matches.
fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// Returns what a text stands for: `true` and `false` in any case are truth values; all else is text without its
/// quotes.
pub(super) fn translated(value: &str) -> Value {
    if value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false") {
        return Value::Boolean(value.eq_ignore_ascii_case("true"));
    }
    let unquoted = value.strip_prefix(['"', '\'']).unwrap_or(value);
    let unquoted = unquoted.strip_suffix(['"', '\'']).unwrap_or(unquoted);
    Value::from(unquoted.trim_end_matches(is_space))
}

/// A value of a file may be followed by the owner, group and mode of the file it names, in braces.
fn translated_line(value: &str) -> Result<Value, String> {
    match translated(value) {
        Value::String(text) => without_file_options(&text).map(Value::from),
        other => Ok(other),
    }
}

fn without_file_options(value: &str) -> Result<String, String> {
    let options = value.find('{').and_then(|open| value[open..].find('}').map(|length| (open, open + length)));
    // Braces with nothing in them are none.
    let Some((open, close)) = options.filter(|(open, close)| close - open > 1) else { return Ok(value.to_owned()) };
    for option in value[open + 1..close].split(',').map(|option| option.trim_matches(is_space)) {
        let Some((name, given)) = option
            .split_once('=')
            .map(|(name, given)| (name.trim_end_matches(is_space), given.trim_start_matches(is_space)))
            .filter(|(name, given)| is_ascii_word(name) && is_ascii_word(given))
        else {
            return Err(format!("Could not parse '{value}'"));
        };
        match name {
            "mode" if !given.bytes().all(|byte| byte.is_ascii_digit()) => {
                return Err("File modes must be numbers".to_owned());
            }
            "owner" | "group" | "mode" => {}
            _ => return Err(format!("Invalid file option '{name}'")),
        }
    }
    Ok(format!("{}{}", &value[..open], &value[close + 1..]).trim_end_matches(is_space).to_owned())
}

fn is_ascii_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
