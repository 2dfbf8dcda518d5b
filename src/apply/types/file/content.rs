//! The content of a file: what it should be, how it is compared, how a difference is shown.

use pantin_machine::{SpawnError, SystemQuery};
use pantin_values::{Value, unencoded};

use super::File;
use super::checksum::{ChecksumType, is_checksum, seconds_of, value_of};
use super::fileset::{doors, ruby_words};
use super::source::Metadata;
use super::write::Fault;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::value::{is_word, text};

/// What a file should hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Bytes(Vec<u8>),
    /// A checksum in the place of a content, which a bucket has.
    Checksum(String),
}

impl Content {
    pub(super) fn new(value: &Value) -> Content {
        match value {
            Value::Binary(binary) => Content::Bytes(binary.bytes().to_vec()),
            Value::String(text) if is_checksum(text) => Content::Checksum(text.to_string()),
            Value::String(text) => Content::Bytes(text.as_bytes().to_vec()),
            Value::Unencoded(letters) => Content::Bytes(unencoded::bytes(letters).into_owned()),
            other => Content::Bytes(text(other).as_bytes().to_vec()),
        }
    }

    /// Returns the checksum of the content: `{sha256}…`.
    pub(super) fn sum(&self, checksum: ChecksumType) -> String {
        match self {
            Content::Bytes(bytes) => checksum.sum(bytes),
            Content::Checksum(sum) => sum.clone(),
        }
    }
}

/// Returns the desired checksum as reports have it: a text in no encoding.
pub(super) fn binary(sum: &str) -> Value {
    Value::Binary(pantin_values::Binary::new(sum.as_bytes()))
}

impl File {
    /// Returns the checksum that is told as the new content.
    pub(super) fn desired_sum(&self) -> Option<String> {
        let property = self.property("content")?;
        if let Some(metadata) = &self.metadata {
            return metadata.checksum.clone();
        }
        match property.desired.first()? {
            Value::Binary(sum) => Some(String::from_utf8_lossy(sum.bytes()).into_owned()),
            other => Some(text(other).into_owned()),
        }
    }

    pub(super) fn is_content_in_step(&mut self, is: &Value, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        let wanted = self.wanted_sum().unwrap_or_default();
        self.is_sum_in_step(is, &wanted, context)
    }

    /// Returns the checksum that the content should have, if anything is said of it.
    pub(super) fn wanted_sum(&self) -> Option<String> {
        if let Some(value) = self.should("checksum_value") {
            return Some(format!("{{{}}}{}", self.checksum.name(), text(&value)));
        }
        self.should("content").map(|content| match content {
            Value::Binary(sum) => String::from_utf8_lossy(sum.bytes()).into_owned(),
            other => text(&other).into_owned(),
        })
    }

    pub(super) fn is_checksum_value_in_step(
        &mut self,
        is: &Value,
        context: &ApplyContext<'_>,
    ) -> Result<bool, Failure> {
        if self.sources.is_empty() {
            return Ok(true);
        }
        let wanted = text(&self.should("checksum_value").unwrap_or_default()).into_owned();
        self.is_sum_in_step(is, &wanted, context)
    }

    fn is_sum_in_step(&mut self, is: &Value, wanted: &str, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        if !self.should_be_file(context) {
            if self.ensure().as_deref() == Some("present")
                && self.property("content").is_some()
                && let Some(stat) = self.stat(context)
            {
                let kind = super::source::kind_name(stat.kind);
                let warning = format!("Ensure set to :present but file type is {kind} so no content will be synced");
                context.say(Level::Warning, warning);
            }
            return Ok(true);
        }
        if is_word(is, "absent") {
            return Ok(false);
        }
        if !self.is_replaced() {
            return Ok(true);
        }
        let is = text(is).into_owned();
        let is_in_step = is == wanted || self.is_newer(&is, wanted)?;
        if !is_in_step && context.settings.show_diff && self.values.is_true("show_diff") {
            self.show_difference(context)?;
        }
        Ok(is_in_step)
    }

    /// Returns true if the times say that the file is not older than it should be.
    fn is_newer(&self, is: &str, wanted: &str) -> Result<bool, Failure> {
        if !self.checksum.is_time() || is.is_empty() || wanted.is_empty() {
            return Ok(false);
        }
        match (seconds_of(value_of(is)), seconds_of(value_of(wanted))) {
            (Some(is), Some(wanted)) => Ok(is >= wanted),
            _ => Err(Failure::new(format!(
                "Resource with checksum_type {} didn't contain a date in {is} or {wanted}",
                self.checksum.name()
            ))),
        }
    }

    fn show_difference(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let level = context.resource.metaparameters.level;
        let attribute = if self.sources.is_empty() || self.property("checksum_value").is_none() {
            "content"
        } else {
            "checksum_value"
        };
        if self.holds_secret() {
            context.say_of(attribute, level, "[diff redacted]");
            return Ok(());
        }
        let (program, arguments) = context.settings.diff.clone();
        if program.is_empty() {
            context.say_of(attribute, level, "\n");
            return Ok(());
        }
        let new = self.new_bytes(context).map_err(Fault::into_failure)?;
        let query = SystemQuery::Difference { program, arguments, old: self.path.clone(), new };
        let said = match context.machine.query(&query, context.stop) {
            Ok(output) => match String::from_utf8(output.text) {
                Ok(text) => text,
                Err(_) => format!("Binary files {} and the new content differ", self.path.display()),
            },
            Err(SpawnError::Stopped) => {
                return Err(Failure::stopped(context.stop.signal().unwrap_or_default()));
            }
            // A tool that is not there keeps nothing from being changed.
            Err(_) => String::new(),
        };
        context.say_of(attribute, level, format!("\n{said}"));
        Ok(())
    }

    /// Returns the bytes that the file should hold.
    pub(super) fn new_bytes(&mut self, context: &ApplyContext<'_>) -> Result<Vec<u8>, Fault> {
        if !self.sources.is_empty() {
            let Metadata { place, .. } = self.find_metadata(context)?;
            let read = place.read(doors(context));
            return read.map_err(|error| Fault::System(ruby_words(&error, "rb_sysopen", &place.display())));
        }
        match &self.content {
            Some(Content::Bytes(bytes)) => Ok(bytes.clone()),
            Some(Content::Checksum(sum)) => self.content_of_bucket(sum, context).map_err(Fault::Told),
            None => Ok(Vec::new()),
        }
    }

    fn content_of_bucket(&self, sum: &str, context: &ApplyContext<'_>) -> Result<Vec<u8>, Failure> {
        let found = match &self.backup {
            Some(backup) => backup.find(value_of(sum), context),
            None => Err(Failure::new("Could not get filebucket from file")),
        };
        found
            .map_err(|failure| Failure::new(format!("Could not retrieve content for {sum} from filebucket: {failure}")))
    }
}
