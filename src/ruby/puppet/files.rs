//! `Puppet::Parser::Files`: where a template or a file of a module is, and its text.
//!
//! Both are asked of Puppet's own functions, so that they are known as read. Beside these a back end of Hiera may read
//! the file that it is for; no other can be read here.

use crate::pcore;
use crate::ruby::border;
use crate::ruby::class::Core;
use crate::ruby::interp::{Given, Interp};
use crate::ruby::native::{NativeMethod, Side, Table, method};
use crate::ruby::outside::Called;
use crate::ruby::stop::Flow;
use crate::ruby::value::{Data, Value};

pub(super) const TABLES: [Table; 4] = [
    (Core::PuppetParserFiles, Side::Class, FILES),
    (Core::PuppetScope, Side::Instance, OF_SCOPE),
    (Core::PuppetCompiler, Side::Instance, &[method("environment", 0, 0, environment)]),
    (Core::File, Side::Class, &[method("read", 1, 2, read), method("exist?", 1, 1, exists)]),
];

const FILES: &[NativeMethod] = &[
    method("find_template", 2, 2, |interp, given| find(interp, given, "find_template")),
    method("find_file", 2, 2, |interp, given| find(interp, given, "find_file")),
];

const OF_SCOPE: &[NativeMethod] = &[
    method("compiler", 0, 0, |_, _| Ok(Value::object(Core::PuppetCompiler.class(), Data::None))),
    method("environment", 0, 0, environment),
];

fn environment(_: &mut Interp<'_>, _: &Given<'_>) -> Flow {
    Ok(Value::object(Core::PuppetEnvironment.class(), Data::None))
}

/// An absolute path is taken as it is, whether there is such a file or not.
fn find(interp: &mut Interp<'_>, given: &Given<'_>, function: &str) -> Flow {
    let name = interp.text_arg(given.arg(0))?;
    let found = match name.starts_with('/') {
        true => given.arg(0).clone(),
        false => interp.call_puppet(function, &[given.arg(0).clone()], Called::Newer)?,
    };
    if let Value::String(path) = &found {
        let path = interp.str_of(path)?;
        interp.declared.found.push(path);
    }
    Ok(found)
}

fn read(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let path = interp.text_arg(given.arg(0))?;
    match given.args.get(1) {
        None => interp.file_text("File.read", path),
        Some(Value::Hash(options))
            if options.keys().iter().all(|key| matches!(key, Value::Symbol(name) if name == "encoding")) =>
        {
            interp.file_text("File.read", path)
        }
        Some(_) => interp.unsupported("File.read with a length or options"),
    }
}

fn exists(interp: &mut Interp<'_>, given: &Given<'_>) -> Flow {
    let path = interp.text_arg(given.arg(0))?;
    if !path.starts_with('/') {
        return interp.unsupported("a path relative to the folder that the process stands in");
    }
    Ok((!interp.call_puppet("find_file", &[Value::text(path)], Called::Newer)?.is_nil()).into())
}

impl Interp<'_> {
    /// The text of a file that this code may read.
    pub(in crate::ruby) fn file_text(&mut self, by: &str, path: String) -> Flow {
        if !self.declared.found.contains(&path) {
            return self.unsupported(format!("{by} of {path}, which is no template or file that was looked for,"));
        }
        self.call_puppet("file", &[Value::text(path)], Called::Newer)
    }

    /// A back end of Hiera may read the file that its options name.
    pub(super) fn may_read(&mut self, args: &[pcore::Value]) {
        let is_context = |arg: &pcore::Value| matches!(arg, pcore::Value::Object(of) if border::is_context(of));
        if args.last().is_some_and(is_context) {
            let options = args.iter().filter_map(|arg| match arg {
                pcore::Value::Hash(options) => options.get_str("path")?.as_str().map(str::to_owned),
                _ => None,
            });
            self.declared.found.extend(options);
        }
    }
}
