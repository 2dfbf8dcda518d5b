//! `Puppet::Parser::Files`: where a template or a file of a module is, and its text.
//!
//! Both are asked of Puppet's own functions, so that they are known as read. No other file can be read here.

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
    (Core::File, Side::Class, &[method("read", 1, 2, read)]),
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
    if given.args.len() > 1 || !interp.declared.found.contains(&path) {
        return interp.unsupported(format!("File.read of {path}, which is no template or file that was looked for,"));
    }
    interp.call_puppet("file", &[Value::text(path)], Called::Newer)
}
