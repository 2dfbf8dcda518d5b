//! The survey behind `pantin compat`: which Ruby files an environment's modules have, and how each of them runs here: natively,
//! in the small Ruby, only with the user's own Ruby, or with something in it that would fail.
//!
//! Types of resources are read as a catalog reads them; of functions and templates the text is looked at, with the files
//! that it requires. Nothing is told of what an agent alone runs: providers, custom facts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_model::catalog::kinds::native;
use pantin_model::trace::RubyFile;
use pantin_ruby::{DefinedNames, KnownNames, Lack, Role, Script, Survey};
use pantin_values::Fault;
use pantin_world::Disk as _;
use pantin_world::load::{ENVIRONMENT, OLDER_FUNCTIONS, PluginKind};
use pantin_world::modules::Module;
use rustc_hash::FxHashSet;

use super::catalog::Site;
use super::codebase::CodeBase;

/// One function, template or type of a module.
#[derive(Debug)]
pub struct Part {
    pub module: String,
    pub kind: PartKind,
    pub name: String,
    pub file: PathBuf,
    pub how: Support,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PartKind {
    Function,
    Template,
    Type,
    DataType,
}

impl PartKind {
    pub fn name(self) -> &'static str {
        match self {
            PartKind::Function => "function",
            PartKind::Template => "template",
            PartKind::Type => "type",
            PartKind::DataType => "data type",
        }
    }
}

/// How a part comes out.
#[derive(Debug, PartialEq, Eq)]
pub enum Support {
    /// It is known here without its Ruby code.
    Native,
    /// The small Ruby runs it.
    Ruby,
    /// These are for a Ruby of the person's own to run, and would fail where they are reached without one.
    Bridge(Vec<UnsupportedPlace>),
    /// These would fail where they are reached.
    Fails(Vec<UnsupportedPlace>),
}

/// A place that would fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedPlace {
    pub file: String,
    /// None where it is not known.
    pub line: Option<u32>,
    pub what: String,
    /// Whether a Ruby of the person's own would mend it.
    pub is_for_bridge: bool,
}

impl Support {
    /// Returns what would fail without a Ruby of the person's own.
    pub fn failing(&self) -> &[UnsupportedPlace] {
        match self {
            Support::Native | Support::Ruby => &[],
            Support::Bridge(failing) | Support::Fails(failing) => failing,
        }
    }
}

impl Site {
    /// Returns the functions of the environment's own, then the parts of every module, in the order of the module path,
    /// its parts in the order of their files; then what the older autoloader finds in folders that are no modules.
    pub fn compat(&self) -> Vec<Part> {
        let base = self.base();
        let modules = base.modules.all();
        let folder_called = |name: String, folder: &Path| Module { name, folder: folder.to_owned(), metadata: None };
        let own = base.modules.environment().map(|folder| folder_called(ENVIRONMENT.to_owned(), folder));
        let strays: Vec<Module> = base
            .modules
            .stray_folders()
            .map(|folder| {
                let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
                folder_called(name, folder)
            })
            .collect();
        let constants = collect_defined_names(base, own.iter().chain(modules).chain(&strays));
        let surveyor = |module| Surveyor { base, constants: &constants, own: collect_defined_names(base, [module]) };
        let mut parts: Vec<Part> = own.iter().flat_map(|own| surveyor(own).functions(own)).collect();
        parts.extend(modules.iter().flat_map(|module| surveyor(module).module(module)));
        parts.extend(strays.iter().flat_map(|stray| surveyor(stray).plugins(stray)));
        parts
    }
}

struct Surveyor<'b> {
    base: &'b CodeBase,
    /// What any file of Ruby in any module defines: constants are everybody's.
    constants: &'b DefinedNames,
    /// What the module's own files define.
    own: DefinedNames,
}

/// A file with all that it requires, and what stands in the way of that.
#[derive(Default)]
struct Closure {
    surveys: Vec<(String, Survey)>,
    failing: Vec<UnsupportedPlace>,
}

/// Returns every name that the modules' own Ruby defines.
fn collect_defined_names<'m>(base: &CodeBase, modules: impl IntoIterator<Item = &'m Module>) -> DefinedNames {
    let mut defined = DefinedNames::default();
    for file in modules.into_iter().flat_map(|module| files(base, &module.folder.join("lib"), is_ruby)) {
        if let Ok(script) = script(base, RubyFile::Library, &file) {
            defined.add(&Survey::from_script(&script));
        }
    }
    defined
}

fn script(base: &CodeBase, kind: RubyFile, file: &Path) -> Result<Arc<Script>, Fault> {
    Script::from_definition(base.script(kind, file)?, &file.display().to_string())
}

fn is_ruby(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rb")
}

/// Returns the files below a folder, in the order of their paths.
fn files(base: &CodeBase, folder: &Path, wanted: fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(folder) = left.pop() {
        let entries = base.modules.disk.list(&folder).ok().flatten().unwrap_or_default();
        for entry in entries {
            let path = folder.join(&entry.name);
            match entry.is_folder {
                true if !entry.is_link => left.push(path),
                false if wanted(&path) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

impl Surveyor<'_> {
    fn module(&self, module: &Module) -> Vec<Part> {
        let part = |kind, name: String, file: PathBuf, how| Part { module: module.name.clone(), kind, name, file, how };
        let mut parts = self.functions(module);
        parts.extend(self.resource_types(module));
        for (name, file) in self.in_folder(module, "lib/puppet/datatypes") {
            let how = match self.base.data_type(&file) {
                Ok(_) => self.looked_at(RubyFile::Library, &file),
                Err(fault) => Support::Fails(vec![UnsupportedPlace::from_message(&fault.message, &file)]),
            };
            parts.push(part(PartKind::DataType, name, file, how));
        }
        let templates = module.folder.join("templates");
        for file in files(self.base, &templates, |path| path.extension().is_none_or(|extension| extension != "epp")) {
            let name = file.strip_prefix(&templates).unwrap_or(&file).display().to_string();
            if self.is_template(&file) {
                let how = self.looked_at(RubyFile::Template, &file);
                parts.push(part(PartKind::Template, format!("{}/{name}", module.name), file, how));
            }
        }
        parts
    }

    /// Surveys what the older autoloader finds in a folder that is no module, and which no file of an earlier folder hides.
    fn plugins(&self, stray: &Module) -> Vec<Part> {
        let modules = &self.base.modules;
        let functions = self.functions_in(stray, &[OLDER_FUNCTIONS]);
        let parts = functions.into_iter().chain(self.resource_types(stray));
        let found = |part: &Part| {
            let kind = if part.kind == PartKind::Type { PluginKind::Types } else { PluginKind::OlderFunctions };
            modules.plugin_file(&part.name, &self.base.folders_with(kind)).is_some_and(|file| file == part.file)
        };
        parts.filter(found).collect()
    }

    fn resource_types(&self, module: &Module) -> Vec<Part> {
        // What stands in a folder of its own belongs to a type, and is none.
        let types = self.in_folder(module, "lib/puppet/type").into_iter().filter(|(name, _)| !name.contains("::"));
        let part = |(name, file): (String, PathBuf)| {
            let how = self.resource_type(&name, &file);
            Part { module: module.name.clone(), kind: PartKind::Type, name, file, how }
        };
        types.map(part).collect()
    }

    fn functions(&self, module: &Module) -> Vec<Part> {
        self.functions_in(module, &["lib/puppet/functions", OLDER_FUNCTIONS])
    }

    fn functions_in(&self, module: &Module, folders: &[&str]) -> Vec<Part> {
        let files = folders.iter().flat_map(|folder| self.in_folder(module, folder));
        let part = |(name, file): (String, PathBuf)| {
            let how = self.function(&name, &file);
            Part { module: module.name.clone(), kind: PartKind::Function, name, file, how }
        };
        files.map(part).collect()
    }

    /// The files of Ruby below a folder of a module, with the names of what they have.
    fn in_folder(&self, module: &Module, folder: &str) -> Vec<(String, PathBuf)> {
        let folder = module.folder.join(folder);
        let all = files(self.base, &folder, is_ruby).into_iter();
        all.map(|file| (name_below(&folder, &file), file)).collect()
    }

    fn function(&self, name: &str, file: &Path) -> Support {
        let is_native = self.base.builtins.get(name).is_some() || matches!(self.base.stands_in(name, file), Ok(true));
        if is_native { Support::Native } else { self.looked_at(RubyFile::Library, file) }
    }

    fn resource_type(&self, name: &str, file: &Path) -> Support {
        if native(name).is_some() {
            return Support::Native;
        }
        match self.base.resource_type(name) {
            Ok(_) => Support::Ruby,
            Err(fault) => Support::Fails(vec![UnsupportedPlace::from_message(&fault.message, file)]),
        }
    }

    /// Any text with a tag in it may be given to `template`.
    fn is_template(&self, file: &Path) -> bool {
        let content = self.base.modules.content(file).ok().flatten().unwrap_or_default();
        content.windows(2).any(|pair| pair == b"<%")
    }

    /// Returns what is in the text of a file, and of those that it requires.
    fn looked_at(&self, kind: RubyFile, file: &Path) -> Support {
        let Closure { surveys, mut failing } = self.with_required(kind, file);
        let mut found = DefinedNames::default();
        surveys.iter().for_each(|(_, survey)| found.add(survey));
        let known = KnownNames { methods: &[&self.own, &found], constants: self.constants };
        for (file, survey) in &surveys {
            let role = if kind == RubyFile::Template { Role::Template } else { Role::Function };
            let lacks = survey.lacks(role, known).into_iter();
            failing.extend(lacks.map(|Lack { line, what, is_of_ruby: is_for_bridge }| UnsupportedPlace {
                file: file.clone(),
                line: Some(line),
                what,
                is_for_bridge,
            }));
        }
        failing.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        match kind {
            _ if failing.is_empty() => Support::Ruby,
            // Functions alone go over the bridge.
            RubyFile::Library if failing.iter().all(|one| one.is_for_bridge) => Support::Bridge(failing),
            _ => Support::Fails(failing),
        }
    }

    fn with_required(&self, kind: RubyFile, file: &Path) -> Closure {
        let mut closure = Closure::default();
        let mut seen = FxHashSet::default();
        let mut left = vec![(kind, file.to_owned())];
        while let Some((kind, file)) = left.pop() {
            if !seen.insert(file.clone()) {
                continue;
            }
            let shown = file.display().to_string();
            let script = match script(self.base, kind, &file) {
                Ok(script) => script,
                Err(fault) => {
                    closure.failing.push(UnsupportedPlace::from_message(&fault.message, &file));
                    continue;
                }
            };
            let survey = Survey::from_script(&script);
            for required in &survey.required {
                match self.resolve_require(&file, &required.name, required.relative) {
                    Ok(library) => left.extend(library.map(|library| (RubyFile::Library, library))),
                    Err(what) => {
                        let (file, line) = (shown.clone(), Some(required.line));
                        closure.failing.push(UnsupportedPlace { file, line, what, is_for_bridge: true });
                    }
                }
            }
            closure.surveys.push((shown, survey));
        }
        closure
    }

    /// Returns the module's file that a `require` leads to; none where it is built in.
    fn resolve_require(&self, from: &Path, name: &str, relative: bool) -> Result<Option<PathBuf>, String> {
        let name = name.strip_suffix(".rb").unwrap_or(name);
        let folder = from.parent().unwrap_or(from).display();
        let whole = match relative {
            true => pantin_base::paths::expanded(&format!("{folder}/{name}")).into_owned(),
            false if name.starts_with('/') => pantin_base::paths::expanded(name).into_owned(),
            false => name.to_owned(),
        };
        if !relative && pantin_ruby::is_built_in_library(&whole) {
            return Ok(None);
        }
        let found = self.base.modules.library_file(&whole).map(Some);
        found.ok_or_else(|| format!("the library {name}"))
    }
}

impl UnsupportedPlace {
    /// A message often says itself where it comes from: `… (file: F, line: N)`, or `F:N: …`.
    fn from_message(message: &str, file: &Path) -> UnsupportedPlace {
        let file = file.display().to_string();
        if let Some((what, place)) = message.split_once(" (file: ") {
            let place = place.split(')').next().unwrap_or_default();
            let (named, line) = place.split_once(", line: ").unwrap_or((place, ""));
            let line = line.split(',').next().and_then(|line| line.parse().ok());
            return UnsupportedPlace { file: named.to_owned(), line, what: what.to_owned(), is_for_bridge: false };
        }
        if let Some(rest) = message.strip_prefix(&format!("{file}:"))
            && let Some((line, what)) = rest.split_once(": ")
        {
            return UnsupportedPlace { line: line.parse().ok(), what: what.to_owned(), file, is_for_bridge: false };
        }
        UnsupportedPlace { file, line: None, what: message.to_owned(), is_for_bridge: false }
    }
}

/// `a/b.rb` below the folder is `a::b`.
fn name_below(folder: &Path, file: &Path) -> String {
    let below = file.strip_prefix(folder).unwrap_or(file).with_extension("");
    let parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.join("::")
}
