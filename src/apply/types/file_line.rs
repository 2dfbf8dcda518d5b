//! The type `file_line` of the module stdlib: a line that is in a file, or is not.

use std::io;
use std::path::{Path, PathBuf};

use pantin_machine::NewFile;
use pantin_values::Value;
use pantin_values::regex::{Options, Regex};

use super::file::fileset::{LARGEST_FILE, ruby_words};
use super::file::rules::check_path;
use super::{NewResource, TypeEntry};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::{FileFootprint, Footprint};
use crate::managed::{Managed, Observation, ObservationMode, Property};
use crate::resource::{AttributeRule, AttributeValues, Draft};
use crate::value::{is_word, symbol};

const TRUE_FALSE: &[(&str, &str)] = &[("true", "true"), ("false", "false")];

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "file_line",
    namevar: Some("name"),
    provider: Some("ruby"),
    attributes: &[
        AttributeRule::property("ensure")
            .words(&[("present", "present"), ("absent", "absent")])
            .default_text("present"),
        AttributeRule::property("line"),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("match"),
        AttributeRule::parameter("match_for_absence").words(TRUE_FALSE).default_text("false"),
        AttributeRule::parameter("multiple").words(TRUE_FALSE),
        AttributeRule::parameter("after"),
        AttributeRule::parameter("path").checked(check_path),
        AttributeRule::parameter("replace").words(TRUE_FALSE).default_text("true"),
        AttributeRule::parameter("replace_all_matches_not_matching_line").words(TRUE_FALSE).default_text("false"),
        AttributeRule::parameter("encoding").default_text("UTF-8"),
        AttributeRule::parameter("append_on_no_match").words(TRUE_FALSE).default_text("true"),
    ],
    validate: Some(validate),
    spread_secret: None,
    make,
};

fn validate(draft: &mut Draft<'_>) -> Result<(), Failure> {
    let values = &draft.values;
    if values.is("replace_all_matches_not_matching_line", "true") {
        for (name, needed) in [("multiple", "multiple"), ("replace", "replace")] {
            if values.is(name, "false") {
                let message = format!("{needed} must be true when replace_all_matches_not_matching_line is true");
                return Err(Failure::new(message));
            }
        }
    }
    let is_removed_by_match =
        values.is("ensure", "absent") && values.is("match_for_absence", "true") && values.has("match");
    if values.get("line").is_none() && !is_removed_by_match {
        return Err(Failure::new("line is a required attribute"));
    }
    if !values.has("path") {
        return Err(Failure::new("path is a required attribute"));
    }
    Ok(())
}

struct FileLine {
    values: AttributeValues,
    properties: Vec<Property>,
    path: PathBuf,
    line: Option<String>,
    /// Read once, and kept for the change.
    lines: Option<Vec<Line>>,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    Ok(Box::new(FileLine {
        properties: new.values.properties(),
        path: PathBuf::from(new.values.text("path").unwrap_or_default()),
        line: new.values.text("line"),
        values: new.values.clone(),
        lines: None,
    }))
}

/// A line of the file, with its end.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Line {
    bytes: Vec<u8>,
    /// The letters of the line; `None` if its bytes are none in the encoding.
    text: Option<String>,
}

impl Line {
    fn new(bytes: &[u8], is_utf8: bool) -> Line {
        let text = match is_utf8 {
            true => std::str::from_utf8(bytes).ok().map(str::to_owned),
            // A letter a byte is what patterns need.
            false => Some(bytes.iter().map(|&byte| char::from(byte)).collect()),
        };
        Line { bytes: bytes.to_vec(), text }
    }

    /// Returns true if the line without its end is this one.
    fn is(&self, line: &str) -> bool {
        let end = self.bytes.strip_suffix(b"\r\n").or_else(|| self.bytes.strip_suffix(b"\n"));
        end.or_else(|| self.bytes.strip_suffix(b"\r")).unwrap_or(&self.bytes) == line.as_bytes()
    }

    fn matches(&self, pattern: &Regex) -> Result<bool, Failure> {
        let text = self.text.as_deref().ok_or_else(|| Failure::new("invalid byte sequence in UTF-8"))?;
        pattern.is_match(text).map_err(|_| Failure::new("the pattern needs too many steps"))
    }
}

fn pattern(source: &str) -> Result<Regex, Failure> {
    Regex::new(source, Options::default()).map_err(|error| Failure::new(format!("{}: /{source}/", error.message)))
}

impl FileLine {
    fn is_true(&self, name: &str) -> bool {
        self.values.is(name, "true")
    }

    fn pattern_of(&self, name: &str) -> Result<Option<Regex>, Failure> {
        self.values.text(name).map(|source| pattern(&source)).transpose()
    }

    /// Reads the lines of the file, the first time that they are needed.
    fn read(&mut self, context: &ApplyContext<'_>) -> Result<Vec<Line>, Failure> {
        if let Some(lines) = &self.lines {
            return Ok(lines.clone());
        }
        let is_utf8 = self.values.text("encoding").is_none_or(|name| name.eq_ignore_ascii_case("utf-8"));
        let bytes = match context.machine.read(&self.path, LARGEST_FILE) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound && context.is_noop => Vec::new(),
            Err(error) => {
                return Err(Failure::new(ruby_words(&error, "rb_sysopen", &self.path.display().to_string())));
            }
        };
        let lines: Vec<Line> =
            bytes.split_inclusive(|&byte| byte == b'\n').map(|line| Line::new(line, is_utf8)).collect();
        self.lines = Some(lines.clone());
        Ok(lines)
    }

    fn is_line(&self, line: &Line) -> bool {
        self.line.as_deref().is_some_and(|wanted| line.is(wanted))
    }

    fn count(&self, lines: &[Line], pattern: &Regex) -> Result<usize, Failure> {
        let skips_line = self.is_true("replace_all_matches_not_matching_line");
        let mut count = 0;
        for line in lines.iter().filter(|line| !(skips_line && self.is_line(line))) {
            count += usize::from(line.matches(pattern)?);
        }
        Ok(count)
    }

    /// Returns true if the line is there as far as the resource cares.
    fn is_there(&mut self, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        let lines = self.read(context)?;
        let has_line = lines.iter().any(|line| self.is_line(line));
        let Some(pattern) = self.pattern_of("match")? else { return Ok(has_line) };
        let count = self.count(&lines, &pattern)?;
        if !self.values.is("ensure", "present") {
            return Ok(has_line || (count > 0 && self.is_true("match_for_absence")));
        }
        Ok(match count {
            0 => has_line || !self.is_true("append_on_no_match"),
            _ if self.is_true("replace_all_matches_not_matching_line") => false,
            _ => has_line || !self.is_true("replace"),
        })
    }

    fn create(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let lines = self.read(context)?;
        let (wanted, after) = (self.pattern_of("match")?, self.pattern_of("after")?);
        if !self.is_true("replace") {
            let Some(pattern) = &wanted else {
                return Err(Failure::new("wrong argument type nil (expected Regexp)"));
            };
            if self.count(&lines, pattern)? > 0 {
                return Ok(());
            }
        }
        let new = match (&wanted, &after) {
            (Some(wanted), after) => self.replaced(&lines, wanted, after.as_ref())?,
            (None, Some(after)) => self.inserted(&lines, after)?,
            (None, None) => {
                let mut new = ended(&lines);
                self.push_line(&mut new);
                new
            }
        };
        self.write(&new, context)
    }

    fn refuse_several(&self, count: usize) -> Result<(), Failure> {
        if count > 1 && !self.is_true("multiple") {
            let (path, pattern) = (self.path.display(), self.values.text("match").unwrap_or_default());
            return Err(Failure::new(format!("More than one line in file '{path}' matches pattern '{pattern}'")));
        }
        Ok(())
    }

    fn replaced(&self, lines: &[Line], wanted: &Regex, after: Option<&Regex>) -> Result<Vec<u8>, Failure> {
        let mut count = self.count(lines, wanted)?;
        self.refuse_several(count)?;
        let mut new = Vec::new();
        for line in lines {
            match line.matches(wanted)? {
                true => self.push_line(&mut new),
                false => push_ended(&mut new, &line.bytes),
            }
            if count == 0
                && let Some(after) = after
                && line.matches(after)?
            {
                self.push_line(&mut new);
                count += 1;
            }
        }
        if count == 0 {
            self.push_line(&mut new);
        }
        Ok(new)
    }

    fn inserted(&self, lines: &[Line], after: &Regex) -> Result<Vec<u8>, Failure> {
        let count = self.count(lines, after)?;
        if count > 1 && !self.is_true("multiple") {
            let (path, pattern) = (self.path.display(), self.values.text("after").unwrap_or_default());
            return Err(Failure::new(format!(
                "{count} lines match pattern '{pattern}' in file '{path}'. One or no line must match the pattern."
            )));
        }
        let mut new = Vec::new();
        for line in lines {
            push_ended(&mut new, &line.bytes);
            if line.matches(after)? {
                self.push_line(&mut new);
            }
        }
        if count == 0 {
            self.push_line(&mut new);
        }
        Ok(new)
    }

    fn destroy(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let lines = self.read(context)?;
        let pattern = if self.is_true("match_for_absence") { self.pattern_of("match")? } else { None };
        let mut new = Vec::new();
        if let Some(pattern) = &pattern {
            self.refuse_several(self.count(&lines, pattern)?)?;
        }
        for line in &lines {
            let goes = match &pattern {
                Some(pattern) => line.matches(pattern)?,
                None => self.is_line(line),
            };
            if !goes {
                new.extend_from_slice(&line.bytes);
            }
        }
        self.write(&new, context)
    }

    fn push_line(&self, new: &mut Vec<u8>) {
        push_ended(new, self.line.as_deref().unwrap_or_default().as_bytes());
    }

    /// Puts the new content in the place of the old one; a link is followed.
    fn write(&self, content: &[u8], context: &ApplyContext<'_>) -> Result<(), Failure> {
        let shown = self.path.display().to_string();
        let told = |error: &io::Error| Failure::new(ruby_words(error, "rb_sysopen", &shown));
        let path = context.machine.resolve(&self.path).map_err(|error| told(&error))?;
        let old = context.machine.stat(&path, false).map_err(|error| told(&error))?;
        let mode = old.as_ref().map_or(0o644, |old| old.mode);
        let owner = (old.as_ref().map(|old| old.uid), old.as_ref().map(|old| old.gid));
        let new = NewFile { owner, ..NewFile::new(content, mode) };
        context.machine.replace(Path::new(&path), &new).map_err(|error| told(&error))
    }
}

/// Returns the lines, the last one with an end too.
fn ended(lines: &[Line]) -> Vec<u8> {
    let mut bytes = Vec::new();
    lines.iter().for_each(|line| push_ended(&mut bytes, &line.bytes));
    bytes
}

fn push_ended(bytes: &mut Vec<u8>, line: &[u8]) {
    bytes.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        bytes.push(b'\n');
    }
}

impl Managed for FileLine {
    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        self.lines = None;
        if !self.is_there(context)? {
            return Ok(Observation::absent(&self.properties));
        }
        let line = self.line.as_deref().map_or(Value::Undef, Value::string);
        Ok(Observation::new().with("ensure", symbol("present")).with("line", line))
    }

    fn is_in_step(&mut self, property: &Property, is: &Value, _: &ApplyContext<'_>) -> Result<bool, Failure> {
        Ok(property.name == "line" || property.matches(is))
    }

    fn change(&mut self, property: &Property, _is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        match is_word(&property.should(), "absent") {
            true => self.destroy(context),
            false => self.create(context),
        }
    }

    fn footprint(&self) -> Footprint {
        Footprint::Files(FileFootprint { writes: vec![self.path.clone()], ..FileFootprint::default() })
    }

    fn observation_mode(&self) -> ObservationMode {
        ObservationMode::Ahead
    }
}
