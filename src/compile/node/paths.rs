//! The questions whose answers show code where the repository lies: what code makes of them (a digest, a length, a branch) is
//! valid in this checkout alone.
//!
//! Each such answer is noted on the tracked disk ([`TrackedDisk::reveal`]), as a file that was read is. So the note is among the
//! dependencies of whatever is worked out meanwhile, of a memo that all nodes share too, and whoever uses the memo has it.
//! A trace that is replayed puts the same questions, and they are noted again.
//!
//! | code learns a path by | where it is noted |
//! |---|---|
//! | `find_file`, `find_template`, `module_directory`, `get_module_path` | `FoundFile::reveal` in `pantin-eval` |
//! | `Puppet::Parser::Files`, `Puppet::Module` and its files, a module of `environment` | they call these functions |
//! | `$settings::x`, `$settings::all_local`, the same by `getvar`, `scope[…]`, `lookupvar`, `%{…}` of data | here: questions for variables |
//! | `$x` and `$a::x` in and of a class that inherits `settings` | here: any variable, where there is such a class |
//! | `Puppet[:x]`, `Puppet.settings[:x]` | here: `Question::Setting` |
//! | `__FILE__`, `__dir__`, `backtrace`, `file` and `to_s` of a template | `ScriptPath::reveal` in `pantin-ruby` |
//! | the text of an exception, however it is got: `message`, `"#{error}"`, `inspect` | `ExceptionMessage::reveal` there |
//! | `path` and other options of a back end, of the language or of Ruby | `call_back_end` in `pantin-hiera` |
//! | the file of a function that a Ruby of the user's own runs, and of its libraries | `call_elsewhere`, and the bridge |
//! | files that declare types of resources and data types, read once for all nodes | the same doors, as `World` of `resource_types` has them |
//! | a fact, an ENC, an answer of `--answers`, or pieces put together: code that has an absolute path by other ways | here and in `World`, where it asks about the path: `FindFile`, `Template`, `Beyond`, `Glob`; in `pantin-hiera`, where data is looked for there |
//!
//! What names files only to the user is none: places of resources and of messages are put in anew where an answer is used. `File`
//! and `Dir` give what was asked for: parts of paths that code has already. `caller`, `source_location`, `Dir.pwd`,
//! `$PROGRAM_NAME` and relative paths are not run by the small Ruby. Settings that lie elsewhere than the repository are noted too,
//! and do no harm: what counts is whether a text names the repository's folder (`persist::root`).

use pantin_model::trace::{Answer, Question, RubyFile, VariableName};
use pantin_values::Value;
use pantin_world::TrackedDisk;

use super::Compiler;

impl Compiler<'_> {
    /// Notes what a question and its answer tell of where the repository lies.
    pub(super) fn note_paths(&self, question: &Question, answer: &Answer) {
        let disk = &self.loader.base.modules.disk;
        match question {
            Question::Reveal(text) => disk.reveal(text),
            Question::FindFile { name, .. }
            | Question::Template(name)
            | Question::Ruby { file: RubyFile::Template, name }
                if name.starts_with('/') =>
            {
                disk.reveal(name);
            }
            Question::Beyond(paths) | Question::Glob(paths) => paths.iter().for_each(|path| disk.reveal(path)),
            Question::Setting(_) => reveal_answer(answer, disk),
            Question::Variable(name)
            | Question::Part { variable: name, .. }
            | Question::Whole { variable: name, .. }
                if self.state.has_heir_of_settings() || is_setting(name) =>
            {
                reveal_answer(answer, disk);
            }
            _ => {}
        }
    }
}

/// Returns true if this variable is one of the class `settings`.
fn is_setting(variable: &VariableName) -> bool {
    variable.without_top().starts_with("settings::")
}

fn reveal_answer(answer: &Answer, disk: &TrackedDisk) {
    if let Answer::Value(value) = answer {
        reveal_texts(value, disk);
    }
}

fn reveal_texts(value: &Value, disk: &TrackedDisk) {
    match value {
        Value::String(text) => disk.reveal(text),
        Value::Array(items) => items.iter().for_each(|item| reveal_texts(item, disk)),
        Value::Hash(entries) => entries.iter().for_each(|(_, value)| reveal_texts(value, disk)),
        _ => {}
    }
}
