//! Code, templates, files and data of a repository that no node of its fleet uses, as the answers of all nodes say.
//!
//! A file that no answer has read was of no use to any node: its classes were not declared, its functions not called. Of a file
//! of data, a key is unused if no node has looked it up. Knows nothing of how it is shown.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::Source;
use pantin_base::names::type_name;
use pantin_compile::FileBinding;
use pantin_hiera::{hash_of_key, key_names, line_of_key};
use pantin_syntax::ast::{DefinitionKind, Node};
use pantin_syntax::{Settings, SourceKind};
use pantin_values::Str;
use pantin_world::environment::Environment;
use pantin_world::{Disk, LeafKind, PathNames, Puppetfile};

use crate::node_compiler::Definition;
use crate::reads::AllReads;
use crate::{AnswerNeeds, Repository};

/// Deeper folders are not walked.
const DEEPEST: usize = 64;

/// Files of data, by what their names end with.
const DATA: [&str; 4] = ["yaml", "yml", "eyaml", "json"];

/// What a thing is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnusedKind {
    Class,
    DefinedType,
    Function,
    TypeAlias,
    Template,
    File,
    DataFile,
    Key,
    Binding,
}

/// One thing that no node uses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct UnusedItem {
    pub kind: UnusedKind,
    pub name: String,
    pub file: PathBuf,
    pub line: Option<u32>,
}

/// What no node uses.
#[derive(Default, Debug)]
pub struct Unused {
    pub items: Vec<UnusedItem>,
    /// How many nodes were asked.
    pub asked: usize,
    pub compiled: usize,
    /// Nodes that fail: what they would use after that is not known.
    pub failing: Vec<Str>,
}

impl UnusedKind {
    /// In words, in the plural.
    pub fn title(self) -> &'static str {
        match self {
            UnusedKind::Class => "Classes",
            UnusedKind::DefinedType => "Defined types",
            UnusedKind::Function => "Functions",
            UnusedKind::TypeAlias => "Type aliases",
            UnusedKind::Template => "Templates",
            UnusedKind::File => "Files",
            UnusedKind::DataFile => "Files of data",
            UnusedKind::Key => "Keys of data",
            UnusedKind::Binding => "Bindings",
        }
    }

    /// Returns a stable name for programs.
    pub fn name(self) -> &'static str {
        match self {
            UnusedKind::Class => "class",
            UnusedKind::DefinedType => "defined_type",
            UnusedKind::Function => "function",
            UnusedKind::TypeAlias => "type_alias",
            UnusedKind::Template => "template",
            UnusedKind::File => "file",
            UnusedKind::DataFile => "data_file",
            UnusedKind::Key => "key",
            UnusedKind::Binding => "binding",
        }
    }
}

/// Asks all these nodes, and looks at the environments that they are in. `with_installed`: also at modules that the Puppetfile
/// names, or which lie outside of the repository.
pub fn unused(
    repository: &Repository,
    names: &[Str],
    with_installed: bool,
    mut progress: impl FnMut() + Send,
) -> io::Result<Unused> {
    let mut found = Unused { asked: names.len(), ..Unused::default() };
    let mut reads = AllReads::new(repository);
    let mut environments = BTreeSet::new();
    let mut served: BTreeSet<PathBuf> = BTreeSet::new();
    let mut deferred: BTreeSet<(String, Str)> = BTreeSet::new();
    repository.each_answer(names, AnswerNeeds::default(), |name, answer| {
        progress();
        let Ok(answer) = answer else {
            found.failing.push(name.clone());
            return;
        };
        found.compiled += usize::from(!answer.is_stored);
        if !answer.has_catalog() {
            found.failing.push(name.clone());
        }
        reads.add(&answer);
        environments.insert(answer.head.environment.clone());
        served.extend(repository.served_paths(&answer).into_iter().map(|(_, path)| path));
        let called = answer.head.deferred_functions.iter().cloned();
        deferred.extend(called.map(|function| (answer.head.environment.clone(), function)));
    })?;
    let called = deferred.iter().filter_map(|(environment, function)| {
        repository.compiler.file_of(environment, Definition::Function(function)).ok().flatten()
    });
    let used = Used::new(&reads, repository.compiler.files(), served, called.collect());
    for name in &environments {
        let Ok(loaded) = repository.compiler.world.environment(name) else { continue };
        let search = Search { repository, used: &used, environment: &loaded.environment, with_installed };
        found.items.extend(search.items());
        found.items.extend(search.bindings(&loaded.environment));
    }
    found.items.sort();
    found.items.dedup();
    Ok(found)
}

/// What nodes use.
struct Used<'a> {
    reads: &'a AllReads<'a>,
    /// Files whose text was read, or is what an agent calls.
    texts: BTreeSet<PathBuf>,
    /// Files and folders whose path code was told, or of which code asked whether they are there.
    found: BTreeSet<PathBuf>,
    /// Files of data that were looked for, there or not.
    data: BTreeSet<PathBuf>,
    /// Files and folders that resources are copies of.
    served: BTreeSet<PathBuf>,
}

impl<'a> Used<'a> {
    /// `served`: what resources are copies of; `called`: the files of functions that an agent calls.
    fn new(reads: &'a AllReads<'a>, disk: &dyn Disk, served: BTreeSet<PathBuf>, called: BTreeSet<PathBuf>) -> Used<'a> {
        let names = PathNames::new(disk);
        let mut used =
            Used { reads, texts: called, found: BTreeSet::new(), data: BTreeSet::new(), served: BTreeSet::new() };
        for read in reads.reads() {
            let others = names.others(&read.path);
            for path in others.into_iter().chain([read.path]) {
                let is_data = read.kind == LeafKind::Data || read.kind.is_text() && is_data(&path);
                if is_data {
                    used.data.insert(path.clone());
                }
                match read.kind {
                    kind if kind.is_text() => used.texts.insert(path),
                    LeafKind::Exists
                    | LeafKind::Named
                    | LeafKind::Folder
                    | LeafKind::BindingsFile
                    | LeafKind::Facts
                    | LeafKind::LinkFacts => used.found.insert(path),
                    _ => false,
                };
            }
        }
        for path in served {
            used.add_served(disk, &names, path, DEEPEST);
        }
        used
    }

    /// Adds a file that an agent is served, or a folder with all that is in it, and where links there lead.
    fn add_served(&mut self, disk: &dyn Disk, names: &PathNames<'_>, path: PathBuf, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        // A link may lead to a folder around it.
        if !self.served.insert(path.clone()) {
            return;
        }
        let others = names.others(&path);
        let real = others.last().unwrap_or(&path);
        for entry in disk.list(real).ok().flatten().unwrap_or_default() {
            let inside = real.join(&entry.name);
            // What is in a folder is served with it.
            if entry.is_link || entry.is_folder {
                self.add_served(disk, names, inside, depth);
            }
        }
        self.served.extend(others);
    }

    fn is_served(&self, path: &Path) -> bool {
        path.ancestors().any(|path| self.served.contains(path))
    }
}

fn is_data(path: &Path) -> bool {
    let is_config = path.file_name().is_some_and(|name| name == "hiera.yaml" || name == "metadata.json");
    !is_config && path.extension().and_then(|it| it.to_str()).is_some_and(|extension| DATA.contains(&extension))
}

/// A search through one environment.
struct Search<'a> {
    repository: &'a Repository,
    used: &'a Used<'a>,
    environment: &'a Environment,
    with_installed: bool,
}

impl Search<'_> {
    fn disk(&self) -> &dyn Disk {
        &*self.repository.compiler.world.disk
    }

    fn items(&self) -> Vec<UnusedItem> {
        let mut items = Vec::new();
        for module in self.modules() {
            let name = module.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.add_module(&module, &name, &mut items);
            self.add_data(&self.data_folders(&module), &mut items);
        }
        if let Some(folder) = &self.environment.folder {
            for (inside, kind) in [("functions", UnusedKind::Function), ("types", UnusedKind::TypeAlias)] {
                self.add_code(&folder.join(inside), kind, "", &mut items);
            }
            self.add_ruby_functions(folder, "environment", &mut items);
            self.add_data(&self.data_folders(folder), &mut items);
        }
        items
    }

    /// Bindings that no node has wanted: keys that nobody injects, parameters of classes that nobody declares.
    fn bindings(&self, environment: &Arc<Environment>) -> Vec<UnusedItem> {
        let Ok(ready) = self.repository.compiler.world.ready(environment) else { return Vec::new() };
        let bindings = ready.site.bindings_in_files(environment);
        let modules = if bindings.is_empty() { Vec::new() } else { self.modules() };
        let is_of_module = |file: &Path| environment.modulepath.iter().any(|path| file.starts_with(path));
        let is_meant = |file: &Path| !is_of_module(file) || modules.iter().any(|module| file.starts_with(module));
        let unused = bindings.into_iter().filter(|one| is_meant(&one.file) && !self.used.reads.has_key(one.usage));
        let item =
            |one: FileBinding| UnusedItem { kind: UnusedKind::Binding, name: one.name, file: one.file, line: one.line };
        unused.map(item).collect()
    }

    /// Returns the folders of the modules that belong to the repository.
    fn modules(&self) -> Vec<PathBuf> {
        let folder = self.environment.folder.as_deref();
        let puppetfile = folder.and_then(|folder| self.disk().read(&folder.join("Puppetfile")).ok().flatten());
        let listed = puppetfile.map(|bytes| Puppetfile::parse(&String::from_utf8_lossy(&bytes)));
        let is_installed =
            |module: &Path| folder.zip(listed.as_ref()).is_some_and(|(folder, listed)| listed.installs(folder, module));
        let mut modules = Vec::new();
        for path in &self.environment.modulepath {
            let is_inside = folder.is_some_and(|folder| path.starts_with(folder));
            if !is_inside && !self.with_installed {
                continue;
            }
            let entries = self.disk().list(path).ok().flatten().unwrap_or_default();
            let folders = entries.into_iter().filter(|entry| entry.is_folder).map(|entry| path.join(entry.name));
            modules.extend(folders.filter(|module| self.with_installed || !is_installed(module)));
        }
        modules
    }

    fn add_module(&self, module: &Path, name: &str, items: &mut Vec<UnusedItem>) {
        self.add_code(&module.join("manifests"), UnusedKind::Class, name, items);
        self.add_code(&module.join("functions"), UnusedKind::Function, name, items);
        self.add_code(&module.join("types"), UnusedKind::TypeAlias, name, items);
        self.add_ruby_functions(module, name, items);
        for (inside, kind) in [("templates", UnusedKind::Template), ("files", UnusedKind::File)] {
            let folder = module.join(inside);
            for file in self.files(&folder) {
                // Code that was told of a folder may do anything with what is in it.
                let mut around = file.ancestors().take_while(|path| *path != folder);
                let is_found = self.used.texts.contains(&file) || around.any(|path| self.used.found.contains(path));
                if is_found || kind == UnusedKind::File && self.used.is_served(&file) {
                    continue;
                }
                let below = file.strip_prefix(&folder).unwrap_or(&file).display();
                items.push(UnusedItem { kind, name: format!("{name}/{below}"), file: file.clone(), line: None });
            }
        }
    }

    /// Definitions of files that nobody has read.
    fn add_code(&self, folder: &Path, kind: UnusedKind, module: &str, items: &mut Vec<UnusedItem>) {
        let files = self.files(folder).into_iter();
        let is_code = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "pp");
        for file in files.filter(|file| is_code(file) && !self.used.texts.contains(file)) {
            let found = self.definitions(&file);
            if found.is_empty() {
                let below = file.strip_prefix(folder).unwrap_or(&file).with_extension("");
                let parts = below.iter().map(|part| part.to_string_lossy().into_owned());
                let parts: Vec<String> =
                    (!module.is_empty()).then(|| module.to_owned()).into_iter().chain(parts).collect();
                let name = parts.join("::");
                let name = if kind == UnusedKind::TypeAlias { type_name(&name) } else { name };
                items.push(UnusedItem { kind, name, file: file.clone(), line: None });
            }
            items.extend(found);
        }
    }

    fn definitions(&self, file: &Path) -> Vec<UnusedItem> {
        let Some(bytes) = self.disk().read(file).ok().flatten() else { return Vec::new() };
        let name = file.display().to_string();
        let Ok(source) = Source::from_bytes(Some(&name), bytes) else { return Vec::new() };
        let settings = Settings::from_language(self.repository.compiler.world.settings.language());
        let Ok(ast) = pantin_syntax::parse(Arc::new(source), SourceKind::Manifest, settings).result else {
            return Vec::new();
        };
        let definition = |id| {
            let (kind, name) = match ast.node(id) {
                Node::Definition(of) => {
                    let kind = match ast.definition(of).kind {
                        DefinitionKind::Class => UnusedKind::Class,
                        DefinitionKind::Define => UnusedKind::DefinedType,
                        DefinitionKind::Function => UnusedKind::Function,
                        DefinitionKind::Plan => return None,
                    };
                    (kind, ast.text(ast.definition(of).name).trim_start_matches("::").to_owned())
                }
                _ => return None,
            };
            Some(UnusedItem { kind, name, file: file.to_owned(), line: Some(ast.line(id)) })
        };
        ast.ids().filter_map(definition).collect()
    }

    fn add_ruby_functions(&self, home: &Path, module: &str, items: &mut Vec<UnusedItem>) {
        for inside in ["lib/puppet/functions", "lib/puppet/parser/functions"] {
            let folder = home.join(inside);
            let files = self.files(&folder).into_iter();
            let is_code = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "rb");
            for file in files.filter(|file| is_code(file) && !self.used.texts.contains(file)) {
                let below = file.strip_prefix(&folder).unwrap_or(&file).with_extension("");
                let parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                let name = parts.join("::");
                let name = if parts.is_empty() { module.to_owned() } else { name };
                items.push(UnusedItem { kind: UnusedKind::Function, name, file, line: Some(1) });
            }
        }
    }

    /// Folders right below this one in which somebody has looked for data.
    fn data_folders(&self, home: &Path) -> BTreeSet<PathBuf> {
        let first = |path: &PathBuf| {
            let mut parts = path.strip_prefix(home).ok()?.components();
            let first = parts.next()?;
            parts.next()?;
            Some(home.join(first))
        };
        let is_of_modules = |folder: &PathBuf| self.environment.modulepath.contains(folder);
        let is_other = |folder: &PathBuf| {
            let name = folder.file_name().unwrap_or_default();
            ["files", "templates", "lib", "facts", "spec", "tasks"].iter().any(|other| name == *other)
        };
        self.used.data.iter().filter_map(first).filter(|folder| !is_of_modules(folder) && !is_other(folder)).collect()
    }

    fn add_data(&self, folders: &BTreeSet<PathBuf>, items: &mut Vec<UnusedItem>) {
        for file in folders.iter().flat_map(|folder| self.files(folder)).filter(|file| is_data(file)) {
            if !self.used.data.contains(&file) {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                items.push(UnusedItem { kind: UnusedKind::DataFile, name, file, line: None });
                continue;
            }
            let Some(bytes) = self.disk().read(&file).ok().flatten() else { continue };
            for key in key_names(&file, &bytes).unwrap_or_default() {
                if !self.used.reads.has_key(hash_of_key(&key)) {
                    let line = line_of_key(&file, &bytes, &key);
                    items.push(UnusedItem { kind: UnusedKind::Key, name: key.to_string(), file: file.clone(), line });
                }
            }
        }
    }

    /// Returns all files below a folder; links are left alone.
    fn files(&self, folder: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        self.add_files(folder, DEEPEST, &mut files);
        files
    }

    fn add_files(&self, folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for entry in self.disk().list(folder).ok().flatten().unwrap_or_default() {
            let path = folder.join(&entry.name);
            match (entry.is_folder, entry.is_link) {
                (true, false) => self.add_files(&path, depth, files),
                (true, true) => {}
                (false, _) => files.push(path),
            }
        }
    }
}
