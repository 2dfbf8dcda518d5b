//! Bringing a file about: contents, folders and links are put in place, what stood there before is kept or removed.

use std::io;
use std::path::Path;

use pantin_base::Language;
use pantin_machine::{Change, Command, Errors, FileKind, Locale, NewFile, System, User, Who};
use pantin_values::Value;

use super::File;
use super::fileset::{folder_of, plain_words, ruby_words};
use super::mode;
use super::source::kind_name;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::value::text;

/// Why something was not brought about.
pub(in crate::types) enum Fault {
    /// In words of the type.
    Told(Failure),
    /// In words of the system, which are told with what was being done.
    System(String),
}

impl Fault {
    pub(in crate::types) fn into_failure(self) -> Failure {
        match self {
            Fault::Told(failure) => failure,
            Fault::System(words) => Failure::new(words),
        }
    }

    /// Tells what kept a state from being brought about. What the system says is told before it becomes the resource's failure.
    pub(in crate::types) fn into_failure_of_ensure(self, ensure: &str, context: &ApplyContext<'_>) -> Failure {
        match self {
            Fault::Told(failure) => failure,
            Fault::System(words) => {
                let message = format!("Could not set '{ensure}' on ensure: {words}");
                let failure = Failure::with_place(message, context.resource.place.as_ref());
                context.say_bare(Level::Err, failure.message());
                failure.wrapping(Failure::new(words))
            }
        }
    }
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Fault {
        Fault::Told(failure)
    }
}

impl File {
    /// Makes what `ensure` asks for.
    pub(super) fn bring_about(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let ensure = self.ensure().unwrap_or_default();
        let has_made_way = self.remove_existing(&ensure, context).map_err(Fault::into_failure)?;
        let made = match ensure.as_str() {
            "absent" => return Ok(()),
            "directory" => self.make_folder(context),
            "link" => self.make_link(has_made_way, context),
            _ if self.property("content").is_none()
                && self.property("checksum_value").is_some()
                && self.sources.is_empty() =>
            {
                let message = "checksum_value#sync should not be called without a source parameter";
                Err(Failure::with_place(message, context.resource.place.as_ref()).into())
            }
            _ => self.write(has_made_way, context),
        };
        match made {
            Ok(()) => Ok(()),
            Err(fault) => Err(fault.into_failure_of_ensure(&ensure, context)),
        }
    }

    fn make_folder(&mut self, context: &ApplyContext<'_>) -> Result<(), Fault> {
        let parent = folder_of(&self.path);
        if !matches!(context.machine.stat(parent, true), Ok(Some(_))) {
            let (path, parent) = (self.path.display(), parent.display());
            let message = format!("Cannot create {path}; parent directory {parent} does not exist");
            return Err(Failure::new(message).into());
        }
        let mode = match self.should("mode") {
            Some(mode) => mode::apply(&text(&mode), mode::NEW_FOLDER, true)?,
            None => 0o777 & !context.machine.umask(),
        };
        self.system(context.machine.change(&self.path, &Change::Folder(mode)), "dir_s_mkdir")?;
        self.fix_properties(context)
    }

    /// Makes a link. `has_made_way`: what stood there was looked after.
    fn make_link(&mut self, has_made_way: bool, context: &ApplyContext<'_>) -> Result<(), Fault> {
        let Some(target) = self.should("target") else {
            return Err(Failure::new("Cannot create a symlink without a target").into());
        };
        let is_text = matches!(target, Value::String(_) | Value::Symbol(_));
        let target = text(&target).into_owned();
        let has_made_way = has_made_way || self.remove_existing(&target, context)?;
        if !has_made_way && self.exists(context) {
            return Err(Failure::new("Could not remove existing file").into());
        }
        let folder = folder_of(&self.path);
        // Puppet 7 goes into the folder first.
        let is_entered = context.settings.language == Language::Puppet7;
        if is_entered && !matches!(context.machine.stat(folder, true), Ok(Some(stat)) if stat.kind == FileKind::Folder)
        {
            let is_there = matches!(context.machine.stat(folder, true), Ok(Some(_)));
            let words = if is_there { "Not a directory" } else { "No such file or directory" };
            return Err(Fault::System(format!("{words} @ dir_chdir - {}", folder.display())));
        }
        if !is_text {
            let words = "FileSystem implementation expected Pathname, got: 'TrueClass'";
            return Err(Fault::System(words.to_owned()));
        }
        let path = self.path.display().to_string();
        let told = format!("({target}, {path})");
        let change = if has_made_way { Change::ReplaceByLink(target.into()) } else { Change::Link(target.into()) };
        let made = match self.link_maker(context)? {
            Some(user) => self.change_as(&user, &change, context),
            None => context.machine.change(&self.path, &change),
        };
        made.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Fault::System(ruby_words(&error, "syserr_fail2_in", &path)),
            _ => Fault::System(ruby_words(&error, "rb_file_s_symlink", &told)),
        })?;
        self.fix_properties(context)
    }

    /// The user who makes a link: its owner, if that is not root. So the link gets the owner's group.
    fn link_maker(&self, context: &ApplyContext<'_>) -> Result<Option<User>, Fault> {
        let owner = match self.should("owner") {
            Some(Value::Symbol(_)) | None => return Ok(None),
            Some(owner) => text(&owner).into_owned(),
        };
        if context.machine.identity().0 != 0 {
            return Ok(None);
        }
        let who = Who::from_text(&owner);
        match (context.machine.user(who).ok().flatten(), who) {
            (Some(user), _) => Ok(Some(user).filter(|user| user.uid != 0)),
            (None, Who::Id(id)) => Err(Fault::System(format!("can't find user for {id}"))),
            (None, Who::Name(name)) => Err(Failure::new(format!("Invalid user: {name}")).into()),
        }
    }

    /// Changes the path with the rights of a user, or with ours where that user may not.
    fn change_as(&self, user: &User, change: &Change, context: &ApplyContext<'_>) -> io::Result<()> {
        let mut made = None;
        let mut make = |machine: &dyn System| {
            made = Some(machine.change(&self.path, change));
            Ok(())
        };
        let is_allowed = |error: &io::Error| error.kind() != io::ErrorKind::PermissionDenied;
        match context.machine.act_as(user, &mut make).map(|()| made) {
            Ok(Some(made)) if made.as_ref().err().is_none_or(is_allowed) => made,
            _ => context.machine.change(&self.path, change),
        }
    }

    /// Turns a link that leads elsewhere.
    pub(super) fn turn_link(&mut self, context: &ApplyContext<'_>) -> Result<(), Fault> {
        let stat = self.stat(context);
        let is = stat.map_or(Value::Symbol("absent".into()), |stat| Value::Symbol(kind_name(stat.kind).into()));
        if self.ensure().is_none() {
            self.set_desired("ensure", Value::Symbol("link".into()));
        }
        if self.is_ensure_in_step(&is) { self.make_link(false, context) } else { Ok(()) }
    }

    /// Writes the content that is desired, or an empty file where nothing is said of a content.
    /// `has_made_way`: what stood there was looked after.
    pub(super) fn write(&mut self, has_made_way: bool, context: &ApplyContext<'_>) -> Result<(), Fault> {
        if !has_made_way {
            self.remove_existing("file", context)?;
        }
        let mode = match self.should("mode") {
            Some(mode) => Some(mode::apply(&text(&mode), mode::NEW_FILE, false)?),
            None => None,
        };
        if !self.has_content() {
            let mode = mode.unwrap_or(0o666 & !0o022);
            self.system(context.machine.change(&self.path, &Change::Truncate(mode)), "rb_sysopen")?;
        } else {
            self.replace(mode, context)?;
        }
        self.fix_properties(context)
    }

    /// Puts a new content in place; mode and owner of what stood there stay.
    fn replace(&mut self, mode: Option<u32>, context: &ApplyContext<'_>) -> Result<(), Fault> {
        let content = self.new_bytes(context)?;
        self.check_written(&content)?;
        let mut new = NewFile::new(&content, mode.unwrap_or(mode::NEW_FILE));
        let old = self.system(context.machine.stat(&self.path, false), "rb_file_lstat")?;
        if let Some(old) = old.filter(|old| old.kind == FileKind::File || self.follows_links())
            && self.exists(context)
        {
            // Nobody may read the new content for a moment who may not read it in the end.
            new.mode = mode.map_or(old.mode, |mode| old.mode & mode);
            new.owner = (Some(old.uid), Some(old.gid));
        }
        let staging = self.values.text("staging_location");
        new.staging = staging.as_deref().map(Path::new);
        let command = self.values.text("validate_cmd");
        let placeholder = self.values.text("validate_replacement").unwrap_or_default();
        let said = std::cell::RefCell::new(None);
        let check = |path: &Path| match &command {
            Some(command) => {
                let command = command.replace(&placeholder, &path.to_string_lossy());
                run_check(&command, context).map_err(|failure| {
                    *said.borrow_mut() = Some(failure);
                    io::Error::other("the check refused it")
                })
            }
            None => Ok(()),
        };
        if command.is_some() {
            new.check = Some(&check);
        }
        let is_folder = self.stat(context).is_some_and(|stat| stat.kind == FileKind::Folder);
        if is_folder && command.is_none() {
            let path = self.path.display();
            return Err(Fault::System(format!("Is a directory - Is a directory: {path}")));
        }
        let replaced = context.machine.replace(&self.path, &new);
        if let Some(failure) = said.take() {
            return Err(Fault::Told(failure));
        }
        replaced.map_err(|error| Fault::System(self.words_of_replacing(&error, staging.as_deref())))
    }

    /// Returns an error unless the new content is what was announced.
    fn check_written(&self, content: &[u8]) -> Result<(), Fault> {
        let announced = match (self.should("checksum_value"), &self.metadata) {
            _ if !self.checksum.is_digest() => return Ok(()),
            (Some(value), _) => format!("{{{}}}{}", self.checksum.name(), text(&value)),
            (None, Some(metadata)) if metadata.checksum_type.is_digest() => {
                metadata.checksum.clone().unwrap_or_default()
            }
            (None, _) => return Ok(()),
        };
        let written = self.checksum.sum(content);
        if written == announced {
            return Ok(());
        }
        let message = "File written to disk did not match desired checksum; discarding changes";
        Err(Failure::new(format!("{message} ({written} vs {announced})")).into())
    }

    /// Tells an error as Ruby does, which makes a temporary file in a folder of its own before it writes.
    fn words_of_replacing(&self, error: &io::Error, staging: Option<&str>) -> String {
        let folder = staging.map_or_else(|| folder_of(&self.path).display().to_string(), str::to_owned);
        let temporary = format!("{}/.{}", folder.trim_end_matches('/'), super::last_part(&self.path));
        match error.kind() {
            io::ErrorKind::NotFound => format!(
                "No such file or directory - A directory component in {temporary}.lock does not exist or is a dangling \
                 symbolic link"
            ),
            io::ErrorKind::StorageFull => format!("No space left on device @ io_write - {temporary}"),
            io::ErrorKind::IsADirectory => format!("Is a directory - Is a directory: {}", self.path.display()),
            _ => ruby_words(error, "dir_s_mkdir", &format!("{temporary}.lock")),
        }
    }

    /// Returns true if the resource says what is in the file, or where that is.
    fn has_content(&self) -> bool {
        self.property("content").is_some() || !self.sources.is_empty()
    }

    /// Returns true if what is wanted is renamed into the place of a file or link, so that one of the two is there at any time.
    fn is_renamed_into_place(&self, wanted: &str) -> bool {
        match wanted {
            "absent" | "directory" => false,
            "file" | "present" => self.has_content(),
            _ => true,
        }
    }

    /// Removes what stands in the way, or lets it be replaced. Returns true if it did.
    pub(super) fn remove_existing(&mut self, wanted: &str, context: &ApplyContext<'_>) -> Result<bool, Fault> {
        let looked = context.machine.stat(&self.path, self.follows_links());
        // What cannot be looked at cannot be kept, so nothing takes its place.
        let looked = looked.map_err(|error| {
            if error.kind() == io::ErrorKind::PermissionDenied {
                context.say(Level::Warning, "Could not stat; permission denied");
            }
            Fault::System(self.words_of_replacing(&error, self.values.text("staging_location").as_deref()))
        })?;
        let Some(stat) = looked else { return Ok(false) };
        let kind = kind_name(stat.kind);
        if let Some(backup) = &self.backup {
            let can_be_kept = match stat.kind {
                FileKind::Folder => self.is_forced(),
                kind => matches!(kind, FileKind::File | FileKind::Link),
            };
            if can_be_kept {
                backup.copy(&self.path, self.values.is_true("recurse"), context)?;
            } else {
                context.say(Level::Warning, format!("Could not back up file of type {kind}"));
            }
        }
        if wanted != "link" && kind == wanted {
            return Ok(false);
        }
        match stat.kind {
            FileKind::Folder if self.is_forced() => {
                context.say(Level::Debug, format!("Removing existing directory for replacement with {wanted}"));
                self.system(context.machine.change(&self.path, &Change::RemoveTree), "apply2files")?;
                Ok(true)
            }
            FileKind::Folder => {
                context.say(Level::Notice, "Not removing directory; use 'force' to override");
                Ok(false)
            }
            FileKind::Link | FileKind::File | FileKind::Fifo | FileKind::Socket => {
                context.say(Level::Debug, format!("Removing existing {kind} for replacement with {wanted}"));
                if !self.is_renamed_into_place(wanted) {
                    self.system(context.machine.change(&self.path, &Change::RemoveFile), "apply2files")?;
                }
                Ok(true)
            }
            _ => Err(Failure::new(format!("Could not remove files of type {kind}")).into()),
        }
    }

    /// Sets owner, group and mode of what was just made, where they are not as they should be.
    fn fix_properties(&mut self, context: &ApplyContext<'_>) -> Result<(), Fault> {
        for name in ["owner", "group", "mode"] {
            if self.should(name).is_none() {
                continue;
            }
            let is = match self.stat(context) {
                Some(stat) => self.current(name, &stat, context)?,
                None => Value::Symbol("absent".into()),
            };
            let is_in_step = match name {
                "mode" => self.is_mode_in_step(&is, context)?,
                // Ruby raises no error of Puppet's for an account that is not there.
                _ => self
                    .is_account_in_step(name, &is, context)
                    .map_err(|failure| Fault::System(failure.message().to_owned()))?,
            };
            match name {
                _ if is_in_step => {}
                "mode" => self.set_mode(context)?,
                _ => self.set_account(name, context)?,
            }
        }
        Ok(())
    }

    /// Tells an error of the system in Ruby's words.
    fn system<T>(&self, done: io::Result<T>, call: &str) -> Result<T, Fault> {
        done.map_err(|error| Fault::System(ruby_words(&error, call, &self.path.display().to_string())))
    }
}

/// Letters for which Ruby runs a command by a shell.
const SHELL_LETTERS: &str = "*?{}[]<>()~&|\\$;'`\"\n#=%";

/// Runs a command that says whether a file is good.
fn run_check(line: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let command = match words.split_first() {
        Some((program, arguments)) if !line.contains(|letter| SHELL_LETTERS.contains(letter)) => {
            Command::new(*program, arguments.iter().copied())
        }
        _ => Command::new("/bin/sh", ["-c", line]),
    };
    let command = Command { locale: Locale::C, errors: Errors::Combined, ..command };
    let (status, said) = match context.machine.run(&command, context.stop) {
        Ok(output) if output.is_success() => {
            for line in output.lossy().lines() {
                context.say(Level::Debug, line);
            }
            return Ok(());
        }
        Ok(output) => (output.code().map_or(String::new(), |code| code.to_string()), output.lossy()),
        Err(pantin_machine::SpawnError::Start(error)) => {
            let program = words.first().copied().unwrap_or_default();
            // The one who should have become the program says so in its output.
            let said = format!("Error: Could not execute posix command: {} - {program}", plain_words(&error));
            ("1".to_owned(), said)
        }
        Err(error) => return Err(Failure::new(error.to_string())),
    };
    Err(Failure::new(format!("Execution of '{line}' returned {status}: {}", said.trim())))
}
