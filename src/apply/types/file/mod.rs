//! The type `file`: files, folders and links with content, owner and mode.

pub(super) mod backup;
mod checksum;
mod children;
mod content;
pub(super) mod fileset;
pub(super) mod fnmatch;
mod mode;
mod observe;
mod permissions;
pub(super) mod rules;
pub(super) mod source;
pub(super) mod write;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pantin_machine::{FileKind, FileStat};
use pantin_values::Value;
use rustc_hash::FxHashMap;

use self::backup::Backup;
use self::checksum::ChecksumType;
use self::content::Content;
use self::source::{FileToRead, Metadata};
use super::{NewResource, TypeEntry};
use crate::applied_catalog::AppliedCatalog;
use crate::context::ApplyContext;
use crate::failure::{Failure, ProviderLack};
use crate::footprint::{FileFootprint, Footprint};
use crate::managed::{ChangeMessage, Generated, Managed, Observation, ObservationMode, Property, ensure_message};
use crate::resource::AttributeValues;
use crate::value::{display, is_word, text};

pub(super) use self::rules::plain_path;

pub(super) const TYPE: TypeEntry = TypeEntry {
    name: "file",
    namevar: Some("path"),
    provider: Some("posix"),
    attributes: rules::ATTRIBUTES,
    validate: Some(rules::validate),
    spread_secret: Some(rules::spread_secret),
    make,
};

/// A file, folder or link.
pub(super) struct File {
    path: PathBuf,
    /// The path as a text.
    name: String,
    values: AttributeValues,
    properties: Vec<Property>,
    content: Option<Content>,
    /// What another resource decides late: the content of a `concat_file`.
    late_content: Option<LateContent>,
    checksum: ChecksumType,
    backup: Option<Backup>,
    sources: Vec<String>,
    metadata: Option<Metadata>,
    /// What stood at the source when it was last looked at.
    source_state: Option<String>,
    /// What stood there and below, of a folder that copies all.
    source_tree: Option<String>,
    /// Names of users and groups, by number.
    names: FxHashMap<(AccountKind, u32), String>,
}

/// A content that is worked out after the file was made.
pub(super) type LateContent = Arc<Mutex<Option<Vec<u8>>>>;

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    if new.values.is("provider", "windows") {
        return Err(Failure::lack(ProviderLack::Named("windows".to_owned())));
    }
    Ok(Box::new(File::new(new.values.clone())))
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum AccountKind {
    User,
    Group,
}

impl File {
    pub(super) fn new(values: AttributeValues) -> File {
        let name = values.text("path").unwrap_or_default();
        let checksum = values.text("checksum").and_then(|name| ChecksumType::from_name(&name));
        let checksum = checksum.unwrap_or(ChecksumType::Sha256);
        // Puppet keeps the content that it has seen last.
        let content = values.last("content").map(Content::new);
        let backup = values.get("backup").filter(|backup| **backup != Value::Boolean(false));
        let mut file = File {
            path: PathBuf::from(&name),
            name,
            properties: values.properties(),
            content,
            late_content: None,
            checksum,
            backup: backup.map(|backup| Backup::from_word(&text(backup))),
            sources: rules::texts(&values, "source"),
            metadata: None,
            source_state: None,
            source_tree: None,
            names: FxHashMap::default(),
            values,
        };
        if file.holds_secret() {
            file.properties
                .iter_mut()
                .filter(|property| ["ensure", "content"].contains(&property.name))
                .for_each(|property| property.is_secret = true);
        }
        file
    }

    /// Makes a file whose content is put into the slot before the file is looked at.
    pub(super) fn with_late_content(values: AttributeValues, slot: LateContent) -> File {
        File { late_content: Some(slot), ..File::new(values) }
    }

    /// Takes over a content that was decided meanwhile, and works out which checksum is desired. Before a file is looked at, nobody
    /// asks for that.
    fn settle_content(&mut self) {
        let late =
            self.late_content.as_ref().and_then(|slot| slot.lock().unwrap_or_else(PoisonError::into_inner).take());
        if let Some(bytes) = late {
            self.content = Some(Content::Bytes(bytes));
        }
        if let Some(content) = &self.content {
            let sum = content.sum(self.checksum);
            self.set_desired("content", content::binary(&sum));
        }
    }

    /// Returns true if the content is not to be known to others.
    fn holds_secret(&self) -> bool {
        self.values.is_secret("content") || self.values.is_secret("source")
    }

    fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// Returns what should be, if anything is said of it.
    fn should(&self, name: &str) -> Option<Value> {
        self.property(name).filter(|property| property.is_desired()).map(Property::should)
    }

    /// Sets what should be, also of a property of which nothing was said. Keeps the order of the type.
    fn set_desired(&mut self, name: &'static str, value: Value) {
        if let Some(property) = self.properties.iter_mut().find(|property| property.name == name) {
            property.desired = vec![value];
            return;
        }
        let rank = |name: &str| rules::ATTRIBUTES.iter().position(|rule| rule.name == name);
        let at = self.properties.iter().position(|property| rank(property.name) > rank(name));
        let is_secret = ["ensure", "content"].contains(&name)
            && (self.values.is_secret("source") || self.values.is_secret("content"));
        let property = Property { name, desired: vec![value], is_list: false, is_secret };
        self.properties.insert(at.unwrap_or(self.properties.len()), property);
    }

    /// Returns where the link leads that is to be, as a path from the root.
    fn link_target(&self) -> Option<PathBuf> {
        let target = self.should("target").filter(|target| !is_word(target, "notlink"))?;
        Some(self.path.parent().unwrap_or(Path::new("/")).join(&*text(&target)))
    }

    fn ensure(&self) -> Option<String> {
        self.should("ensure").map(|ensure| text(&ensure).into_owned())
    }

    fn follows_links(&self) -> bool {
        self.values.is("links", "follow")
    }

    fn is_replaced(&self) -> bool {
        self.values.is_true("replace")
    }

    fn is_forced(&self) -> bool {
        self.values.is_true("force")
    }

    /// Looks at what stands at the path; follows a link where the resource does.
    fn stat(&self, context: &ApplyContext<'_>) -> Option<FileStat> {
        match context.machine.stat(&self.path, self.follows_links()) {
            Ok(stat) => stat,
            Err(error) => {
                if error.kind() == std::io::ErrorKind::PermissionDenied {
                    context.say(crate::log::Level::Warning, "Could not stat; permission denied");
                }
                None
            }
        }
    }

    fn exists(&self, context: &ApplyContext<'_>) -> bool {
        matches!(context.machine.stat(&self.path, true), Ok(Some(_)))
    }

    /// Returns true if this is meant to be a normal file.
    fn should_be_file(&self, context: &ApplyContext<'_>) -> bool {
        let is_file = |stat: FileStat| stat.kind == FileKind::File;
        match self.ensure().as_deref() {
            Some("file") => true,
            Some("present") => self.stat(context).is_none_or(is_file),
            Some(_) => false,
            None => self.content.is_some() || self.stat(context).is_some_and(is_file),
        }
    }
}

impl Managed for File {
    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        self.look(context)
    }

    fn is_in_step(&mut self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> Result<bool, Failure> {
        match property.name {
            "ensure" => Ok(self.is_ensure_in_step(is)),
            "content" => self.is_content_in_step(is, context),
            "checksum_value" => self.is_checksum_value_in_step(is, context),
            "target" => Ok(self.is_target_in_step(is, context)),
            "owner" | "group" => self.is_account_in_step(property.name, is, context),
            "mode" => self.is_mode_in_step(is, context),
            // There is no SELinux on this machine's file systems as far as we know them.
            _ => Ok(true),
        }
    }

    fn change(&mut self, property: &Property, _is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        match property.name {
            "ensure" => self.bring_about(context),
            "content" | "checksum_value" => self.write(false, context).map_err(write::Fault::into_failure),
            "target" => self.turn_link(context).map_err(write::Fault::into_failure),
            "owner" | "group" => self.set_account(property.name, context),
            "mode" => self.set_mode(context),
            _ => Ok(()),
        }
    }

    fn describe(&self, property: &Property, is: &Value, context: &ApplyContext<'_>) -> ChangeMessage {
        match property.name {
            "ensure" => {
                let should = self.should("ensure").unwrap_or_default();
                let sum =
                    (is_word(&should, "file") || is_word(&should, "present")).then(|| self.desired_sum()).flatten();
                ChangeMessage::Text(match sum {
                    Some(sum) => format!("defined content as '{sum}'"),
                    None => ensure_message(is, &should),
                })
            }
            "content" => {
                let sum = self.desired_sum().unwrap_or_default();
                ChangeMessage::Text(match is {
                    Value::Symbol(word) if word == "absent" => format!("defined content as '{sum}'"),
                    is => format!("content changed '{}' to '{sum}'", text(is)),
                })
            }
            "mode" => self.describe_mode(is, context),
            _ => ChangeMessage::Standard,
        }
    }

    fn learn_recorded(&mut self, property: &Property, recorded: &Value, context: &ApplyContext<'_>) {
        if let ("owner" | "group", Value::Integer(id)) = (property.name, recorded)
            && let Ok(id) = u32::try_from(*id)
        {
            self.learn_name(property.name, id, context);
        }
    }

    fn show_current(&self, property: &Property, value: &Value) -> String {
        match (property.name, value) {
            ("owner", Value::Integer(id)) => self.account_name(AccountKind::User, *id),
            ("group", Value::Integer(id)) => self.account_name(AccountKind::Group, *id),
            ("mode", Value::String(mode)) => format!("'{mode:0>4}'"),
            _ => display(value),
        }
    }

    fn show_desired(&self, property: &Property) -> String {
        let should = self.should(property.name).unwrap_or_else(|| property.should());
        match (property.name, &should) {
            ("content", Value::Binary(bytes)) => format!("'{}'", String::from_utf8_lossy(bytes.bytes())),
            _ => self.show_current(property, &should),
        }
    }

    fn event_name(&self, property: &Property) -> Option<String> {
        if property.name != "ensure" {
            return None;
        }
        let name = match self.ensure().as_deref() {
            Some("file" | "present") => "file_created",
            Some("directory") => "directory_created",
            Some("link") => "link_created",
            Some("absent") => "file_removed",
            _ => return None,
        };
        Some(name.to_owned())
    }

    fn flush(&mut self, _context: &ApplyContext<'_>) -> Result<(), Failure> {
        self.metadata = None;
        Ok(())
    }

    fn check(&self, catalog: &AppliedCatalog) -> Result<(), Failure> {
        self.backup.as_ref().map_or(Ok(()), |backup| backup.check(catalog))
    }

    fn learn(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if self.sources.is_empty() {
            return Ok(());
        }
        if rules::recurses(&self.values) {
            let files = self.source_files(context)?;
            self.note_source_tree(&files);
        }
        if self.source_tree.is_some() {
            return Ok(());
        }
        let found = self.find_metadata(context).map(drop);
        // It may be another one by the time of the turn.
        self.metadata = None;
        found
    }

    fn learnt_parts(&self, catalog: &AppliedCatalog) -> Vec<String> {
        let mut parts: Vec<String> = self.source_tree.iter().chain(&self.source_state).take(1).cloned().collect();
        if let (Some(_), Some(content)) = (&self.late_content, &self.content) {
            parts.push(content.sum(self.checksum));
        }
        if rules::recurses(&self.values) {
            // What the catalog says of files inside is left out.
            let inside = |(_, values): (_, &AttributeValues)| {
                values
                    .text("path")
                    .filter(|path| Path::new(path) != self.path && Path::new(path).starts_with(&self.path))
            };
            let files = catalog.declared_of_type("file").chain(catalog.declared_of_type("concat_file"));
            parts.extend(files.filter_map(inside));
        }
        parts
    }

    fn children(&mut self, context: &ApplyContext<'_>) -> Result<Vec<Generated>, Failure> {
        if rules::recurses(&self.values) { self.find_children(context) } else { Ok(Vec::new()) }
    }

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn ancestors(&self) -> Vec<String> {
        self.path.ancestors().skip(1).map(|path| path.to_string_lossy().into_owned()).collect()
    }

    fn footprint(&self) -> Footprint {
        let recurses = rules::recurses(&self.values) || self.is_forced();
        let sources = self.sources.iter().filter_map(|source| match source::place_of(source) {
            Ok(fileset::FilePlace::Local(path)) => Some(path),
            _ => None,
        });
        let staging = self.values.text("staging_location").map(|folder| Path::new(&folder).join(last_part(&self.path)));
        let account = |name| self.should(name).map(|account| text(&account).into_owned());
        Footprint::Files(FileFootprint {
            writes: [self.path.clone()].into_iter().chain(staging).collect(),
            writes_below: if recurses { vec![self.path.clone()] } else { Vec::new() },
            reads: sources.chain(self.link_target()).collect(),
            accounts: ["owner", "group"].into_iter().filter_map(account).collect(),
            reads_anything: self.values.is_given("validate_cmd"),
            writes_anything: self.values.is_given("validate_cmd"),
        })
    }

    fn observation_mode(&self) -> ObservationMode {
        ObservationMode::Ahead
    }

    fn files_to_read(&self) -> Vec<FileToRead> {
        let has_content = self.property("content").is_some() || !self.sources.is_empty();
        let is_file = self.ensure().is_none_or(|ensure| ensure == "file" || ensure == "present");
        if !has_content || !is_file || !self.checksum.is_digest() || rules::recurses(&self.values) {
            return Vec::new();
        }
        let (checksum_type, is_secret) = (self.checksum, self.holds_secret());
        let source = self.sources.first().and_then(|source| source::place_of(source).ok());
        let places = [fileset::FilePlace::Local(self.path.clone())].into_iter().chain(source);
        places.map(|place| FileToRead { place, checksum_type, is_secret }).collect()
    }
}

/// Returns the name of a path's last part, for temporary names.
fn last_part(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
