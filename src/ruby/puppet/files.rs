//! Files: where a template or a file of a module is, and what stands in files that are read by their paths.
//!
//! All of it is asked of the request, so that it is known as read, and none is ever written.

use std::rc::Rc;

use pantin_values::Str;

use crate::border;
use crate::class::Core;
use crate::classes::Stream;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::outside::CallForm;
use crate::stop::Flow;
use crate::text::{Encoding, Text};
use crate::value::{Data, Value};

pub(super) const TABLES: [Table; 5] = [
    (Core::PuppetParserFiles, Side::Class, FILES),
    (Core::PuppetScope, Side::Instance, OF_SCOPE),
    (Core::File, Side::Class, THERE),
    (Core::Io, Side::Class, READ),
    (Core::Dir, Side::Class, FOLDERS),
];

const FILES: &[NativeMethod] = &[
    method("find_template", 2, 2, |interp, given| find(interp, given, "find_template")),
    method("find_file", 2, 2, |interp, given| find(interp, given, "find_file")),
];

const OF_SCOPE: &[NativeMethod] =
    &[method("compiler", 0, 0, |_, _| Ok(Value::object(Core::PuppetCompiler.class(), Data::None)))];

const THERE: &[NativeMethod] = &[
    // Ruby has it up to 3.1.
    method("exists?", 1, 1, |interp, given| Ok(is_there(interp, given, PathFilter::Any)?.into())),
    method("exist?", 1, 1, |interp, given| Ok(is_there(interp, given, PathFilter::Any)?.into())),
    method("readable?", 1, 1, |interp, given| Ok(is_there(interp, given, PathFilter::Any)?.into())),
    method("file?", 1, 1, |interp, given| Ok(is_there(interp, given, PathFilter::File)?.into())),
    method("directory?", 1, 1, |interp, given| Ok(is_there(interp, given, PathFilter::Folder)?.into())),
    method("open", 1, 3, open),
    method("new", 1, 3, opened),
];

const READ: &[NativeMethod] = &[
    method("read", 1, 2, |interp, given| {
        only_encoding(interp, given, 1)?;
        interp.file_text(given.arg(0))
    }),
    method("binread", 1, 1, |interp, given| {
        let content = interp.file_content(given.arg(0))?;
        Ok(Value::String(Rc::new(Text::binary(content))))
    }),
    method("readlines", 1, 3, |interp, given| read_lines(interp, given, "readlines")),
    method("foreach", 1, 3, |interp, given| match given.block {
        Some(_) => read_lines(interp, given, "each_line").map(|_| Value::Nil),
        None => interp.enumerator(given),
    }),
];

const FOLDERS: &[NativeMethod] = &[
    method("exists?", 1, 1, |interp, given| Ok(is_there(interp, given, PathFilter::Folder)?.into())),
    method("exist?", 1, 1, |interp, given| Ok(is_there(interp, given, PathFilter::Folder)?.into())),
    // No variable of the environment says otherwise: none is read.
    method("tmpdir", 0, 0, |_, _| Ok(Value::text("/tmp"))),
    method("glob", 1, 1, glob),
    method("[]", 1, ANY, glob),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum PathFilter {
    Any,
    File,
    Folder,
}

/// An absolute path is taken as it is, whether there is such a file or not.
fn find(interp: &mut Interp<'_>, given: &CallArguments<'_>, function: &str) -> Flow {
    let name = interp.text_arg(given.arg(0))?;
    match name.starts_with('/') {
        true => Ok(given.arg(0).clone()),
        false => interp.call_puppet(function, &[given.arg(0).clone()], CallForm::ByScope),
    }
}

fn absolute(interp: &mut Interp<'_>, path: &Value) -> Flow<String> {
    let path = interp.path_arg(path)?;
    match path.starts_with('/') {
        true => Ok(path),
        false => interp.unsupported("a path relative to the folder that the process stands in"),
    }
}

fn is_there(interp: &mut Interp<'_>, given: &CallArguments<'_>, wanted: PathFilter) -> Flow<bool> {
    let path = absolute(interp, given.arg(0))?;
    interp.may_read(&[path.as_str().into()])?;
    if wanted != PathFilter::Folder {
        let exists = interp.outside.exists(&path);
        let exists = interp.outside(exists)?;
        if !exists || wanted == PathFilter::Any {
            return Ok(exists);
        }
    }
    let is_folder = interp.outside.is_folder(&path);
    Ok(interp.outside(is_folder)? == (wanted == PathFilter::Folder))
}

/// `File.open`, for reading: with a block it is closed behind it.
fn open(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let file = opened(interp, given)?;
    let Some(block) = given.block else { return Ok(file) };
    let result = interp.yield_one(block, file.clone());
    interp.send(&file, "close", &[])?;
    result
}

fn opened(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mode = match given.args.get(1) {
        None | Some(Value::Hash(_)) => "r".to_owned(),
        Some(mode) => interp.text_arg(mode)?,
    };
    if !mode.starts_with('r') || mode.contains('+') {
        return interp.unsupported("a file that is opened for writing");
    }
    let Value::String(text) = interp.file_text(given.arg(0))? else { return Ok(Value::Nil) };
    Ok(Value::object(Core::File.class(), Data::Stream(Stream::to_read(text))))
}

fn read_lines(interp: &mut Interp<'_>, given: &CallArguments<'_>, method: &str) -> Flow {
    let Value::String(text) = interp.file_text(given.arg(0))? else { return Ok(Value::Nil) };
    let file = Value::object(Core::File.class(), Data::Stream(Stream::to_read(text)));
    interp.send_with(&file, method, &given.args[1..], given.block)
}

/// Texts are in UTF-8 here, as Puppet reads them.
fn only_encoding(interp: &mut Interp<'_>, given: &CallArguments<'_>, at: usize) -> Flow<()> {
    let is_encoding = |key: &Value| matches!(key, Value::Symbol(name) if name == "encoding" || name == "mode");
    match given.args.get(at) {
        None => Ok(()),
        Some(Value::Hash(options)) if options.keys().iter().all(is_encoding) => Ok(()),
        Some(_) => interp.unsupported("File.read with a length or options"),
    }
}

fn glob(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let mut patterns = Vec::new();
    for arg in given.args {
        let several = match arg {
            Value::Array(list) => list.items.borrow().clone(),
            one => vec![one.clone()],
        };
        for pattern in several {
            patterns.push(absolute(interp, &pattern)?.into());
        }
    }
    // Of folders that may not be read nobody is told what is in them; below the others there may be links.
    let folders: Vec<Str> = patterns.iter().map(folder_of).collect();
    interp.may_read(&folders)?;
    let found = interp.outside.matching(&patterns);
    let found = interp.outside(found)?;
    if let pantin_values::Value::Array(paths) = &found {
        let paths: Vec<Str> = paths.iter().filter_map(|path| path.as_str().map(Str::from)).collect();
        interp.may_read(&paths)?;
    }
    let found = border::inward(&found);
    let Some(block) = given.block else { return Ok(found) };
    for path in interp.array_arg(&found)? {
        interp.yield_one(block, path)?;
    }
    Ok(Value::Nil)
}

/// Returns what stands before the first step of a pattern that is not a mere name.
fn folder_of(pattern: &Str) -> Str {
    let special = pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len());
    let folder = pattern[..special].rfind('/').map_or("", |at| &pattern[..at]);
    if folder.is_empty() { "/".into() } else { folder.into() }
}

impl Interp<'_> {
    /// Ends the run where one of these paths lies beyond what Ruby code may read: no `rescue` sees that.
    fn may_read(&mut self, paths: &[Str]) -> Flow<()> {
        let beyond = self.outside.beyond(paths);
        let Some((path, real)) = self.outside(beyond)? else { return Ok(()) };
        let leads = if path == real { String::new() } else { format!(", which leads to '{real}'") };
        self.fatal(format!(
            "Ruby code of modules may not read '{path}'{leads}: it reads the environment, modules and the folders of \
             Puppet's settings; --ruby-reads {real}, or the setting ruby_reads, allows it"
        ))
    }

    /// The text of a file; what is no text stays bytes.
    pub(crate) fn file_text(&mut self, path: &Value) -> Flow {
        let content = self.file_content(path)?;
        Ok(Value::String(Rc::new(Text::with_encoding(Encoding::Utf8, content))))
    }

    fn file_content(&mut self, path: &Value) -> Flow<Vec<u8>> {
        let path = absolute(self, path)?;
        self.may_read(&[path.as_str().into()])?;
        let content = self.outside.content(&path);
        if let Ok(Some(content)) = content {
            return Ok(content);
        }
        let is_folder = self.outside.is_folder(&path);
        if self.outside(is_folder)? {
            return self.raise(Core::ErrnoEisdir, format!("Is a directory @ io_fread - {path}"));
        }
        match self.outside(content)? {
            Some(content) => Ok(content),
            None => self.raise(Core::ErrnoEnoent, format!("No such file or directory @ rb_sysopen - {path}")),
        }
    }
}
