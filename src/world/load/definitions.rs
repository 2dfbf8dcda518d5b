//! Where functions and types are defined, by their names: in Puppet code or in Ruby, of modules or of the environment.
//!
//! The environment is asked before all modules. Within one folder, what stands in Ruby comes before what stands in Puppet
//! code, and that before functions of the older interface.

use std::path::{Path, PathBuf};

use pantin_base::names::segments;
use pantin_values::signature::Api;

use super::{FUNCTIONS, Modules, OLDER_FUNCTIONS};
use crate::Disk as _;
use crate::modules::Module;

/// The name of the file in which a module's type set stands.
pub const TYPE_SET: &str = "init_typeset";

/// The namespace of what stands in the environment's own folders.
pub const ENVIRONMENT: &str = "environment";

/// A file that is to define a function, by what it is written in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FunctionFile {
    Puppet(PathBuf),
    Ruby(Api, PathBuf),
}

/// A file that is to define a type, by what it is written in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeFile {
    Puppet(PathBuf),
    Ruby(PathBuf),
}

/// Where something may be defined: the environment, whose files stand under whole names, or a module.
#[derive(Clone, Copy)]
struct Home<'m> {
    folder: &'m Path,
    namespace: &'m str,
}

impl<'m> Home<'m> {
    fn from_module(module: &'m Module) -> Home<'m> {
        Home { folder: &module.folder, namespace: &module.name }
    }
}

impl Modules {
    /// Where functions of a name are defined, each with whose it is: with a namespace, there; without, in the environment or else
    /// in all modules that have it, among those that have any.
    pub fn functions(&self, name: &str, among: &[usize]) -> Vec<(String, FunctionFile)> {
        let at = |home: Home<'_>| Some((home.namespace.to_owned(), self.function_at(home, name)?));
        if !is_function_name(name) {
            return Vec::new();
        }
        match name.split_once("::") {
            Some((namespace, _)) => self.home(namespace).and_then(at).into_iter().collect(),
            None => match self.own().and_then(at) {
                Some(own) => vec![own],
                None => self.modules_at(among).map(Home::from_module).filter_map(at).collect(),
            },
        }
    }

    /// Returns which of these the code of a module sees (empty: code that is of none): its own, that of the first
    /// module that it depends on, or the first.
    pub fn seen_from<'f>(&self, module: &str, functions: &'f [(String, FunctionFile)]) -> Option<&'f FunctionFile> {
        let of = |module: &str| functions.iter().find(|(home, _)| home == module).map(|(_, file)| file);
        if functions.len() < 2 || module.is_empty() {
            return functions.first().map(|(_, file)| file);
        }
        let metadata = self.named(module).and_then(|module| module.metadata.as_ref());
        let needed = metadata.iter().flat_map(|metadata| &metadata.dependencies);
        let mut needed = needed.filter_map(|needed| needed.name.split('/').nth(1));
        of(module).or_else(|| needed.find_map(of)).or_else(|| functions.first().map(|(_, file)| file))
    }

    /// The module in whose folder a file lies, as its path tells; empty: none.
    pub fn module_of_file(&self, file: &Path) -> &str {
        let folder = file.parent().unwrap_or(file);
        if let Some((name, own)) = self.own.as_deref()
            && folder.starts_with(own)
            && folder != own
        {
            return name;
        }
        let within = self.modulepath.iter().filter_map(|path| folder.strip_prefix(path).ok());
        let names = within.filter(|within| within.components().count() > 1);
        let mut names = names.filter_map(|within| within.components().next()?.as_os_str().to_str());
        names.find_map(|name| self.named(name)).map_or("", |module| &module.name)
    }

    /// The same in one module.
    pub fn find_function(&self, module: &Module, name: &str) -> Option<FunctionFile> {
        self.function_at(Home::from_module(module), name)
    }

    /// Where the type `Module::A::B` is defined, if anywhere, all in lower case. Without a namespace it is the environment's, or in
    /// the Ruby code of any module; the one that is called like a module is a type set of that one.
    pub fn type_file(&self, name: &str) -> Option<TypeFile> {
        let name = name.to_lowercase();
        match name.split_once("::") {
            Some((namespace, _)) => self.type_at(self.home(namespace)?, &name),
            None => self.homes().find_map(|home| self.type_at(home, &name)),
        }
    }

    fn home(&self, namespace: &str) -> Option<Home<'_>> {
        match namespace {
            ENVIRONMENT => self.own(),
            _ => self.named(namespace).map(Home::from_module),
        }
    }

    fn own(&self) -> Option<Home<'_>> {
        Some(Home { folder: self.environment.as_deref()?, namespace: ENVIRONMENT })
    }

    /// In the order in which they are asked for what has no namespace.
    fn homes(&self) -> impl Iterator<Item = Home<'_>> {
        self.own().into_iter().chain(self.all().iter().map(Home::from_module))
    }

    fn function_at(&self, home: Home<'_>, name: &str) -> Option<FunctionFile> {
        if let Some(file) = self.ruby_definition(home, FUNCTIONS, name) {
            return Some(FunctionFile::Ruby(Api::Typed, file));
        }
        if let Some(file) = self.puppet_definition(home, "functions", name) {
            return Some(FunctionFile::Puppet(file));
        }
        let is_plain = !name.contains(':');
        let file = is_plain.then(|| self.ruby_definition(home, OLDER_FUNCTIONS, name))?;
        file.map(|file| FunctionFile::Ruby(Api::Untyped, file))
    }

    fn type_at(&self, home: Home<'_>, name: &str) -> Option<TypeFile> {
        if home.namespace == name && name != ENVIRONMENT {
            return self.puppet_file(home.folder.join("types"), TYPE_SET).map(TypeFile::Puppet);
        }
        let ruby = self.ruby_definition(home, "lib/puppet/datatypes", name).map(TypeFile::Ruby);
        ruby.or_else(|| self.puppet_definition(home, "types", name).map(TypeFile::Puppet))
    }

    /// Ruby code stands under its whole name everywhere.
    fn ruby_definition(&self, home: Home<'_>, folder: &str, name: &str) -> Option<PathBuf> {
        let mut path = home.folder.join(folder);
        path.extend(segments(name));
        path.set_extension("rb");
        self.disk.is_named(&path).then_some(path)
    }

    /// Puppet code of a module stands under the name without its namespace; what has none is not the module's.
    fn puppet_definition(&self, home: Home<'_>, folder: &str, name: &str) -> Option<PathBuf> {
        let name = match home.namespace {
            ENVIRONMENT => name,
            _ => name.split_once("::")?.1,
        };
        self.puppet_file(home.folder.join(folder), name)
    }

    fn puppet_file(&self, mut path: PathBuf, name: &str) -> Option<PathBuf> {
        path.extend(segments(name));
        path.set_extension("pp");
        self.disk.is_named(&path).then_some(path)
    }
}

fn is_function_name(name: &str) -> bool {
    let is_of_name = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == ':';
    !name.is_empty() && name.chars().all(is_of_name)
}
