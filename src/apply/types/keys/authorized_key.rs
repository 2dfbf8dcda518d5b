//! The type `ssh_authorized_key`: a key that a user may log in with. Files of users are written with their rights alone.

use std::io;
use std::path::{Path, PathBuf};

use pantin_machine::{Change, FileKind, NewFile, Reading, System, User, Who};
use pantin_values::Value;

use super::USER_KEY_KINDS;
use super::authorized_keys_file as file;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::managed::Managed;
use crate::provider::{ProviderEntry, SetMode};
use crate::record_file::{
    Entry, FlatFile, Record, RecordFormat, RecordProvider, RecordResource, RecordRules, is_absent,
};
use crate::resource::{AttributeRule, AttributeValues, Draft};
use crate::types::ruby_values::{any_line, as_text};
use crate::types::tool_command::check_provider;
use crate::types::{NewResource, TypeEntry, present_if_managed, ruby_words};
use crate::value::{symbol, text};

pub(in crate::types) const TYPE: TypeEntry = TypeEntry {
    name: "ssh_authorized_key",
    namevar: Some("name"),
    provider: Some("parsed"),
    attributes: &[
        AttributeRule::property("ensure")
            .words(&[("present", "present"), ("absent", "absent")])
            .default_made(present_if_managed),
        AttributeRule::property("type").words(USER_KEY_KINDS),
        AttributeRule::property("key").checked(check_key),
        AttributeRule::property("user"),
        AttributeRule::property("target").default_made(default_target),
        AttributeRule::list_property("options").checked(check_option).default_made(|_| Some(symbol("absent"))),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("drop_privileges").boolean().default_boolean(true),
        AttributeRule::parameter("provider")
            .checked(|given, draft| check_provider("ssh_authorized_key", &["parsed"], given, draft)),
    ],
    validate: Some(validate),
    spread_secret: None,
    make,
};

static PROVIDER: ProviderEntry = ProviderEntry {
    type_name: "ssh_authorized_key",
    name: "parsed",
    set_mode: SetMode::AtFlush,
    make: || Box::new(RecordProvider::new(AuthorizedKeys)),
};

static RULES: RecordRules = RecordRules { settled: &["user"], ..RecordRules::PLAIN };

fn check_key(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    let key = as_text(given)?;
    match key.contains(|letter: char| letter.is_ascii_whitespace()) {
        true => Err(Failure::new(format!("Key must not contain whitespace: {key}"))),
        false => Ok(()),
    }
}

fn check_option(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    let option = text(given);
    let is_option = |line: &str| {
        let (name, value) = line.split_once('=').map_or((line, None), |(name, value)| (name, Some(value)));
        let is_name =
            !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
        let is_quoted = |value: &str| value.len() > 1 && value.starts_with('"') && value.ends_with('"');
        is_name && value.is_none_or(is_quoted)
    };
    if is_absent(given) || (matches!(given, Value::String(_)) && any_line(&option, is_option)) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "Option {option} is not valid. A single option must either be of the form 'option' or 'option=\"value\"'. \
         Multiple options must be provided as an array"
    )))
}

/// Returns the file in the user's home, where the user is known.
fn default_target(draft: &Draft<'_>) -> Option<Value> {
    home_file(&draft.text("user")?, draft.machine).map(Value::string)
}

fn home_file(user: &str, machine: &dyn Reading) -> Option<String> {
    let user = machine.user(Who::Name(user)).ok().flatten()?;
    Some(format!("{}/.ssh/authorized_keys", user.home.trim_end_matches('/')))
}

fn validate(draft: &mut Draft<'_>) -> Result<(), Failure> {
    match draft.values.is_given("target") || draft.values.has("user") {
        true => Ok(()),
        false => Err(Failure::new("Attribute 'user' or 'target' is mandatory")),
    }
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    let name = new.values.text("name").unwrap_or_default();
    Ok(Box::new(RecordResource::new(new, (&PROVIDER, &RULES), name, new.values.text("target"))))
}

/// The files of all users.
struct AuthorizedKeys;

impl RecordFormat for AuthorizedKeys {
    fn type_name(&self) -> &'static str {
        "ssh_authorized_key"
    }

    fn default_target(&self, _: &dyn Reading) -> Option<String> {
        None
    }

    fn target_of(&self, values: &AttributeValues, machine: &dyn Reading) -> Option<String> {
        // A user that did not exist when the catalog was read may do so by now.
        values.text("target").or_else(|| home_file(&values.text("user")?, machine))
    }

    fn parse(&self, text: &str, target: &str) -> Result<Vec<Entry>, Failure> {
        file::parse(text, target)
    }

    fn line(&self, record: &Record) -> Result<String, Failure> {
        file::line(record)
    }

    fn is_of(&self, record: &Record, _: &str, wanted: &crate::provider::WantedResource<'_>, _: &dyn Reading) -> bool {
        record.name == wanted.name
    }

    /// A key without a name is known by the place of its line.
    fn takes_over(
        &self,
        record: &Record,
        _: &str,
        wanted: &crate::provider::WantedResource<'_>,
        _: &dyn Reading,
    ) -> bool {
        record.name == wanted.name
    }

    fn check_set(&self, values: &AttributeValues, machine: &dyn Reading) -> Result<(), Failure> {
        owner(values, machine).map(drop)
    }

    fn write(
        &self,
        target: &str,
        text: &str,
        values: &AttributeValues,
        context: &ApplyContext<'_>,
    ) -> Result<(), Failure> {
        let user = owner(values, context.machine)?;
        let path = Path::new(target);
        if values.is_true("drop_privileges") {
            return write_as(&user, path, text, context);
        }
        if !is_trusted(path, context.machine) {
            return Err(Failure::new("drop_privileges is false but the target path is not trusted"));
        }
        FlatFile::new(target).write(text, context)?;
        let group = context.machine.group(Who::Name(&user.name)).ok().flatten().map(|group| group.gid);
        let told = |error: io::Error| Failure::new(ruby_words(&error, "apply2files", target));
        context.machine.change(path, &Change::OwnerFollowed { uid: Some(user.uid), gid: group }).map_err(told)?;
        context.machine.change(path, &Change::ModeFollowed(0o600)).map_err(told)
    }
}

fn owner(values: &AttributeValues, machine: &dyn Reading) -> Result<User, Failure> {
    let Some(name) = values.text("user") else {
        return Err(Failure::new("Cannot write SSH authorized keys without user"));
    };
    let found = machine.user(Who::Name(&name)).ok().flatten();
    found.ok_or_else(|| Failure::new(format!("User '{name}' does not exist")))
}

/// Writes a file with the rights of its user, so that no link of theirs leads anywhere else.
fn write_as(user: &User, path: &Path, text: &str, context: &ApplyContext<'_>) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
    let mut step = Step { call: "rb_sysopen", path: path.to_owned() };
    if context.says(Level::Debug) && !context.machine.stat(&folder, true).is_ok_and(|stat| stat.is_some()) {
        context.say_bare(Level::Debug, format!("Creating {} as {}", folder.display(), user.name));
    }
    let mut work = |machine: &dyn System| {
        step = Step { call: "dir_s_mkdir", path: folder.clone() };
        if machine.stat(&folder, true)?.is_none() {
            machine.change(&folder, &Change::Folder(0o700))?;
        }
        step = Step { call: "rb_sysopen", path: path.to_owned() };
        match machine.stat(path, true)? {
            // The user cannot give a new file to another group.
            Some(old) if old.gid != user.gid || old.links > 1 => {
                let place = machine.resolve(path)?;
                machine.change(&place, &Change::Overwrite(text.as_bytes().to_vec()))?;
                machine.change(&place, &Change::Mode(0o600))
            }
            Some(_) => machine.replace(&machine.resolve(path)?, &NewFile::new(text.as_bytes(), 0o600)),
            None => machine.replace(path, &NewFile::new(text.as_bytes(), 0o600)),
        }
    };
    let written = context.machine.act_as(user, &mut work);
    written.map_err(|error| {
        let detail = ruby_words(&error, step.call, &step.path.to_string_lossy());
        if step.call != "rb_sysopen" {
            return Failure::new(detail);
        }
        let message = format!("Puppet::Util::FileType::FileTypeFlat could not write {}: {detail}", path.display());
        context.say_bare(Level::Err, &message);
        Failure::new(message)
    })
}

/// What is being done, for words about its failure.
struct Step {
    call: &'static str,
    path: PathBuf,
}

/// Returns true if nobody else can change where a path leads.
fn is_trusted(path: &Path, machine: &dyn Reading) -> bool {
    let (own, _) = machine.identity();
    let Some(mut folder) = path.parent().map(Path::to_owned) else { return false };
    loop {
        if let Ok(Some(stat)) = machine.stat(&folder, false)
            && stat.kind == FileKind::Link
        {
            let Ok(resolved) = machine.resolve(&folder) else { return false };
            folder = resolved;
        }
        let Some(above) = folder.parent().map(Path::to_owned) else { return true };
        match machine.stat(&folder, true) {
            Ok(Some(stat)) if stat.uid == own && stat.mode & 0o022 == 0 => folder = above,
            _ => return false,
        }
    }
}
