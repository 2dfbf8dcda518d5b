//! Definitions of bindings, each read and taken apart once for all nodes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::{LiteralPath, Source};
use pantin_bindings::{Definition, Problem, Uri, rule};
use pantin_values::{Fault, Str};
use pantin_world::environment::Environment;
use pantin_world::{Disk, LeafKind, glob_under};

use super::shown_path;
use crate::codebase::CodeBase;
use crate::loader::Loader;
use crate::node::hash_of_binding;

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

/// A binding of a file, and by what an answer knows that it was wanted.
#[derive(Clone, Debug)]
pub struct FileBinding {
    /// Its key, or what it contributes to.
    pub name: String,
    pub usage: pantin_hiera::KeyHash,
    pub file: PathBuf,
    pub line: Option<u32>,
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
    /// The folders of an environment.
    pub(crate) fn from_environment(environment: &Environment) -> BindingsFolders {
        BindingsFolders {
            confdir: environment.bindings.confdir.clone(),
            environment: environment.folder.clone(),
            own: environment.bindings.folder.clone(),
        }
    }

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
        let source = self.source(&file.path, LeafKind::Bindings)?;
        Ok(self.parse_definition(&source, shown, &file.uri, Some(&file.name)))
    }

    /// Parses a definition and takes it apart. `wanted`: the name that it must have.
    pub(super) fn parse_definition(
        &self,
        source: &Arc<Source>,
        shown: &Arc<str>,
        uri: &str,
        wanted: Option<&str>,
    ) -> ReadDefinition {
        let parsed = pantin_syntax::parse_bindings(source, self.syntax_settings());
        let problems = |found: &[pantin_base::Diagnostic]| -> Vec<Problem> {
            found.iter().map(|found| Problem::from_diagnostic(found, source, shown)).collect()
        };
        let misnamed = parsed.name.as_ref().zip(wanted).filter(|(name, wanted)| name.text != **wanted);
        let misnamed = misnamed.map(|(name, wanted)| {
            let message = format!("The file must define the bindings '{wanted}', and defines '{}'", name.text);
            let place =
                pantin_bindings::Place { shown: Arc::clone(shown), source: Some(Arc::clone(source)), span: name.span };
            let path = name.text.replace("::", "/");
            let help = format!("rename the definition, or move it to bindings/{path}.pp");
            Problem::new(rule::WRONG_FILE, message, place).with_help(Some(help))
        });
        let parsed_file = match parsed.result {
            Ok(parsed) => Arc::new(parsed),
            // The file has the wrong name whatever else is wrong in it.
            Err(found) => return Err(misnamed.into_iter().chain(problems(&found)).collect()),
        };
        let mut loader = Loader::new(self);
        let mut definition = Definition::from_file(uri, &parsed_file, source, shown, &mut loader);
        definition.problems.extend(problems(&parsed.warnings));
        definition.problems.splice(0..0, misnamed);
        let broken = definition.problems.iter().any(Problem::ends_the_making);
        match broken {
            true => Err(definition.problems.into()),
            false => Ok(Arc::new(definition)),
        }
    }

    /// Returns the files that a name, or a pattern, of one of the schemes of files finds; of a plain name also one that
    /// is not there.
    pub(crate) fn definition_files(&self, uri: &Uri, folders: &BindingsFolders) -> Result<Vec<DefinitionFile>, Fault> {
        let disk = self.modules.disk.for_bindings();
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
        // The environment's own `site.pp` holds its `site` statement, and is no definition.
        let is_site = |names: &[&str]| uri.scheme == "env" && *names == ["site"];
        if !uri.is_pattern() {
            let file = found(&uri.names());
            let is_there = !is_site(&uri.names()) && disk.exists(&file.path);
            return Ok(if is_there { vec![file] } else { Vec::new() });
        }
        let names = self.names_below(&folder)?;
        Ok(names
            .iter()
            .map(|names| names.split("::").collect::<Vec<_>>())
            .filter(|names| uri.matches(names) && !is_site(names))
            .map(|names| found(&names))
            .collect())
    }

    fn files_of_modules(&self, uri: &Uri) -> Result<Vec<DefinitionFile>, Fault> {
        let disk = self.modules.disk.for_bindings();
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

    /// Returns all files of bindings that a name could find.
    pub(crate) fn all_definition_files(&self, folders: &BindingsFolders) -> Result<Vec<DefinitionFile>, Fault> {
        let mut files = Vec::new();
        for pattern in ["confdir:/**", "env:/**", "module:/**"] {
            let Ok(uri) = Uri::parse(pattern) else { continue };
            files.extend(self.definition_files(&uri, folders)?);
        }
        Ok(files)
    }

    /// Returns what each binding of these files is wanted by; files that are broken have none.
    pub(crate) fn bindings_in_files(&self, folders: &BindingsFolders) -> Result<Vec<FileBinding>, Fault> {
        let mut found = Vec::new();
        for file in self.all_definition_files(folders)? {
            let Ok(definition) = self.definition(&file, folders)? else { continue };
            for entry in definition.entries.iter().filter(|entry| entry.waits_for_use()) {
                let name = entry.usage_name();
                let line = definition.place(entry.span).line_place().line();
                let usage = hash_of_binding(&name);
                found.push(FileBinding { name, usage, file: file.path.clone(), line });
            }
        }
        Ok(found)
    }

    /// The names of the definitions below a folder, in their order.
    fn names_below(&self, folder: &Path) -> Result<Vec<String>, Fault> {
        let disk = self.modules.disk.for_bindings();
        let found = glob_under(&disk, folder, "**/*.pp").map_err(Fault::new)?;
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

    /// Returns true if a definition is there that the default layers find. Where there is none, nothing is bound.
    pub(crate) fn has_default_bindings(&self, folders: &BindingsFolders) -> bool {
        let disk = self.modules.disk.for_bindings();
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
    })
}
