//! `Puppet::FileSystem`, through which Puppet's own code goes to files: what reads of it. A path is a text or a `Pathname`.

use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::value::Value;

pub(super) const TABLE: Table = (Core::PuppetFileSystem, Side::Class, METHODS);

const METHODS: &[NativeMethod] = &[
    method("exist?", 1, 1, |interp, given| call_file_method(interp, given, "exist?")),
    method("file?", 1, 1, |interp, given| call_file_method(interp, given, "file?")),
    method("directory?", 1, 1, |interp, given| call_file_method(interp, given, "directory?")),
    method("dir_exist?", 1, 1, |interp, given| {
        let folder = call_file_method(interp, given, "dirname")?;
        interp.send(&file(), "exist?", &[folder])
    }),
    method("read", 1, 2, |interp, given| call_file_method(interp, given, "read")),
    method("binread", 1, 1, |interp, given| call_file_method(interp, given, "binread")),
    // A mark of the byte order is no part of it.
    method("read_preserve_line_endings", 1, 1, |interp, given| {
        let text = call_file_method(interp, given, "read")?;
        interp.send(&text, "delete_prefix", &[Value::text("\u{feff}")])
    }),
    method("each_line", 1, 1, |interp, given| {
        let text = call_file_method(interp, given, "read")?;
        interp.send_with(&text, "each_line", &[], given.block)?;
        Ok(Value::Nil)
    }),
    method("basename_string", 1, 1, |interp, given| call_file_method(interp, given, "basename")),
    method("dir_string", 1, 1, |interp, given| call_file_method(interp, given, "dirname")),
    method("expand_path", 1, 2, |interp, given| call_file_method(interp, given, "expand_path")),
    method("path_string", 1, 1, |interp, given| Ok(Value::text(interp.text_of(given.arg(0))?))),
    method("basename", 1, 1, |interp, given| call_file_method(interp, given, "basename")),
    method("dir", 1, 1, |interp, given| {
        let path = interp.path_object(given.arg(0))?;
        interp.send(&path, "dirname", &[])
    }),
    method("pathname", 1, 1, |interp, given| interp.path_object(given.arg(0))),
    method("assert_path", 1, 1, |interp, given| interp.path_object(given.arg(0))),
    method("method_missing", 1, ANY, |interp, given| {
        let name = interp.name_arg(given.arg(0))?;
        interp.unsupported(format!("the method Puppet::FileSystem.{name}"))
    }),
];

fn file() -> Value {
    Value::Class(Core::File.class())
}

fn call_file_method(interp: &mut Interp<'_>, given: &CallArguments<'_>, method: &str) -> Flow {
    interp.send(&file(), method, given.args)
}

impl Interp<'_> {
    fn path_object(&mut self, path: &Value) -> Flow {
        match self.is_a(path, Core::Pathname.class()) {
            true => Ok(path.clone()),
            false => self.send(&Value::Class(Core::Pathname.class()), "new", std::slice::from_ref(path)),
        }
    }
}
