//! Definitions of bindings, each read and taken apart once for all nodes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::{LiteralPath, Severity};
use pantin_bindings::{Definition, Problem, Uri, rule};
use pantin_values::{Fault, Str};
use pantin_world::{Disk, LeafKind, glob_under};

use super::shown_path;
use crate::codebase::CodeBase;
use crate::loader::Loader;

/// What came of one file.
pub(crate) type ReadDefinition = Result<Arc<Definition>, Arc<[Problem]>>;

/// The file of a definition, and under which name it is found.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct DefinitionFile {
    pub(crate) path: PathBuf,
    pub(crate) uri: Str,
    /// The name that it must define.
    pub(crate) name: Str,
}

/// Where definitions are.
#[derive(Clone, Debug, Default)]
pub(crate) struct BindingsFolders {
    /// The folder of settings, and that of the environment, for paths in messages.
    pub(crate) confdir: Option<PathBuf>,
    pub(crate) environment: Option<PathBuf>,
    /// The folder of the environment's own definitions.
    pub(crate) own: Option<PathBuf>,
}

impl BindingsFolders {
    pub(crate) fn shown(&self, path: &Path) -> Arc<str> {
        let folders: Vec<&Path> = self.environment.iter().chain(&self.confdir).map(PathBuf::as_path).collect();
        shown_path(path, &folders)
    }

    fn of_settings(&self) -> Option<PathBuf> {
        Some(self.confdir.as_ref()?.join("bindings"))
    }
}

impl CodeBase {
    /// Reads a definition, and checks all that needs the file alone.
    pub(crate) fn definition(&self, file: &DefinitionFile, folders: &BindingsFolders) -> Result<ReadDefinition, Fault> {
        let shown = folders.shown(&file.path);
        let key = (LiteralPath(file.path.clone()), file.uri.clone());
        self.memos.bindings.get_for_modules(self, key, |base| base.read_definition(file, &shown))
    }

    fn read_definition(&self, file: &DefinitionFile, shown: &Arc<str>) -> Result<ReadDefinition, Fault> {
        let source = self.source(&file.path, LeafKind::Content)?;
        let parsed = pantin_syntax::parse_bindings(&source, self.syntax_settings());
        let problems = |found: &[pantin_base::Diagnostic]| -> Vec<Problem> {
            found.iter().map(|found| Problem::from_diagnostic(found, &source, shown)).collect()
        };
        let parsed_file = match parsed.result {
            Ok(parsed) => Arc::new(parsed),
            Err(found) => return Ok(Err(problems(&found).into())),
        };
        let name = &parsed_file.definition.name;
        if name.text != file.name {
            let message = format!("The file must define the bindings '{}', and defines '{}'", file.name, name.text);
            let place =
                pantin_bindings::Place { shown: Arc::clone(shown), source: Some(Arc::clone(&source)), span: name.span };
            let path = name.text.replace("::", "/");
            let help = format!("rename the definition, or move it to bindings/{path}.pp");
            let problem = Problem::new(rule::WRONG_FILE, message, place).with_help(Some(help));
            return Ok(Err(vec![problem].into()));
        }
        let mut loader = Loader::new(self);
        let mut definition = Definition::from_file(&file.uri, &parsed_file, &source, shown, &mut loader);
        definition.problems.extend(problems(&parsed.warnings));
        let broken = definition.problems.iter().any(|problem| problem.rule.severity == Severity::Error);
        match broken {
            true => Ok(Err(definition.problems.into())),
            false => Ok(Ok(Arc::new(definition))),
        }
    }

    /// The files that a name, or a pattern, of one of the schemes of files finds; of a plain name also one that is not there.
    pub(crate) fn definition_files(&self, uri: &Uri, folders: &BindingsFolders) -> Result<Vec<DefinitionFile>, Fault> {
        let disk = &self.modules.disk;
        if uri.scheme == "module" {
            return self.files_of_modules(uri);
        }
        let folder = match uri.scheme.as_str() {
            "confdir" => folders.of_settings(),
            _ => folders.own.clone(),
        };
        let Some(folder) = folder else { return Ok(Vec::new()) };
        let found = |names: &[&str]| DefinitionFile {
            path: path_below(&folder, names),
            uri: format!("{}:/{}", uri.scheme, names.join("::")).into(),
            name: names.join("::").into(),
        };
        if !uri.is_pattern() {
            let file = found(&uri.names());
            return Ok(if disk.exists(&file.path) { vec![file] } else { Vec::new() });
        }
        let names = self.names_below(&folder)?;
        Ok(names
            .iter()
            .map(|names| names.split("::").collect::<Vec<_>>())
            .filter(|names| uri.matches(names))
            .map(|names| found(&names))
            .collect())
    }

    fn files_of_modules(&self, uri: &Uri) -> Result<Vec<DefinitionFile>, Fault> {
        let disk = &self.modules.disk;
        let mut files = Vec::new();
        let mut push = |module: &str, folder: &Path, names: &[&str]| {
            let all: Vec<&str> = [module].into_iter().chain(names.iter().copied()).collect();
            files.push(DefinitionFile {
                path: path_below(folder, names),
                uri: format!("module:/{}", all.join("::")).into(),
                name: all.join("::").into(),
            });
        };
        if !uri.is_pattern() {
            let names = uri.names();
            if let Some((module, names)) = names.split_first()
                && let Some(folder) = self.modules.folder(module)
                && !names.is_empty()
            {
                let folder = folder.join("bindings");
                if disk.exists(&path_below(&folder, names)) {
                    push(module, &folder, names);
                }
            }
            return Ok(files);
        }
        // The commonest pattern needs no list of a folder.
        let ends_in = uri.segments.get(1..).unwrap_or_default();
        let plain: Option<Vec<&str>> = ends_in
            .iter()
            .map(|segment| match segment {
                pantin_bindings::Segment::Name(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let starts_with_any = matches!(uri.segments.first(), Some(pantin_bindings::Segment::Any));
        for module in self.modules.all() {
            if self.modules.named(&module.name).is_none_or(|known| known.folder != module.folder) {
                continue;
            }
            let folder = module.folder.join("bindings");
            match &plain {
                Some(names) if !starts_with_any && !names.is_empty() => {
                    let is_meant = uri.matches(&[&[module.name.as_str()], names.as_slice()].concat());
                    if is_meant && disk.exists(&path_below(&folder, names)) {
                        push(&module.name, &folder, names);
                    }
                }
                _ => {
                    for name in self.names_below(&folder)? {
                        let names: Vec<&str> = name.split("::").collect();
                        if uri.matches(&[&[module.name.as_str()], names.as_slice()].concat()) {
                            push(&module.name, &folder, &names);
                        }
                    }
                }
            }
        }
        Ok(files)
    }

    /// All files of bindings that a name could find.
    pub(crate) fn all_definition_files(&self, folders: &BindingsFolders) -> Result<Vec<DefinitionFile>, Fault> {
        let mut files = Vec::new();
        for pattern in ["confdir:/**", "env:/**", "module:/**"] {
            let Ok(uri) = Uri::parse(pattern) else { continue };
            files.extend(self.definition_files(&uri, folders)?);
        }
        Ok(files)
    }

    /// The names of the definitions below a folder, in their order.
    fn names_below(&self, folder: &Path) -> Result<Vec<String>, Fault> {
        let disk = &self.modules.disk;
        let found = glob_under(disk, folder, "**/*.pp").map_err(Fault::new)?;
        let mut names: Vec<String> = found
            .iter()
            .filter_map(|path| {
                let relative = path.strip_prefix(folder).ok()?.with_extension("");
                let parts: Option<Vec<&str>> = relative.iter().map(|part| part.to_str()).collect();
                Some(parts?.join("::"))
            })
            .filter(|name| is_definition_name(name))
            .collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// The same as `has_default_bindings`, for all nodes once.
    pub(crate) fn knows_default_bindings(&self, folders: &BindingsFolders) -> bool {
        self.names.default_bindings.get_for_modules(self, (), |base| base.has_default_bindings(folders))
    }

    /// Whether a definition is there that the default layers find. Where there is none, nothing is bound.
    pub(crate) fn has_default_bindings(&self, folders: &BindingsFolders) -> bool {
        let disk = &self.modules.disk;
        let is_there = |folder: PathBuf| disk.exists(&folder.join("default.pp"));
        folders.of_settings().is_some_and(is_there)
            || folders.own.clone().is_some_and(is_there)
            || self.modules.all().iter().any(|module| is_there(module.folder.join("bindings")))
    }
}

fn path_below(folder: &Path, names: &[&str]) -> PathBuf {
    let mut path = folder.to_owned();
    path.extend(names);
    path.set_extension("pp");
    path
}

/// Lower-case segments: what else lies in the folder is found by no name.
fn is_definition_name(name: &str) -> bool {
    name.split("::").all(|segment| {
        segment.starts_with(|first: char| first.is_ascii_lowercase())
            && segment.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_')
    }) && name != "site"
}
