//! Looking at a file: what its source says, what stands there, what is in step.

use pantin_machine::{FileKind, FileStat};
use pantin_values::Value;

use super::File;
use super::fileset::{FilePlace, ruby_words};
use super::mode;
use super::rules::shared;
use super::source::{self, Metadata, SourceOptions, SumRequest, kind_name};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::managed::Observation;
use crate::value::{is_word, symbol, text};

impl File {
    /// Takes over what the source says, and looks at the path.
    pub(super) fn look(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        self.settle_content();
        if !self.sources.is_empty() && self.property("checksum_value").is_none() {
            self.copy_from_source(context)?;
        }
        self.check_visible(context)?;
        let Some(stat) = self.stat(context) else { return Ok(Observation::absent(&self.properties)) };
        let mut observation = Observation::new().with("ensure", symbol(kind_name(stat.kind)));
        let names: Vec<&'static str> = self.properties.iter().map(|property| property.name).collect();
        for name in names.into_iter().filter(|name| *name != "ensure") {
            observation.set(name, self.current(name, &stat, context)?);
        }
        Ok(observation)
    }

    /// Fails where it cannot be said what stands at the path: it must not be taken for nothing.
    fn check_visible(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        match context.machine.stat(&self.path, self.follows_links()) {
            Err(error) if error.kind() != std::io::ErrorKind::PermissionDenied => {
                let call = if self.follows_links() { "rb_file_s_stat" } else { "rb_file_lstat" };
                Err(Failure::new(ruby_words(&error, call, &self.path.display().to_string())))
            }
            _ => Ok(()),
        }
    }

    /// Returns the current value of a property of what stands there.
    pub(super) fn current(
        &mut self,
        name: &'static str,
        stat: &FileStat,
        context: &ApplyContext<'_>,
    ) -> Result<Value, Failure> {
        Ok(match name {
            "content" => self.current_sum(stat, context)?.map_or(Value::Undef, |sum| shared(&sum)),
            "checksum_value" if self.sources.is_empty() => Value::Undef,
            "checksum_value" => {
                let sum = self.current_sum(stat, context)?;
                sum.map_or(Value::Undef, |sum| shared(super::checksum::value_of(&sum)))
            }
            "target" if stat.kind == FileKind::Link => {
                let target = context.machine.link_target(&self.path);
                target.map_or(Value::Undef, |target| shared(&target.to_string_lossy()))
            }
            "target" => symbol("notlink"),
            "owner" | "group" => {
                let id = if name == "owner" { stat.uid } else { stat.gid };
                self.learn_name(name, id, context);
                Value::Integer(i64::from(id))
            }
            "mode" => {
                self.mask_mode(context);
                shared(&format!("{:04o}", stat.mode))
            }
            "type" => shared(kind_name(stat.kind)),
            "ctime" => shared(&context.machine.local(stat.stamp.ctime).plain()),
            "mtime" => shared(&context.machine.local(stat.stamp.mtime).plain()),
            _ => Value::Undef,
        })
    }

    /// Returns the checksum of what stands there; folders, links and pipes have none.
    fn current_sum(&self, stat: &FileStat, context: &ApplyContext<'_>) -> Result<Option<String>, Failure> {
        if matches!(stat.kind, FileKind::Folder | FileKind::Link | FileKind::Fifo | FileKind::Socket) {
            return Ok(None);
        }
        let place = FilePlace::Local(self.path.clone());
        let (kind, title) = (kind_name(stat.kind), &context.resource.title);
        let desired = self.wanted_sum();
        let request = SumRequest {
            checksum_type: self.checksum,
            is_secret: self.holds_secret(),
            // What is out of step is read: only what was seen just now is changed, and told.
            believed: Some(desired.as_deref().unwrap_or_default()),
        };
        let sum = source::checksum_of(&place, request, context);
        sum.map(Some).map_err(|failure| Failure::new(format!("Could not read {kind} {title}: {failure}")))
    }

    /// Folders that may be read may be entered.
    fn mask_mode(&mut self, context: &ApplyContext<'_>) {
        let is_folder =
            matches!(context.machine.stat(&self.path, true), Ok(Some(stat)) if stat.kind == FileKind::Folder);
        if let Some(mode) = self.should("mode").filter(|_| is_folder) {
            self.set_desired("mode", shared(&mode::displayed(&mode::for_folder(&text(&mode)))));
        }
    }

    pub(super) fn is_ensure_in_step(&self, is: &Value) -> bool {
        let is_absent = is_word(is, "absent");
        if !is_absent && !self.is_replaced() {
            return true;
        }
        match self.ensure().as_deref() {
            Some("present") => !is_absent && *is != Value::Undef,
            Some(ensure) => is_word(is, ensure),
            None => true,
        }
    }

    pub(super) fn is_target_in_step(&self, is: &Value, context: &ApplyContext<'_>) -> bool {
        let target = self.should("target").unwrap_or_default();
        if is_word(&target, "notlink") || super::rules::recurses(&self.values) {
            return true;
        }
        if !self.is_replaced() && self.exists(context) {
            return true;
        }
        text(is) == text(&target) && !matches!(is, Value::Symbol(_))
    }

    fn source_options(&self) -> SourceOptions {
        SourceOptions {
            follows_links: self.follows_links(),
            checksum_type: self.checksum,
            has_permissions: !self.values.is("source_permissions", "ignore"),
            is_secret: self.holds_secret(),
        }
    }

    /// Returns what is known of the first source that is there.
    pub(super) fn find_metadata(&mut self, context: &ApplyContext<'_>) -> Result<Metadata, Failure> {
        if let Some(metadata) = self.metadata.clone() {
            self.source_state = Some(self.digest_of_source(&metadata));
            return Ok(metadata);
        }
        for address in &self.sources {
            let found = source::find(address, self.source_options(), context);
            let told = |failure| Failure::new(format!("Could not retrieve file metadata for {address}: {failure}"));
            if let Some(metadata) = found.map_err(told)? {
                self.source_state = Some(self.digest_of_source(&metadata));
                self.metadata = Some(metadata.clone());
                return Ok(metadata);
            }
        }
        let (environment, sources) = (&context.settings.environment, self.sources.join(", "));
        Err(Failure::new(format!("Could not retrieve information from environment {environment} source(s) {sources}")))
    }

    /// Tells two states of a source apart.
    pub(super) fn digest_of_source(&self, metadata: &Metadata) -> String {
        let Metadata { kind, checksum, destination, uid, gid, mode, .. } = metadata;
        let permissions = match self.source_options().has_permissions {
            true => format!("{uid} {gid} {mode:o}"),
            false => String::new(),
        };
        // That of a folder is a time, which no copy has.
        let checksum = checksum.as_deref().filter(|_| *kind != FileKind::Folder).unwrap_or_default();
        let destination = destination.as_deref();
        let destination = destination.map_or(String::new(), |destination| destination.display().to_string());
        format!("{} {checksum} {destination} {permissions}", kind_name(*kind))
    }

    /// Makes what the source is the desired state, where the resource says nothing itself.
    fn copy_from_source(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let metadata = self.find_metadata(context)?;
        let is_managed_link = metadata.kind == FileKind::Link && !self.follows_links();
        if metadata.kind != FileKind::Folder && !is_managed_link {
            let sum = metadata.checksum.clone().unwrap_or_default();
            self.set_desired("content", super::content::binary(&sum));
            self.checksum = metadata.checksum_type;
        }
        self.copy_permissions(&metadata, context);
        if self.ensure().as_deref() == Some("absent") {
            return Ok(());
        }
        match metadata.kind {
            FileKind::Link if self.follows_links() => self.set_desired("ensure", symbol("present")),
            FileKind::Link => {
                let target = metadata.destination.clone().unwrap_or_default();
                self.set_desired("ensure", symbol("link"));
                self.set_desired("target", shared(&target.to_string_lossy()));
            }
            FileKind::File => self.set_desired("ensure", symbol("file")),
            FileKind::Folder => self.set_desired("ensure", symbol("directory")),
            // Any other word would be the target of a link.
            other => {
                self.set_desired("ensure", symbol("link"));
                self.set_desired("target", shared(kind_name(other)));
            }
        }
        Ok(())
    }

    fn copy_permissions(&mut self, metadata: &Metadata, context: &ApplyContext<'_>) {
        let is_wanted = match self.values.text("source_permissions").as_deref() {
            Some("use") => true,
            Some("use_when_creating") => !self.exists(context),
            _ => false,
        };
        if !is_wanted {
            return;
        }
        let is_root = context.machine.identity().0 == 0;
        if is_root && self.should("owner").is_none() {
            self.set_desired("owner", Value::Integer(i64::from(metadata.uid)));
        }
        if self.should("mode").is_none() {
            self.set_desired("mode", shared(&mode::displayed(&format!("{:o}", metadata.mode))));
        }
        if is_root && self.should("group").is_none() {
            self.set_desired("group", Value::Integer(i64::from(metadata.gid)));
        }
    }
}
