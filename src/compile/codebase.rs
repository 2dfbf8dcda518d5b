//! The code of an environment: every file parsed and checked once, for all nodes and threads.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::names::segments;
use pantin_base::{Diagnostic, LiteralPath, Location, Source, SourceError};
use pantin_bindings::SharedInjectors;
use pantin_eval::builtins::stdlib;
use pantin_eval::{Body, Builtins, Settings};
use pantin_hiera::{FileUse, Hiera};
use pantin_model::catalog::TagTables;
use pantin_model::trace::{Definition, FileKind, Log, RubyFile};
use pantin_ruby::{OwnRuby, Script};
use pantin_syntax::ast::{Ast, NodeId};
use pantin_syntax::{MessageLimits, SourceKind, unreadable_source};
use pantin_values::{Digester, Fault, Str, Value};
use pantin_world::load::{FunctionFile, Modules, Places, PluginFolders, PluginKind, TypeFile};
use pantin_world::location::Layout;
use pantin_world::{Disk, LeafKind, ReadError, clean_path, glob};

use super::alias_memo::AliasMemo;
use super::binding_code::BindingCode;
use super::bindings::{LayersKey, ReadDefinition};
use super::clock::BodyClock;
use super::code::CodeFile;
use super::memo::Memo;
use super::node::ResourceInterner;
use super::prefetch::Prefetcher;
use super::resource_types::ReadType;

/// One view of the code; clones share what was worked out.
#[derive(Clone)]
pub(super) struct CodeBase {
    pub(super) modules: Modules,
    /// What the environment's `manifest` is: code under it may define anything.
    pub(super) manifest: Option<Arc<Path>>,
    pub(super) settings: Settings,
    pub(super) tasks: bool,
    pub(super) builtins: &'static Builtins,
    /// Where the data is; without it no key has a value.
    pub(super) data: Option<pantin_hiera::Settings>,
    pub(super) hiera: Arc<Hiera>,
    pub(super) memos: Arc<Memos>,
    pub(super) names: Arc<Names>,
    /// What nodes had; without it each makes all of its resources.
    pub(super) alike: Option<Arc<ResourceInterner>>,
    pub(super) tags: Arc<TagTables>,
    pub(super) clock: Option<Arc<dyn BodyClock>>,
    /// What runs functions that want more than the small Ruby has.
    pub(super) own_ruby: Option<Arc<dyn OwnRuby>>,
    /// What Ruby code may read beside the environment.
    pub(super) ruby_reads: Arc<[PathBuf]>,
    /// Where somebody reads ahead.
    pub(super) ahead: Option<Arc<Prefetcher>>,
}

/// The native functions that stand in for what is in a file, if it is known.
pub(super) type KnownBy = Result<Option<&'static stdlib::Functions>, Fault>;

/// What was worked out, by paths and names.
#[derive(Default)]
pub(super) struct Memos {
    manifests: Memo<LiteralPath<PathBuf>, ParseResult>,
    templates: Memo<LiteralPath<PathBuf>, Result<Option<Definition>, Arc<ParseFailure>>>,
    ruby: Memo<(RubyFile, LiteralPath<PathBuf>), Result<Definition, Fault>>,
    /// Functions in Ruby by name and file: what such a file declares is learned once.
    pub(super) ruby_functions: Memo<(Str, LiteralPath<PathBuf>), Result<Definition, Fault>>,
    /// Of files of the module stdlib: which native functions stand in for what is in them.
    pub(super) stand_ins: Memo<(Str, LiteralPath<PathBuf>), KnownBy>,
    pub(super) aliases: AliasMemo,
    /// Definitions of bindings, by their files and the names by which they are found.
    pub(super) bindings: Memo<(LiteralPath<PathBuf>, Str), Result<ReadDefinition, Fault>>,
    /// Types of resources, as modules declare them in Ruby, by name and by what Ruby code may read: each list of modules has
    /// its own.
    pub(super) types: Memo<(Str, Arc<[PathBuf]>), Arc<ReadType>>,
}

/// What names mean as long as there are these modules, and no others.
#[derive(Default)]
pub(super) struct Names {
    /// Where functions and types are defined: for one of them, all modules are looked through.
    pub(super) functions: Memo<Str, Arc<[(String, FunctionFile)]>>,
    pub(super) types: Memo<Str, Option<TypeFile>>,
    with_functions: Memo<(), Places>,
    plugin_folders: Memo<PluginKind, PluginFolders>,
    /// Where files of modules are, as code names them.
    files: Memo<(FileKind, Str), Option<Arc<Path>>>,
    /// Whether a default layer finds bindings.
    pub(super) default_bindings: Memo<(), bool>,
    /// Injectors of layers of files. `None`: something is wrong with the layers.
    pub(super) injectors: Memo<LayersKey, Result<Option<Arc<SharedInjectors>>, Fault>>,
    /// Code of bindings and of site statements.
    pub(super) binding_code: BindingCode,
    /// The manifests that a class or a defined type of this name may stand in.
    homes: Memo<Str, Arc<[PathBuf]>>,
}

/// A file that could not be parsed is an answer too.
type ParseResult = Result<Arc<CodeFile>, Arc<ParseFailure>>;

#[derive(Debug)]
pub(super) struct ParseFailure {
    pub(super) log: Vec<Log>,
    pub(super) fault: Fault,
}

impl CodeBase {
    pub(super) fn new(
        modules: Modules,
        manifest: Option<&Path>,
        settings: Settings,
        tasks: bool,
        builtins: &'static Builtins,
    ) -> CodeBase {
        CodeBase {
            modules,
            manifest: manifest.map(Arc::from),
            settings,
            tasks,
            builtins,
            data: None,
            hiera: Arc::default(),
            memos: Arc::default(),
            names: Arc::default(),
            alike: Some(Arc::default()),
            tags: Arc::default(),
            clock: None,
            own_ruby: None,
            ruby_reads: Arc::default(),
            ahead: None,
        }
    }

    /// The same code, for a request or an answer that is to know what it depends on.
    pub(super) fn with_own_reads(&self) -> CodeBase {
        CodeBase { modules: self.modules.with_own_reads(), ..self.clone() }
    }

    // ---- data ----

    pub(super) fn read_data(&self, file_use: FileUse, path: &Path) -> Result<Option<Arc<[u8]>>, Fault> {
        let kind = match file_use {
            FileUse::Whole => LeafKind::Content,
            FileUse::Keys => LeafKind::Data,
            FileUse::Decryption => LeafKind::Key,
        };
        self.modules.text(kind, &clean_path(path))
    }

    pub(super) fn has_data(&self, path: &Path) -> bool {
        self.modules.disk.exists(&clean_path(path))
    }

    /// Returns those that a pattern fits.
    pub(super) fn files_of_data(&self, pattern: &str) -> Result<Vec<PathBuf>, Fault> {
        let disk = &self.modules.disk;
        let found = glob(disk, pattern).map_err(Fault::new)?;
        Ok(found.into_iter().filter(|path| !disk.is_folder(path)).collect())
    }

    pub(super) fn module_with_data(&self, name: &str) -> Option<pantin_hiera::Module> {
        let module = self.modules.named(name)?;
        let data_provider = module.metadata.as_ref().and_then(|metadata| metadata.data_provider.as_deref());
        Some(pantin_hiera::Module { path: module.folder.clone(), data_provider: data_provider.map(Str::from) })
    }

    // ---- code ----

    /// Returns an expression of a file of bindings, or of a `site` statement, lowered once for all nodes.
    pub(super) fn binding_code<F: Send + Sync + 'static>(
        &self,
        file: &Arc<F>,
        ast: &Ast,
        node: NodeId,
        name: &str,
    ) -> Arc<Body> {
        self.names.binding_code.get(file, node, || pantin_eval::expression_body(ast, node, name, self.builtins))
    }

    pub(super) fn syntax_settings(&self) -> pantin_syntax::Settings {
        let Settings { language, strict, .. } = self.settings;
        pantin_syntax::Settings { strict, tasks: self.tasks, ..pantin_syntax::Settings::from_language(language) }
    }

    /// Returns a manifest by its path; `module` is the one it stands in.
    pub(super) fn manifest(&self, path: &Path, module: &Str) -> ParseResult {
        self.memos.manifests.get(self, LiteralPath(path.to_owned()), |base| {
            base.time_parse(path, || base.parse_manifest(path, module)).map(Arc::new).map_err(Arc::new)
        })
    }

    /// Of the manifests that may define what is called so, those that are there: the one of the whole module, then the one
    /// of this name.
    pub(super) fn homes(&self, name: &str) -> Arc<[PathBuf]> {
        self.names.homes.get(self, name.into(), |base| {
            let mut parts = segments(name);
            let Some(folder) = parts.next().and_then(|module| base.modules.folder(module)) else {
                return Arc::default();
            };
            let manifests = folder.join("manifests");
            let whole = manifests.join("init.pp");
            let mut own = manifests;
            own.extend(parts);
            own.set_extension("pp");
            let disk = &base.modules.disk;
            // What is looked for by its name has to be a file; the one of the whole module need not be.
            let is_file = own != whole && name.contains("::") && disk.exists(&own) && !disk.is_folder(&own);
            let whole = disk.exists(&whole).then_some(whole);
            whole.into_iter().chain(is_file.then_some(own)).collect()
        })
    }

    /// Returns the modules that have functions in Ruby.
    pub(super) fn modules_with_functions(&self) -> Places {
        self.names.with_functions.get(self, (), |base| base.modules.with_functions())
    }

    pub(super) fn folders_with(&self, kind: PluginKind) -> PluginFolders {
        self.names.plugin_folders.get(self, kind, |base| base.modules.folders_with(kind))
    }

    /// Where a file of a module is, if it is there.
    pub(super) fn file(&self, kind: FileKind, name: &Str) -> Option<Arc<Path>> {
        self.names.files.get(self, (kind, name.clone()), |base| {
            let modules = &base.modules;
            let found = match kind {
                FileKind::File => modules.file_in("files", name),
                FileKind::Template => modules.file_in("templates", name),
                FileKind::Module => modules.folder(name).map(Path::to_owned),
                FileKind::OlderFunction => modules.plugin_file(name, &base.folders_with(PluginKind::OlderFunctions)),
                FileKind::Folder => Some(PathBuf::from(name.as_str())).filter(|path| modules.disk.is_folder(path)),
            };
            found.map(Arc::from)
        })
    }

    fn parse_manifest(&self, path: &Path, module: &Str) -> Result<CodeFile, ParseFailure> {
        let manifest = self.manifest.as_deref().map(Path::to_owned);
        let layout = Layout { manifest, modulepath: self.modules.modulepath.to_vec() };
        let location = layout.location(path);
        let source = self.source(path, LeafKind::Code).map_err(|fault| ParseFailure { log: Vec::new(), fault })?;
        let name = source.name().unwrap_or_default().to_owned();
        let read = Arc::clone(&source);
        let outcome = pantin_syntax::check(
            source,
            SourceKind::Manifest,
            &location,
            self.syntax_settings(),
            MessageLimits::default(),
        );
        let log: Vec<Log> = outcome.log.iter().map(|line| Log::from_diagnostic(line, &name)).collect();
        match (outcome.error, outcome.ast) {
            (Some(error), _) if error.code == pantin_syntax::GIVING_UP => {
                Err(ParseFailure { log, fault: Fault::logged(error.message) })
            }
            (Some(error), _) => {
                let fault = Fault::located(error.one_line(Some(&name))).seen_in(Some(read), error);
                Err(ParseFailure { log, fault })
            }
            (None, Some(ast)) => {
                let key = format!("main {name}");
                let home = self.modules.module_of_file(path).into();
                Ok(CodeFile::new(Arc::new(ast), SourceKind::Manifest, &key, [module, &home], log, self.builtins))
            }
            (None, None) => Err(ParseFailure { log, fault: Fault::new(format!("{name} could not be parsed")) }),
        }
    }

    /// Returns a template by its path; `None` where there is no such file.
    pub(super) fn template(&self, path: &Path) -> Result<Option<Definition>, Arc<ParseFailure>> {
        self.memos.templates.get_for_modules(self, LiteralPath(path.to_owned()), |base| {
            base.time_parse(path, || base.parse_template(path)).map_err(Arc::new)
        })
    }

    fn parse_template(&self, path: &Path) -> Result<Option<Definition>, ParseFailure> {
        let source = self.source(path, LeafKind::Text).map_err(|fault| ParseFailure { log: Vec::new(), fault })?;
        let name = source.name().unwrap_or_default().to_owned();
        let read = Arc::clone(&source);
        let settings = self.syntax_settings();
        let outcome =
            pantin_syntax::check(source, SourceKind::Template, &Location::Anywhere, settings, MessageLimits::default());
        let log: Vec<Log> = outcome.log.iter().map(|line| Log::from_diagnostic(line, &name)).collect();
        let ast = match (outcome.error, outcome.ast) {
            // Whoever renders a template says which one it was.
            (Some(error), _) => {
                let fault = Fault::located(error.one_line(Some(&name))).seen_in(Some(read), error);
                return Err(ParseFailure { log, fault });
            }
            (None, Some(ast)) => ast,
            (None, None) => return Ok(None),
        };
        let module = self.modules.module_of_file(path).into();
        let body = pantin_eval::template_body(&ast, &name, self.builtins).with_module(&module).warning(log);
        Ok(Some(Definition { digest: body.digest, code: Arc::new(body) }))
    }

    /// Returns the files and folders that match absolute patterns.
    pub(super) fn glob(&self, patterns: &[Str]) -> Result<Value, Fault> {
        let mut paths = Vec::new();
        for pattern in patterns {
            paths.extend(glob(&self.modules.disk, pattern).map_err(Fault::new)?);
        }
        Ok(Value::array(paths.iter().map(|path| path.display().to_string().into())))
    }

    /// Returns a file of Ruby by its name, parsed once; `None` where there is none.
    pub(super) fn ruby(&self, file: RubyFile, name: &str) -> Result<Option<Definition>, Fault> {
        let path = match file {
            RubyFile::Template => self.file(FileKind::Template, &name.into()),
            RubyFile::Library => self.modules.library_file(name).map(Arc::from),
        };
        path.map(|path| self.script(file, &path)).transpose()
    }

    /// The same by its path.
    pub(super) fn script(&self, file: RubyFile, path: &Path) -> Result<Definition, Fault> {
        self.memos.ruby.get(self, (file, LiteralPath(path.to_owned())), |base| {
            base.time_parse(path, || base.parse_ruby(file, path))
        })
    }

    fn parse_ruby(&self, file: RubyFile, path: &Path) -> Result<Definition, Fault> {
        let kind = match file {
            RubyFile::Template => LeafKind::Text,
            RubyFile::Library => LeafKind::Content,
        };
        let source = self.source(path, kind)?;
        let name = source.name().unwrap_or_default();
        let script = match file {
            RubyFile::Template => pantin_ruby::template(&source),
            RubyFile::Library => Script::parse(name, source.text()).map(Arc::new),
        };
        let script = script.map_err(|error| {
            let fault = Fault::new(error.to_string());
            match Diagnostic::in_source(&source, error.line_to_show(), None, &error.message) {
                Some(diagnostic) => {
                    let label = error.unclosed.map(|_| "this is never closed".to_owned());
                    fault.seen_in(Some(Arc::clone(&source)), Diagnostic { label, ..diagnostic })
                }
                None => fault,
            }
        })?;
        let digest = Digester::new(b"ruby").text(name).text(source.text()).finish();
        Ok(Definition { digest, code: script })
    }

    /// Tells whoever wants to know how long a file took.
    fn time_parse<T>(&self, path: &Path, parse: impl FnOnce() -> T) -> T {
        let Some(clock) = &self.clock else { return parse() };
        let begun = clock.now();
        let parsed = parse();
        clock.record_parse(&path.display().to_string(), begun);
        parsed
    }

    pub(super) fn source(&self, path: &Path, kind: LeafKind) -> Result<Arc<Source>, Fault> {
        let name = path.display().to_string();
        if self.modules.disk.is_folder(path) {
            return Err(Fault::new(ReadError::Folder.in_ruby(path)));
        }
        let bytes = self.modules.text(kind, path)?.ok_or_else(|| Fault::new(ReadError::Missing.in_ruby(path)))?;
        Source::from_bytes(Some(&name), bytes.to_vec()).map(Arc::new).map_err(|error| match error {
            SourceError::NotUtf8 { .. } => Fault::new("invalid byte sequence in UTF-8"),
            error => Fault::new(unreadable_source(error).message),
        })
    }
}

impl std::fmt::Debug for CodeBase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CodeBase").field("modules", &self.modules).finish_non_exhaustive()
    }
}
