//! The definitions that one request has loaded so far: functions, types, classes and defined types by name.
//!
//! What a name means can depend on what was loaded before, so each request has a loader of its own; the files
//! themselves are shared.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_model::catalog::kinds::TypeRef;
use pantin_model::trace::{Answer, Definition, FileKind, FunctionCaller, Log, Unit};
use pantin_syntax::ast::{DefinitionKind, Node};
use pantin_values::signature::Api;
use pantin_values::{Fault, Str};
use pantin_world::load::FunctionFile;
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::CodeFile;
use super::codebase::{CodeBase, ParseFailure};
use super::file::DefinitionRequest;
use super::known_definitions::KnownDefinitions;
use super::node::{ObservationLog, file_hash};
use super::types::Aliases;

pub(super) struct Loader<'e> {
    pub(super) base: &'e CodeBase,
    /// The manifests that were loaded, in order: the functions and types that they define are known.
    pub(super) manifests: Vec<Arc<CodeFile>>,
    /// By their names, each with the module whose code sees it.
    functions: FxHashMap<Str, Vec<(FunctionCaller, Option<Definition>)>>,
    /// Of several functions of the older kind that are called alike, the one that was loaded.
    rivals: FxHashMap<Str, PathBuf>,
    pub(super) aliases: Aliases,
    /// Types that modules have in Ruby, by their names as written; `None`: there is no such type.
    pub(super) types: FxHashMap<Str, Option<TypeRef>>,
    pub(super) known: KnownDefinitions,
    /// What was said while files were loaded, until somebody logs it.
    pub(super) pending_logs: Vec<Log>,
    reported_files: FxHashSet<PathBuf>,
    /// True if the type of the producers of bindings is known.
    pub(super) knows_producers: bool,
    /// The first that was loaded.
    first: Option<Arc<CodeFile>>,
}

impl<'e> Loader<'e> {
    pub(super) fn new(base: &'e CodeBase) -> Loader<'e> {
        Loader {
            base,
            manifests: Vec::new(),
            functions: FxHashMap::default(),
            rivals: FxHashMap::default(),
            aliases: Aliases::default(),
            types: FxHashMap::default(),
            known: KnownDefinitions::default(),
            pending_logs: Vec::new(),
            reported_files: FxHashSet::default(),
            knows_producers: false,
            first: None,
        }
    }

    /// The functions and types of a manifest are known from now on.
    pub(super) fn take(&mut self, file: Arc<CodeFile>) {
        self.first.get_or_insert_with(|| file.clone());
        for function in &file.functions {
            self.functions.remove(&function.name);
        }
        for (name, _) in &file.aliases {
            self.aliases.resolved.remove(name.to_lowercase().as_str());
        }
        if !file.functions.is_empty() || !file.aliases.is_empty() {
            self.manifests.push(file);
        }
    }

    /// Returns a manifest, with what its parser said.
    pub(super) fn manifest(&mut self, path: &Path, module: &Str) -> Result<Arc<CodeFile>, Fault> {
        match self.base.manifest(path, module) {
            Ok(file) => {
                if !file.warnings.is_empty() && self.reported_files.insert(path.to_owned()) {
                    self.pending_logs.extend(file.warnings.iter().cloned());
                }
                if let Some(ahead) = &self.base.ahead {
                    ahead.push_loaded_file(&file);
                }
                Ok(file)
            }
            Err(broken) => Err(self.complain(&broken)),
        }
    }

    fn complain(&mut self, broken: &ParseFailure) -> Fault {
        self.pending_logs.extend(broken.log.iter().cloned());
        broken.fault.clone()
    }

    /// Returns where code stands that nobody wrote; there may be no other.
    pub(super) fn main_unit(&self) -> Arc<Unit> {
        self.first.as_ref().map_or_else(Arc::default, |file| file.main.unit.clone())
    }

    // ---- functions ----

    /// Returns a function as code of a catalog sees it. Its file is recorded, and whether it matters what was loaded
    /// before.
    pub(super) fn function(
        &mut self,
        name: &Str,
        from: &FunctionCaller,
        log: &ObservationLog,
    ) -> Result<Option<Definition>, Fault> {
        let found = self.find_function(name, from);
        if log.is_active() {
            if !self.rivals.is_empty() {
                log.order();
            }
            if let Ok(Some(definition)) = &found
                && let Some(file) = definition.file()
            {
                log.file(file_hash(Path::new(file)));
            }
        }
        found
    }

    /// Returns a function as the files define it, where nothing else is loaded.
    pub(super) fn function_from_files(
        base: &CodeBase,
        name: &Str,
        from: &FunctionCaller,
    ) -> Result<Option<Definition>, Fault> {
        Loader::new(base).find_function(name, from)
    }

    /// Loads the file of a function before code wants it.
    pub(super) fn prefetch_function(&mut self, name: &Str, from: &FunctionCaller) {
        // An error is one for whoever calls the function.
        let _ = self.find_function(name, from);
    }

    fn find_function(&mut self, name: &Str, from: &FunctionCaller) -> Result<Option<Definition>, Fault> {
        let known = self.functions.get(name).and_then(|known| known.iter().find(|(caller, _)| caller == from));
        if let Some((_, known)) = known {
            return Ok(known.clone());
        }
        if *from == FunctionCaller::Scope {
            return self.method_of_scope(name);
        }
        let builtins = self.base.builtins;
        let found = match self.manifests.iter().rev().find_map(|file| file.function(name, builtins)) {
            Some(found) => Some(found),
            None => match self.base.function_file(name, from.module()) {
                Some(FunctionFile::Puppet(path)) => self.function_in_puppet(name, &path)?,
                Some(FunctionFile::Ruby(api, path)) => {
                    let path = if api == Api::Untyped { self.first_loaded(name, path) } else { path };
                    Some(self.base.ruby_function(name, api, &path)?)
                }
                None => None,
            },
        };
        self.functions.entry(name.clone()).or_default().push((from.clone(), found.clone()));
        Ok(found)
    }

    /// Returns what `scope.function_NAME` calls: one of the older kind, or else what anybody calls.
    fn method_of_scope(&mut self, name: &Str) -> Result<Option<Definition>, Fault> {
        match self.base.file(FileKind::OlderFunction, name) {
            Some(path) => {
                let path = self.first_loaded(name, path.to_path_buf());
                self.base.ruby_function(name, Api::Untyped, &path).map(Some)
            }
            None => self.find_function(name, &FunctionCaller::Environment),
        }
    }

    /// Returns the file of a function of the older kind: once one is loaded, no module has another of its name.
    fn first_loaded(&mut self, name: &Str, path: PathBuf) -> PathBuf {
        if !self.base.has_rivals(name) {
            return path;
        }
        self.rivals.entry(name.clone()).or_insert(path).clone()
    }

    fn function_in_puppet(&mut self, name: &str, path: &Path) -> Result<Option<Definition>, Fault> {
        let module = name.split("::").next().unwrap_or_default().into();
        let file = self.manifest(path, &module)?;
        let ast = &file.ast;
        let wanted = DefinitionRequest { what: "function", name, none: "no function found", path };
        let id = wanted.only_definition(ast, |node| match node {
            Node::Definition(definition) => {
                let definition = ast.definition(definition);
                (definition.kind == DefinitionKind::Function).then(|| ast.text(definition.name).to_owned())
            }
            _ => None,
        })?;
        Ok(file.function_at(id, self.base.builtins))
    }

    // ---- templates ----

    pub(super) fn template(&mut self, name: &Str) -> Answer {
        let Some(path) = self.base.file(FileKind::Template, name) else { return Answer::Absent };
        match self.base.template(&path) {
            Ok(Some(definition)) => Answer::Definition(definition),
            Ok(None) => Answer::Absent,
            Err(broken) => Answer::Fault(self.complain(&broken)),
        }
    }
}
