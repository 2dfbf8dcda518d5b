//! The types `ini_setting` and `ini_subsetting` of the module inifile: what both have in common.

mod file;
mod items;
mod setting;
mod subsetting;

use std::io;
use std::path::Path;

use md5::{Digest as _, Md5};
use pantin_base::hex::hex;
use pantin_machine::NewFile;
use pantin_values::Value;

use file::{IniFile, IniFormat};
pub(super) use setting::TYPE as INI_SETTING;
pub(super) use subsetting::TYPE as INI_SUBSETTING;

use super::file::fileset::{LARGEST_FILE, ruby_words};
use super::file::write::Fault;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::managed::Property;
use crate::value::text;

/// Reads the file of a resource; nothing stands in one that is not there.
fn read(path: &Path, format: IniFormat, context: &ApplyContext<'_>) -> Result<IniFile, Failure> {
    let text = match context.machine.read(path, LARGEST_FILE) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| Failure::new("invalid byte sequence in UTF-8"))?,
        Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::IsADirectory].contains(&error.kind()) => String::new(),
        Err(error) => return Err(Failure::new(ruby_words(&error, "rb_sysopen", &path.to_string_lossy()))),
    };
    IniFile::parse(&text, format)
}

/// Puts the changed file in the place of the old one. A link is followed; mode and owner stay.
fn write(path: &Path, file: &IniFile, context: &ApplyContext<'_>) -> Result<(), Fault> {
    let told = |error: io::Error| Fault::System(ruby_words(&error, "rb_sysopen", &path.to_string_lossy()));
    let machine = context.machine;
    let old = machine.stat(path, true).map_err(told)?;
    let place = match &old {
        Some(_) => machine.resolve(path).map_err(told)?,
        None => path.to_owned(),
    };
    let (mode, owner) = match &old {
        Some(old) => (old.mode, (Some(old.uid), Some(old.gid))),
        None => (0o666 & !machine.umask(), (None, None)),
    };
    let text = file.text();
    machine.replace(&place, &NewFile { owner, ..NewFile::new(text.as_bytes(), mode) }).map_err(told)
}

/// Tells how a change of a property has ended.
fn changed(property: &Property, done: Result<(), Fault>, context: &ApplyContext<'_>) -> Result<(), Failure> {
    done.map_err(|fault| match property.name {
        "ensure" => fault.into_failure_of_ensure(&text(&property.should()), context),
        _ => fault.into_failure(),
    })
}

/// Shows a value as far as `show_diff` lets it be seen.
fn shown_as(value: &Value, way: Option<&str>, shows_differences: bool) -> String {
    match way {
        Some("true") if shows_differences => text(value).into_owned(),
        Some("md5") if shows_differences => {
            let digest: String = hex(&Md5::digest(text(value).as_bytes())[..]);
            format!("{{md5}}{digest}")
        }
        _ => "[redacted sensitive information]".to_owned(),
    }
}
