//! Resource types: the built-in ones, and those that a module declares in Ruby. The Ruby file is run once for all nodes.

use std::path::Path;
use std::sync::Arc;

use pantin_base::Language;
use pantin_model::catalog::kinds::{TypeRef, TypeTable, native_in};
use pantin_model::trace::{Level, Log, LogSource, RubyFile, VariableName};
use pantin_ruby::{
    CallForm, DataType, Declaration, HeldValue, Outside, OutsideVariable, RubyError, Script, Trouble, TroubleKind,
    TypeFile,
};
use pantin_values::{Fault, Hash, Object, Str, Value};
use pantin_world::facts::facts_of_os;
use pantin_world::load::PluginKind;
use pantin_world::{Disk, Fence, ReadError};
use rustc_hash::FxHashMap;

use super::codebase::CodeBase;
use super::generated_types;
use super::loader::Loader;
use super::report;
use super::resource_checks::CheckedType;
use super::title_converter::{RecordedReads, RubyTitles, TypeReader, TypeRun, refuse_for_title};

/// What is known of a name, and what was said while that was found out.
#[derive(Debug)]
pub(super) struct ReadType {
    log: Vec<Log>,
    table: Result<Option<TypeRef>, Fault>,
    /// Judges its resources, where its Ruby does so here.
    checks: Option<Arc<CheckedType>>,
}

impl Loader<'_> {
    /// Returns the type of this name, in any case. What a module has in Ruby counts before what any has in Puppet code.
    pub(super) fn resource_type(&mut self, name: &str) -> Result<Option<TypeRef>, Fault> {
        if let Some(native) = native_in(name, self.base.settings.language) {
            return Ok(Some(TypeRef::Native(native)));
        }
        if let Some(known) = self.types.get(name) {
            return Ok(known.clone());
        }
        let Some(read) = self.base.read_type(name) else { return Ok(None) };
        self.pending_logs.extend(read.log.iter().cloned());
        let table = read.table.clone()?;
        if let Some(TypeRef::Module(table)) = &table {
            self.check_no_definition(table)?;
        }
        // A file that declares its type is read once; any other one is read, and says all, each time.
        if table.is_some() || read.log.is_empty() {
            self.types.insert(name.into(), table.clone());
        }
        Ok(table)
    }

    /// Refuses a type in Ruby by whose name a definition is known: the loader of types has an entry for either. (A server that has
    /// read the file before, for another node, takes both.)
    fn check_no_definition(&mut self, table: &TypeTable) -> Result<(), Fault> {
        let name = table.name();
        let Some(definition) = self.loaded_define(name) else { return Ok(()) };
        let redefinition = report::redefinition("type", name, &definition.origin());
        let message = format!("Could not autoload puppet/type/{name}: {redefinition}");
        self.pending_logs.push(autoload_log(Level::Err, &message));
        Err(Fault::new(message))
    }
}

/// Returns where a type in Ruby is declared, as an address, if it was loaded. No such type has a colon in its name.
pub(super) fn origin_of_type(loaded: &FxHashMap<Str, Option<TypeRef>>, name: &str) -> Option<String> {
    if name.contains(':') {
        return None;
    }
    let table = loaded.values().flatten().find(|table| table.name() == name)?;
    table.declared_at().map(|(file, line)| format!("at file://{file}?line={line}"))
}

impl CodeBase {
    /// The same, where nobody hears what is said.
    pub(super) fn resource_type(&self, name: &str) -> Result<Option<TypeRef>, Fault> {
        match native_in(name, self.settings.language) {
            Some(native) => Ok(Some(TypeRef::Native(native))),
            None => self.read_type(name).map_or(Ok(None), |read| read.table.clone()),
        }
    }

    /// Returns what judges resources of a type that a module declares in Ruby, if anything does.
    pub(super) fn checked_type(&self, name: &str) -> Option<Arc<CheckedType>> {
        self.read_type(name)?.checks.clone()
    }

    /// Returns what a module has in Ruby; `None` where no module can have any.
    fn read_type(&self, name: &str) -> Option<Arc<ReadType>> {
        if name.contains(':') {
            return None;
        }
        let name: Str = name.to_lowercase().into();
        let key = (name.clone(), Arc::clone(&self.ruby_reads));
        Some(self.memos.types.get_for_modules(self, key, |base| Arc::new(base.run_type(&name))))
    }

    fn run_type(&self, name: &Str) -> ReadType {
        if let Some(path) = self.modules.generated_type_file(name) {
            return self.generated_type(name, &path);
        }
        let Some(path) = self.modules.plugin_file(name, &self.folders_with(PluginKind::Types)) else {
            return ReadType { log: Vec::new(), table: Ok(None), checks: None };
        };
        let mut world = TypeWorld::new(self, SERVER);
        let found = world.run(self, name, &path).and_then(|found| match found {
            Some(found) if world.asked_for_facts => self.elsewhere(name, &path, found).map(Some),
            found => Ok(found),
        });
        let mut checks = None;
        let table = match found {
            Ok(Some((table, converter))) => {
                let run = converter.only_run();
                let table = Arc::new(match table.converts_titles() {
                    true => table.with_converter(Arc::new(converter)),
                    false => table,
                });
                checks = run.map(|run| Arc::new(CheckedType::new(Arc::clone(&table), run)));
                Ok(Some(TypeRef::Module(table)))
            }
            Ok(None) => {
                world.say(Level::Warning, &format!("Loaded puppet/type/{name} but no class was created"));
                Ok(None)
            }
            Err(message) => {
                let message = format!("Could not autoload puppet/type/{name}: {message}");
                world.say(Level::Err, &message);
                Err(Fault::new(message))
            }
        };
        ReadType { log: world.log, table, checks }
    }

    /// Returns what `puppet generate types` has written of it.
    fn generated_type(&self, name: &Str, path: &Path) -> ReadType {
        let file = match self.manifest(path, &Str::default()) {
            Ok(file) => file,
            Err(broken) => {
                return ReadType { log: broken.log.clone(), table: Err(broken.fault.clone()), checks: None };
            }
        };
        let table = generated_types::table_in(&file, name).ok_or_else(|| {
            let path = path.display();
            Fault::new(format!("The code loaded from {path} is not what 'puppet generate types' writes of '{name}'"))
        });
        let table = table.map(|table| Some(TypeRef::Generated(Arc::new(table))));
        ReadType { log: file.warnings.clone(), table, checks: None }
    }

    /// A file that asks for facts of the server is run for another server too, and has to declare the same.
    fn elsewhere(&self, name: &Str, path: &Path, found: ReadTable) -> Result<ReadTable, String> {
        let (table, converter) = found;
        let again = TypeWorld::new(self, OTHER_SERVER).run(self, name, path)?;
        match again {
            Some((again, other)) if again == table => Ok((table, converter.with_other_server(other))),
            _ => Err(format!(
                "what the type is depends on facts of the server, whose system Pantin does not look at (file: {})",
                path.display()
            )),
        }
    }
}

/// A type, and what converts its titles if its patterns ask for that.
type ReadTable = (TypeTable, RubyTitles);

/// `Facter` tells of the machine that compiles. What that is must not change an answer, so two are made up.
const SERVER: &str = "debian-12";
const OTHER_SERVER: &str = "redhat-9";
const SERVER_NAME: &str = "puppet.localdomain";

/// What a file that declares a type sees: the files of modules, and nothing of a node.
pub(super) struct TypeWorld<'b> {
    reader: TypeReader<'b>,
    reads: Arc<RecordedReads>,
    language: Language,
    log: Vec<Log>,
    /// How much may be said.
    most_messages: usize,
    /// The system of the machine that compiles.
    server: &'static str,
    facts: Option<Hash>,
    asked_for_facts: bool,
    /// Its code checks resources: what it says is an agent's affair, and no fact is known of that one. The folder of the modules then.
    checked_folder: Option<String>,
}

impl<'b> TypeWorld<'b> {
    fn new(base: &'b CodeBase, server: &'static str) -> TypeWorld<'b> {
        TypeWorld {
            reader: TypeReader::Disk(base),
            reads: Arc::default(),
            language: base.settings.language,
            log: Vec::new(),
            most_messages: usize::MAX,
            server,
            facts: None,
            asked_for_facts: false,
            checked_folder: None,
        }
    }

    /// Returns what it saw in an earlier run.
    pub(super) fn recorded(run: &TypeRun) -> TypeWorld<'static> {
        TypeWorld {
            reader: TypeReader::Record,
            reads: Arc::clone(&run.reads),
            language: run.language,
            log: Vec::new(),
            most_messages: run.messages,
            server: SERVER,
            facts: run.facts.clone(),
            asked_for_facts: false,
            checked_folder: None,
        }
    }

    /// Like `recorded`, for code that checks resources.
    pub(super) fn recorded_for_checks(run: &TypeRun) -> TypeWorld<'static> {
        let file = Path::new(run.file.script.path.beyond_code().as_str());
        // MODULES/NAME/lib/puppet/type/TYPE.rb
        let folder = file.ancestors().nth(5).unwrap_or(file).display().to_string();
        TypeWorld { checked_folder: Some(folder), ..TypeWorld::recorded(run) }
    }

    fn run(&mut self, base: &CodeBase, name: &Str, path: &Path) -> Result<Option<ReadTable>, String> {
        let file = path.display().to_string();
        let file = file.strip_suffix(".rb").unwrap_or(&file);
        let found = script(base, file).map_err(|fault| fault.message.to_string())?;
        let Some(script) = found else { return Err(format!("No such file: {}", path.display())) };
        let has_providers = base.has_providers(name, path).map_err(|fault| fault.message.to_string())?;
        let file = TypeFile { name: name.clone(), script, has_providers };
        let Some(table) = pantin_ruby::type_table(&file, self).map_err(error_message)? else { return Ok(None) };
        let run = TypeRun {
            file,
            language: self.language,
            facts: self.facts.clone(),
            messages: self.log.len(),
            reads: Arc::clone(&self.reads),
        };
        Ok(Some((table, RubyTitles::new(run))))
    }

    fn say(&mut self, level: Level, message: &str) {
        self.log.push(autoload_log(level, message));
    }
}

fn autoload_log(level: Level, message: &str) -> Log {
    let once = (level != Level::Err).then(|| message.into());
    Log { level, source: LogSource::Puppet, message: message.into(), at: None, once }
}

fn script(base: &CodeBase, name: &str) -> Result<Option<Arc<Script>>, Fault> {
    let found = base.ruby(RubyFile::Library, name)?;
    found.map(|definition| Script::from_definition(definition, name)).transpose()
}

impl CodeBase {
    /// Returns the data type that a file of a module declares.
    pub(super) fn data_type(&self, path: &Path) -> Result<DataType, Fault> {
        let definition = self.script(RubyFile::Library, path)?;
        let script = Script::from_definition(definition, &path.display().to_string())?;
        pantin_ruby::data_type(&script, &mut TypeWorld::new(self, SERVER)).map_err(|error| match error {
            RubyError::Raised(raised) => Fault::new(raised.message),
            RubyError::Fatal(fault, _) | RubyError::Lacks(fault) => fault,
        })
    }

    /// Returns true if some module has a provider of the type that stands in this file.
    fn has_providers(&self, name: &str, file: &Path) -> Result<bool, Fault> {
        for file in self.modules.provider_files(name, file, &self.folders_with(PluginKind::Providers)) {
            if self.modules.content(&file)?.is_some_and(|content| declares_provider(&content)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns true if a text calls `provide`, which declares a provider. The dot before it may end an earlier line.
fn declares_provider(content: &[u8]) -> bool {
    const WORD: &[u8] = b"provide";
    let is_call = |(start, window): (usize, &[u8])| {
        window.starts_with(WORD)
            && matches!(window.last(), Some(b' ' | b'(' | b'\n'))
            && content[..start].trim_ascii_end().ends_with(b".")
    };
    content.windows(WORD.len() + 1).enumerate().any(is_call)
}

pub(super) fn error_message(error: RubyError) -> String {
    match error {
        RubyError::Raised(raised) => raised.message,
        RubyError::Fatal(fault, _) | RubyError::Lacks(fault) => fault.message.to_string(),
    }
}

fn refuse<T>(what: &str) -> Result<T, Trouble> {
    let message = format!("a type of resources is the same for all nodes and cannot ask for {what}");
    Err(Trouble { message, kind: TroubleKind::Fatal, place: None, origin: None })
}

fn fatal(fault: Fault) -> Trouble {
    Trouble { message: fault.message.to_string(), kind: TroubleKind::Fatal, place: None, origin: None }
}

impl Outside for TypeWorld<'_> {
    fn variable(&mut self, name: &str) -> Result<Option<OutsideVariable>, Trouble> {
        refuse(&format!("the variable {name}"))
    }

    fn part(&mut self, variable: &VariableName, _: &[Value]) -> Result<Option<OutsideVariable>, Trouble> {
        refuse(&format!("the variable {}", variable.written()))
    }

    fn whole_variable(&mut self, variable: &VariableName, _: &[Value]) -> Result<Value, Trouble> {
        refuse(&format!("the variable {}", variable.written()))
    }

    fn unknown_variable(&mut self, _: &str) -> Result<(), Trouble> {
        Ok(())
    }

    fn set_variable(&mut self, name: &Str, _: HeldValue, _: Value) -> Result<(), Trouble> {
        refuse(&format!("the variable {name}"))
    }

    fn change_variable(&mut self, name: &VariableName, _: Value) -> Result<(), Trouble> {
        refuse(&format!("the variable {}", name.written()))
    }

    fn release(&self) -> &'static str {
        self.language.release()
    }

    fn server_facts(&mut self) -> Option<&Hash> {
        if self.checked_folder.is_some() {
            return None;
        }
        self.asked_for_facts = true;
        Some(
            self.facts
                .get_or_insert_with(|| facts_of_os(self.server, SERVER_NAME, self.language, true).unwrap_or_default()),
        )
    }

    fn method(&mut self, _: &Arc<Object>, name: &str, _: Vec<Value>) -> Result<Value, Trouble> {
        refuse(&format!("the method {name}"))
    }

    fn defaults(&mut self, type_name: &str) -> Result<Value, Trouble> {
        refuse(&format!("the defaults of {type_name}"))
    }

    fn call_function(&mut self, name: &str, _: Vec<Value>, _: CallForm) -> Result<Value, Trouble> {
        refuse(&format!("the function {name}"))
    }

    fn choose(&mut self, _: &Declaration, _: &[Value], _: bool) -> Result<usize, Trouble> {
        refuse("a function")
    }

    fn check_result(&mut self, _: &Declaration, _: usize, _: &Value) -> Result<(), Trouble> {
        refuse("a function")
    }

    fn has_block(&self) -> bool {
        false
    }

    fn block_arity(&self) -> i64 {
        0
    }

    fn call_block(&mut self, _: Vec<Value>) -> Result<Value, Trouble> {
        refuse("a block")
    }

    fn library(&mut self, name: &str) -> Result<Option<Arc<Script>>, Trouble> {
        let what = format!("the library {name}");
        self.reader.read(&self.reads.libraries, name.into(), &what, |base| script(base, name).map_err(fatal))
    }

    fn has_function(&mut self, _: &str) -> Result<bool, Trouble> {
        Ok(false)
    }

    fn log(&mut self, level: Level, message: &str) -> Result<(), Trouble> {
        if self.checked_folder.is_some() {
            return Ok(());
        }
        if self.log.len() >= self.most_messages {
            return refuse_for_title("writes to the log");
        }
        self.say(level, message);
        Ok(())
    }

    fn setting(&mut self, name: &str) -> Result<Option<Value>, Trouble> {
        refuse(&format!("the setting {name}"))
    }

    fn reveal(&mut self, text: &str) -> Result<(), Trouble> {
        // A message of a check is the same wherever the modules are, if it does not name them.
        if let Some(folder) = &self.checked_folder
            && !text.contains(folder.as_str())
        {
            return Ok(());
        }
        self.reader.read(&self.reads.revealed, text.into(), &format!("the path {text}"), |base| {
            base.modules.disk.reveal(text);
            Ok(())
        })
    }

    fn beyond(&mut self, paths: &[Str]) -> Result<Option<(Str, Str)>, Trouble> {
        self.reader.read(&self.reads.beyond, paths.into(), &format!("the path {}", paths.join(", ")), |base| {
            let modules = &base.modules;
            let folders = modules.modulepath.iter().map(|path| path.as_path());
            let folders = folders.chain(modules.all().iter().map(|module| module.folder.as_path()));
            let fence = Fence::around(folders.chain(base.ruby_reads.iter().map(|path| path.as_path())));
            let leads = |path: &Str| {
                modules.disk.reveal(path);
                let real = fence.beyond(&modules.disk, Path::new(path.as_str()))?;
                Some((path.clone(), real.display().to_string().into()))
            };
            if let Some(beyond) = paths.iter().find_map(leads) {
                return Ok(Some(beyond));
            }
            match paths.iter().find_map(|path| Some((path, modules.disk.breach(Path::new(path.as_str()))?))) {
                None => Ok(None),
                Some((path, breach)) => {
                    let message = ReadError::Fenced(breach).in_ruby(Path::new(path.as_str()));
                    Err(Trouble { message, kind: TroubleKind::Refused, place: None, origin: None })
                }
            }
        })
    }

    fn content(&mut self, path: &str) -> Result<Option<Vec<u8>>, Trouble> {
        self.reader.read(&self.reads.contents, path.into(), &format!("the file {path}"), |base| {
            let content = base.modules.content(Path::new(path)).map_err(fatal)?;
            Ok(content.map(|content| content.to_vec()))
        })
    }

    fn exists(&mut self, path: &str) -> Result<bool, Trouble> {
        self.reader.read(&self.reads.existing, path.into(), &format!("the path {path}"), |base| {
            Ok(base.modules.disk.exists(Path::new(path)))
        })
    }

    fn is_folder(&mut self, path: &str) -> Result<bool, Trouble> {
        self.reader.read(&self.reads.folders, path.into(), &format!("the folder {path}"), |base| {
            Ok(base.modules.disk.is_folder(Path::new(path)))
        })
    }

    fn matching(&mut self, patterns: &[Str]) -> Result<Value, Trouble> {
        let what = format!("the files {}", patterns.join(", "));
        self.reader.read(&self.reads.matching, patterns.into(), &what, |base| base.glob(patterns).map_err(fatal))
    }

    fn now(&mut self) -> Result<(i64, u32), Trouble> {
        refuse("the time")
    }

    fn local_offset(&mut self) -> i32 {
        0
    }
}
