//! The host of one program: answers from the program, the facts and the modules; the log as the one thing that
//! changes.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::definitions::KnownFiles;
use super::file::Wanted;
use super::program::{Program, Request};
use super::scope::{TopScope, answer};
use super::session::Session;
use super::types::Aliases;
use crate::base::{Source, nearest};
use crate::eval::{self, Body, Builtins};
use crate::pcore::{Binary, Fault, Str, Type, Value, types};
use crate::syntax::ast::{Ast, DefinitionKind, Node, NodeId};
use crate::syntax::{self, Kind, Location, MessageLimits};
use crate::trace::{Answer, At, Definition, Effect, Failure, FileKind, Host, Log, NameKind, Outcome, Question, Shape};
use crate::world::ReadError;
use crate::world::location::Layout;

pub(super) struct ProgramHost<'p> {
    pub(super) request: &'p Request,
    pub(super) program: &'p Program,
    pub(super) builtins: &'static Builtins,
    pub(super) session: &'p Session,
    scope: TopScope,
    /// What the program itself has assigned, in order.
    pub(super) assigned: Vec<(Str, Value)>,
    pub(super) log: Vec<Log>,
    logged: FxHashSet<Str>,
    functions: FxHashMap<Str, Option<Definition>>,
    pub(super) aliases: Aliases,
    pub(super) known_files: KnownFiles,
    /// Of the main class and of the catalog.
    tags: FxHashSet<Str>,
}

impl<'p> ProgramHost<'p> {
    pub(super) fn new(
        request: &'p Request,
        program: &'p Program,
        session: &'p Session,
        builtins: &'static Builtins,
    ) -> ProgramHost<'p> {
        let mut scope = TopScope::new(request);
        for (name, value) in &session.variables {
            scope.set(name.clone(), value.clone());
        }
        ProgramHost {
            request,
            program,
            builtins,
            session,
            scope,
            assigned: Vec::new(),
            log: Vec::new(),
            logged: FxHashSet::default(),
            functions: FxHashMap::default(),
            aliases: Aliases::default(),
            known_files: KnownFiles::default(),
            tags: ["class", "settings"].map(Str::from).into_iter().collect(),
        }
    }

    /// This one, then those before it, the latest first.
    pub(super) fn programs(&self) -> impl Iterator<Item = &'p Program> + use<'p> {
        std::iter::once(self.program).chain(self.session.programs.iter().rev())
    }

    /// A name that the program could have used, as help; functions of modules are found by name alone.
    fn similar(&self, kind: NameKind, name: &str) -> Answer {
        let found = match kind {
            NameKind::Variable => nearest(name, self.scope.names()),
            NameKind::Function => {
                let own = self.programs().flat_map(|program| &program.functions).map(|(name, _)| name.as_str());
                nearest(name, self.builtins.all().iter().map(|known| known.declared.name).chain(own))
            }
            NameKind::Type => {
                let own = self.programs().flat_map(|program| &program.aliases).map(|(name, _)| name.as_str());
                nearest(name, types::DOCS.iter().map(|doc| doc.name).chain(own))
            }
        };
        found.map_or(Answer::Absent, |similar| Answer::Value(similar.into()))
    }

    // ---- definitions ----

    fn function(&mut self, name: &Str) -> Result<Option<Definition>, Fault> {
        if let Some(known) = self.functions.get(name) {
            return Ok(known.clone());
        }
        let found = match self.programs().find_map(|program| program.function(name)) {
            Some((ast, id)) => self.lower(ast, id),
            None => self.function_of_module(name)?,
        };
        self.functions.insert(name.clone(), found.clone());
        Ok(found)
    }

    fn lower(&self, ast: &Ast, id: NodeId) -> Option<Definition> {
        let body = eval::definition_body(ast, id, self.builtins)?;
        Some(Definition { digest: body.digest, code: Arc::new(body) })
    }

    fn function_of_module(&mut self, name: &str) -> Result<Option<Definition>, Fault> {
        let Some(path) = self.request.modules.function_file(name) else { return Ok(None) };
        let ast = self.parse_file(&path, Kind::Manifest)?;
        let wanted = Wanted { what: "function", name, none: "no function found", path: &path };
        let id = wanted.only_definition(&ast, |node| match node {
            Node::Definition(definition) => {
                let definition = ast.definition(definition);
                (definition.kind == DefinitionKind::Function).then(|| ast.text(definition.name).to_owned())
            }
            _ => None,
        })?;
        Ok(self.lower(&ast, id))
    }

    /// A file of a module, parsed and checked.
    pub(super) fn parse_file(&mut self, path: &Path, kind: Kind) -> Result<Arc<Ast>, Fault> {
        let (ast, warnings) = self.checked_file(path, kind)?;
        self.log.extend(warnings);
        Ok(ast)
    }

    /// The same with its warnings. What is wrong with it is the error of whoever asked for it.
    fn checked_file(&mut self, path: &Path, kind: Kind) -> Result<(Arc<Ast>, Vec<Log>), Fault> {
        let bytes = self.read(path)?.ok_or_else(|| Fault::new(format!("No such file: {}", path.display())))?;
        let name = path.display().to_string();
        let source =
            Source::from_bytes(Some(&name), bytes).map_err(|_| Fault::new(format!("{name} is not text in UTF-8")))?;
        let settings = syntax::Settings {
            language: self.request.settings.language,
            strict: self.request.settings.strict,
            tasks: self.request.tasks,
        };
        let layout = Layout { manifest: None, modulepath: self.request.modules.modulepath.clone() };
        let location = if kind == Kind::Manifest { layout.location(path) } else { Location::Anywhere };
        let outcome = syntax::check(Arc::new(source), kind, &location, settings, MessageLimits::default());
        let log: Vec<Log> = outcome.log.iter().map(|line| Log::of_diagnostic(line, &name)).collect();
        match (outcome.error, outcome.ast) {
            // Whoever renders a template says which one it was.
            (Some(error), _) if error.code == syntax::GIVING_UP && kind == Kind::Manifest => {
                self.log.extend(log);
                Err(Fault::located(error.message, true))
            }
            (Some(error), _) => {
                self.log.extend(log);
                let place = error.place.suffix(Some(&name));
                Err(Fault::located(format!("{}{place}", error.message), false))
            }
            (None, Some(ast)) => Ok((Arc::new(ast), log)),
            (None, None) => Err(Fault::new(format!("{name} could not be parsed"))),
        }
    }

    pub(super) fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, Fault> {
        self.request.modules.read(path).map_err(|error: ReadError| Fault::new(format!("{}: {error}", path.display())))
    }

    fn template(&mut self, name: &str) -> Result<Option<Definition>, Fault> {
        let Some(path) = self.request.modules.file_in("templates", name) else { return Ok(None) };
        let (ast, warnings) = self.checked_file(&path, Kind::Template)?;
        let body: Body = eval::template_body(&ast, &path.display().to_string(), self.builtins).warning(warnings);
        Ok(Some(Definition { digest: body.digest, code: Arc::new(body) }))
    }

    fn find_file(&self, kind: FileKind, name: &str) -> Answer {
        let found = match kind {
            FileKind::File => self.request.modules.file_in("files", name),
            FileKind::Template => self.request.modules.file_in("templates", name),
            FileKind::Module => self.request.modules.folder(name),
        };
        found.map_or(Answer::Absent, |path| Answer::Value(path.display().to_string().into()))
    }

    fn content(&self, path: &str) -> Answer {
        match self.read(Path::new(path)) {
            Ok(Some(bytes)) => Answer::Value(Value::Binary(Binary::new(bytes))),
            Ok(None) => Answer::Absent,
            Err(fault) => Answer::Fault(fault),
        }
    }

    fn setting(&self, name: &str) -> Answer {
        match name {
            "environment" => Answer::Value(self.request.environment.as_str().into()),
            "certname" => Answer::Value(self.request.node.as_str().into()),
            "tasks" => Answer::Value(self.request.tasks.into()),
            _ => Answer::Absent,
        }
    }

    fn tag(&mut self, tags: &[Str]) -> Outcome {
        for tag in tags {
            // The parts of a qualified name are tags too.
            self.tags.extend(tag.split("::").map(Str::from));
            self.tags.insert(tag.clone());
        }
        Outcome::Done
    }

    fn include(&mut self, classes: &[Str], at: &At) -> Outcome {
        for class in classes {
            let problem = match self.is_class(class) {
                Ok(true) => continue,
                Ok(false) => Fault::new(format!("Could not find class ::{class} for {}", self.request.node)),
                Err(fault) => fault,
            };
            return Outcome::Failed(Box::new(failure(problem)));
        }
        refused("A class", Some(at))
    }
}

fn or_absent(found: Result<Option<Definition>, Fault>) -> Answer {
    match found {
        Ok(Some(definition)) => Answer::Definition(definition),
        Ok(None) => Answer::Absent,
        Err(fault) => Answer::Fault(fault),
    }
}

impl Host for ProgramHost<'_> {
    fn ask(&mut self, question: &Question) -> Answer {
        match question {
            Question::Variable(name) => answer(self.scope.get(name)),
            Question::Part { variable, path } => answer(self.scope.part(variable, path)),
            Question::Whole { variable, path } => match self.scope.part(variable, path) {
                Some(value) => Answer::Value(value.clone()),
                None => Answer::Absent,
            },
            Question::Function(name) => or_absent(self.function(name)),
            Question::Type(name) => self.type_named(name),
            Question::Template(name) => or_absent(self.template(name)),
            Question::FindFile { kind, name } => self.find_file(*kind, name),
            Question::Content(path) => self.content(path),
            Question::Setting(name) => self.setting(name),
            Question::Defined(what) => match self.is_defined(what) {
                Ok(found) => Answer::Value(Value::Boolean(found)),
                Err(fault) => Answer::Fault(fault),
            },
            Question::Tagged(tags) => Answer::Value(Value::Boolean(tags.iter().all(|tag| self.tags.contains(tag)))),
            Question::Lookup(_) | Question::Frame(_) => Answer::Absent,
            Question::ResourceParameter { reference, .. } => {
                Answer::Fault(Fault::issue("UNKNOWN_RESOURCE", not_found(reference)))
            }
            Question::Generate(_) => Answer::Fault(Fault::new("Commands are not run here")),
            Question::Similar { kind, name } => self.similar(*kind, name),
            Question::Now => Answer::Value(Value::Timestamp(self.request.now)),
        }
    }

    fn apply(&mut self, effect: &Effect) -> Outcome {
        match effect {
            Effect::Log(log) => {
                if log.once.as_ref().is_none_or(|key| self.logged.insert(key.clone())) {
                    self.log.push(log.clone());
                }
                Outcome::Done
            }
            Effect::Export { name, value } => {
                self.scope.set(name.clone(), value.clone());
                self.assigned.push((name.clone(), value.clone()));
                Outcome::Done
            }
            Effect::ExportPart { name, variable, path } => {
                let value = self.scope.part(variable, path).cloned().unwrap_or_default();
                self.scope.set(name.clone(), value.clone());
                self.assigned.push((name.clone(), value));
                Outcome::Done
            }
            Effect::Declare(declaration) => refused("A resource", Some(&declaration.at)),
            Effect::Defaults { at, .. } => refused("A resource default", Some(at)),
            Effect::Override { at, .. } => refused("A resource override", Some(at)),
            Effect::Relate { at, .. } => refused("A relationship", Some(at)),
            Effect::Collect { at, .. } => refused("A collector", Some(at)),
            Effect::Include { classes, at, .. } => self.include(classes, at),
            Effect::Realize { at, .. } => refused("A realization", Some(at)),
            Effect::Tag(tags) => self.tag(tags),
        }
    }
}

/// Without a place: it is the error of the expression that wanted the effect.
fn failure(fault: Fault) -> Failure {
    Failure::of(fault, Shape::Evaluation, None)
}

fn not_found(reference: &Type) -> String {
    match reference {
        Type::Class(Some(name)) => format!("Resource not found: Class['{name}']"),
        other => format!("Resource not found: {other}"),
    }
}

/// There is no catalog to put it in.
fn refused(what: &str, at: Option<&At>) -> Outcome {
    let fault = Fault::issue("NOT_SUPPORTED", format!("{what} needs a catalog, which is not supported yet"));
    Outcome::Failed(Box::new(Failure::of(fault, Shape::Evaluation, at.cloned())))
}
