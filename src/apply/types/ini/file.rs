//! A file of sections and settings. A change touches the lines that it is about; all others stay as they are.

use pantin_values::regex::{Options, Regex};

use crate::failure::Failure;

/// How a file of settings is written.
#[derive(Clone, Debug)]
pub(super) struct IniFormat {
    /// Between the name of a new setting and its value.
    pub separator: String,
    pub section_prefix: String,
    pub section_suffix: String,
    pub indent: String,
    /// How often the indent stands before a new setting; else as often as before others of the section.
    pub indent_width: Option<usize>,
}

impl Default for IniFormat {
    fn default() -> IniFormat {
        IniFormat {
            separator: "=".to_owned(),
            section_prefix: "[".to_owned(),
            section_suffix: "]".to_owned(),
            indent: " ".to_owned(),
            indent_width: None,
        }
    }
}

/// A file of sections and settings.
#[derive(Debug)]
pub(super) struct IniFile {
    format: IniFormat,
    patterns: Patterns,
    /// The first one has no name and no header.
    sections: Vec<Section>,
}

#[derive(Debug)]
struct Patterns {
    section: Regex,
    setting: Regex,
    commented: Regex,
}

#[derive(Default, Debug)]
struct Section {
    name: String,
    /// As it stands in the file; `None` of the first section, and of one that is new.
    header: Option<String>,
    is_new: bool,
    lines: Vec<Line>,
    /// Settings that come behind all lines.
    added: Vec<(String, String)>,
}

/// A line, with its end.
#[derive(Clone, Debug)]
struct Line {
    text: String,
    setting: Option<SettingLine>,
}

/// The parts of a line that sets something.
#[derive(Clone, Debug)]
struct SettingLine {
    indent: String,
    name: String,
    separator: String,
    value: String,
}

impl Patterns {
    fn new(format: &IniFormat) -> Result<Patterns, Failure> {
        // What separates is part of a pattern, as the module has it.
        let separator = match format.separator.trim() {
            "" => " ",
            separator => separator,
        };
        let [prefix, suffix] = [&format.section_prefix, &format.section_suffix].map(|text| escaped(text));
        let name_end = format!(r"[^\s{separator}]");
        let assignment = format!(r"(\s*{separator}[ \t]*)(.*)\s*$");
        Ok(Patterns {
            section: pattern(&format!(r"^\s*{prefix}(.*){suffix}\s*$"))?,
            setting: pattern(&format!(r"^(\s*)([^#;\s]|[^#;\s].*?{name_end}){assignment}"))?,
            commented: pattern(&format!(r"^(\s*)[#;]+(\s*)(.*?{name_end}){assignment}"))?,
        })
    }

    fn line(&self, text: &str) -> Result<Line, Failure> {
        let setting = groups(&self.setting, text)?.map(|groups| SettingLine {
            indent: groups[1].clone(),
            name: groups[2].clone(),
            separator: groups[3].clone(),
            value: groups[4].clone(),
        });
        Ok(Line { text: text.to_owned(), setting })
    }

    /// Returns true if a line is the setting of this name, as a comment.
    fn is_commented(&self, line: &Line, name: &str) -> Result<bool, Failure> {
        Ok(groups(&self.commented, &line.text)?.is_some_and(|groups| groups[3] == name))
    }
}

fn pattern(source: &str) -> Result<Regex, Failure> {
    Regex::new(source, Options::default()).map_err(|error| Failure::new(format!("{}: /{source}/", error.message)))
}

fn escaped(text: &str) -> String {
    let special = |letter: char| letter.is_ascii() && !letter.is_ascii_alphanumeric();
    text.chars().flat_map(|letter| special(letter).then_some('\\').into_iter().chain([letter])).collect()
}

fn groups(pattern: &Regex, text: &str) -> Result<Option<Vec<String>>, Failure> {
    let found = pattern.find_at(text, 0).map_err(|_| Failure::new("the pattern needs too many steps"))?;
    Ok(found.map(|found| {
        let group = |number: usize| found.get(number).map_or("", |(start, end)| &text[start..end]).to_owned();
        (0..=5).map(group).collect()
    }))
}

impl Section {
    fn value(&self, name: &str) -> Option<&str> {
        let mut settings = self.lines.iter().filter_map(|line| line.setting.as_ref());
        let there = settings.rfind(|setting| setting.name == name).map(|setting| setting.value.as_str());
        there.or_else(|| self.added.iter().find(|(added, _)| added == name).map(|(_, value)| value.as_str()))
    }

    /// Returns the least space before a setting, in letters.
    fn indentation(&self) -> Option<usize> {
        let settings = self.lines.iter().filter_map(|line| line.setting.as_ref());
        settings.map(|setting| setting.indent.chars().count()).min()
    }

    fn is_unnamed(&self) -> bool {
        self.header.is_none() && !self.is_new
    }
}

impl IniFile {
    /// Reads the text of a file; an empty one where there is none.
    pub(super) fn parse(text: &str, format: IniFormat) -> Result<IniFile, Failure> {
        let patterns = Patterns::new(&format)?;
        let mut sections = vec![Section::default()];
        for text in text.split_inclusive('\n') {
            match groups(&patterns.section, text)? {
                Some(groups) => sections.push(Section {
                    name: groups[1].clone(),
                    header: Some(text.to_owned()),
                    ..Section::default()
                }),
                None => {
                    let line = patterns.line(text)?;
                    sections.iter_mut().next_back().into_iter().for_each(|section| section.lines.push(line.clone()));
                }
            }
        }
        Ok(IniFile { format, patterns, sections })
    }

    /// Returns the last section of a name: what stands there holds.
    fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().rev().find(|section| section.name == name)
    }

    pub(super) fn has_section(&self, name: &str) -> bool {
        self.section(name).is_some()
    }

    pub(super) fn value(&self, section: &str, setting: &str) -> Option<&str> {
        self.section(section)?.value(setting)
    }

    /// Adds a section, if it is not there.
    pub(super) fn add_section(&mut self, name: &str) {
        if !self.has_section(name) {
            self.sections.push(Section { name: name.to_owned(), is_new: true, ..Section::default() });
        }
    }

    /// Sets a value: where the setting stands, behind a comment that shows it, or at the end of its section.
    pub(super) fn set(&mut self, section: &str, setting: &str, value: &str) -> Result<(), Failure> {
        self.add_section(section);
        let new = |indentation: Option<usize>| {
            let indent = self.format.indent.repeat(self.format.indent_width.or(indentation).unwrap_or(0));
            format!("{indent}{setting}{}{value}", self.format.separator)
        };
        let Some(section) = self.sections.iter_mut().rev().find(|known| known.name == section) else { return Ok(()) };
        let mut is_there = false;
        for line in &mut section.lines {
            if let Some(known) = line.setting.as_mut().filter(|known| known.name == setting) {
                known.value = value.to_owned();
                line.text = format!("{}{}{}{value}", known.indent, known.name, known.separator);
                is_there = true;
            }
        }
        if is_there {
            return Ok(());
        }
        for place in 0..section.lines.len() {
            if self.patterns.is_commented(&section.lines[place], setting)? {
                let line = self.patterns.line(&new(section.indentation()))?;
                section.lines.insert(place + 1, line);
                return Ok(());
            }
        }
        match section.added.iter_mut().find(|(known, _)| known == setting) {
            Some((_, known)) => *known = value.to_owned(),
            None => section.added.push((setting.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// Takes a setting away, and its section with it if nothing else is in it.
    pub(super) fn remove(&mut self, section: &str, setting: &str) {
        let Some(place) = self.sections.iter().rposition(|known| known.name == section) else { return };
        let section = &mut self.sections[place];
        let count = section.lines.len();
        section.lines.retain(|line| line.setting.as_ref().is_none_or(|known| known.name != setting));
        if section.lines.len() < count && section.lines.is_empty() && !section.is_unnamed() {
            self.sections.remove(place);
        }
    }

    /// Returns the text of the file.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let is_blank = |line: &Line| line.text.trim().is_empty();
        for (place, section) in self.sections.iter().enumerate() {
            if section.is_new {
                if !text.is_empty() {
                    text.push('\n');
                }
                let IniFormat { section_prefix, section_suffix, .. } = &self.format;
                text.push_str(&format!("{section_prefix}{}{section_suffix}\n", section.name));
            }
            section.header.iter().for_each(|header| push_line(&mut text, header));
            let blank = section.lines.iter().rev().take_while(|line| is_blank(line)).count();
            let (lines, blank) = section.lines.split_at(section.lines.len() - blank);
            lines.iter().for_each(|line| push_line(&mut text, &line.text));
            let indent = self.format.indent_width.or(section.indentation()).unwrap_or(0);
            for (name, value) in &section.added {
                let indent = self.format.indent.repeat(indent);
                text.push_str(&format!("{indent}{name}{}{value}\n", self.format.separator));
            }
            blank.iter().for_each(|line| push_line(&mut text, &line.text));
            let is_followed = place + 1 < self.sections.len();
            let began = section.is_new || (section.is_unnamed() && section.lines.is_empty());
            if blank.is_empty() && began && !section.added.is_empty() && is_followed {
                text.push('\n');
            }
        }
        text
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    if !line.ends_with('\n') {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, change: impl FnOnce(&mut IniFile)) -> String {
        let format = IniFormat { separator: " = ".to_owned(), ..IniFormat::default() };
        let mut file = IniFile::parse(text, format).unwrap();
        change(&mut file);
        file.text()
    }

    #[test]
    fn a_change_touches_its_line_alone() {
        let text = "; note\n[a]\nx=1\n  y = 2 \n\n[b]\nx = 3";
        let new = changed(text, |file| file.set("a", "y", "new").unwrap());
        assert_eq!(new, "; note\n[a]\nx=1\n  y = new\n\n[b]\nx = 3\n");
    }

    #[test]
    fn new_settings_come_before_the_blank_lines_of_a_section() {
        let new = changed("[a]\nx = 1\n\n[b]\n", |file| file.set("a", "y", "2").unwrap());
        assert_eq!(new, "[a]\nx = 1\ny = 2\n\n[b]\n");
        let new = changed("[a]\n#y = 0\nx = 1\n", |file| file.set("a", "y", "2").unwrap());
        assert_eq!(new, "[a]\n#y = 0\ny = 2\nx = 1\n");
        assert_eq!(changed("", |file| file.set("s", "k", "v").unwrap()), "[s]\nk = v\n");
    }

    #[test]
    fn the_last_setting_takes_its_section_along() {
        assert_eq!(changed("[a]\nx = 1\n[b]\ny = 1\n", |file| file.remove("a", "x")), "[b]\ny = 1\n");
        assert_eq!(changed("[a]\n# kept\nx = 1\n", |file| file.remove("a", "x")), "[a]\n# kept\n");
    }
}
