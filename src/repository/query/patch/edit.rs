//! The analysis of an edit by its text alone: moved lines, changed bodies, changed keys of data.

use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem::Finder;
use pantin_base::MovedLines;
use pantin_base::names::split_last;
use pantin_compile::{BindingObservations, Recaller, RereadBindings, Table, changed_bindings, file_hash};
use pantin_hiera::{KeyHash, changed_keys, hash_of_key};
use pantin_model::trace::{Answer, Question};
use pantin_syntax::ast::{Ast, Definition, DefinitionKind, Node};
use pantin_syntax::{ParsedManifest, definition_hash};
use pantin_values::{Digest, Str};
use pantin_world::{Leaf, LeafId, LeafKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::PatchRefusal;
use super::last_answer::LastAnswer;
use super::rebinding::Rebinding;
use super::resource_rewrites::Lengths;
use crate::query::ReadyEnvironment;

/// A leaf with a changed answer.
#[derive(Clone, Debug)]
pub struct EditedLeaf {
    pub(crate) id: LeafId,
    pub leaf: Leaf,
    /// The digests of the old and the new answer.
    pub(in crate::query) digests: (Digest, Digest),
    /// The old and the new content of the file.
    pub(in crate::query) before: Option<Arc<[u8]>>,
    pub(in crate::query) now: Option<Arc<[u8]>>,
}

impl EditedLeaf {
    /// True for a manifest whose code only moved to other lines.
    pub fn moves_lines_alone(&self) -> bool {
        self.manifests().is_some_and(|(before, now)| before.means_same(&now))
    }

    /// Returns what a file of bindings binds otherwise than before: keys, ids and targets of parameters.
    pub fn changed_bindings(&self) -> Vec<String> {
        match (&self.leaf.kind, &self.before, &self.now) {
            (LeafKind::Bindings, Some(before), Some(now)) => changed_bindings(&self.leaf.path, before, now),
            _ => Vec::new(),
        }
    }

    /// This edit and a later one of the same leaf, as one.
    pub(in crate::query) fn followed_by(self, later: &EditedLeaf) -> EditedLeaf {
        EditedLeaf { digests: (self.digests.0, later.digests.1), now: later.now.clone(), ..self }
    }

    /// Returns true if the answer is another one than before.
    pub(in crate::query) fn is_edited(&self) -> bool {
        self.digests.0 != self.digests.1
    }

    fn manifests(&self) -> Option<(ParsedManifest, ParsedManifest)> {
        let Leaf { kind, path } = &self.leaf;
        let is_manifest = kind.is_text() && path.extension() == Some("pp".as_ref());
        let (before, now) = self.before.as_ref().zip(self.now.as_ref()).filter(|_| is_manifest)?;
        Some((ParsedManifest::from_text(before)?, ParsedManifest::from_text(now)?))
    }

    /// Where the lines of the manifest are, if it means what it meant; or else its classes and defined types, if it has
    /// the same ones as before, and beside them nothing but functions, and none of them is called or inherits otherwise: then
    /// only what their bodies do can be new, and what the functions are.
    fn harmless(&self) -> Result<EditEffect, PatchRefusal> {
        match self.leaf.kind {
            LeafKind::Data => {
                let (before, now) = self.before.as_ref().zip(self.now.as_ref()).ok_or(PatchRefusal::OtherFile)?;
                let keys = changed_keys(&self.leaf.path, before, now).ok_or(PatchRefusal::OtherData)?;
                return Ok(EditEffect::Data(keys));
            }
            LeafKind::Bindings if self.before.is_some() && self.now.is_some() => return Ok(EditEffect::Bindings),
            LeafKind::Bindings | LeafKind::BindingsFile | LeafKind::BindingsList => {
                return Ok(EditEffect::BindingFiles);
            }
            // Whoever is told the text of a manifest is told its comments too.
            LeafKind::Text if self.before.is_some() && self.now.is_some() => return Ok(EditEffect::Text),
            LeafKind::Code if self.before.is_some() && self.now.is_some() => {}
            _ => return Err(PatchRefusal::OtherFile),
        }
        let (before, now) = self.manifests().ok_or(PatchRefusal::OtherDefinitions)?;
        if let Some(lines) = before.form().moved_to(&now.form()) {
            return Ok(EditEffect::Moved(lines));
        }
        // What parsing says stands in the log of each node that loads the file.
        if !before.has_same_log(&now) {
            return Err(PatchRefusal::OtherDefinitions);
        }
        let heads = heads(&before.ast).ok_or(PatchRefusal::OtherDefinitions)?;
        let (functions, others): (Vec<&Head>, Vec<&Head>) =
            heads.iter().partition(|head| head.kind == DefinitionKind::Function);
        let names = others.into_iter().map(|head| head.name.clone()).collect();
        let bodies = EditEffect::Bodies { names, has_functions: !functions.is_empty() };
        if Some(&heads) == self::heads(&now.ast).as_ref() { Ok(bodies) } else { Err(PatchRefusal::OtherDefinitions) }
    }
}

/// The effect of an edit that can be patched.
enum EditEffect {
    Moved(MovedLines),
    Bodies {
        names: Vec<Str>,
        has_functions: bool,
    },
    /// A data file in which the values of these keys changed.
    Data(Vec<Str>),
    /// A file of bindings.
    Bindings,
    /// Files of bindings come or go.
    BindingFiles,
    /// A file that code reads as text.
    Text,
}

/// An edit that can be patched: it changes nothing but lines, bodies of classes and defined types, values of data, and files
/// that code reads as text.
#[derive(Default)]
pub(super) struct Edit {
    /// The names of the classes and defined types whose bodies changed.
    pub(super) names: FxHashSet<Str>,
    /// The hashes of the changed data keys.
    pub(super) keys: FxHashSet<KeyHash>,
    /// The classes whose parameters these keys name.
    pub(super) owners: FxHashSet<Str>,
    /// The files that code reads as text, and those that define functions, as hashed by [`file_hash`].
    pub(super) read_files: FxHashSet<u32>,
    /// Files of bindings were edited.
    pub(super) has_bindings: bool,
    /// By what it is known that files of bindings come or go.
    pub(super) binding_files: Vec<LeafId>,
    /// The contents of data files, for whoever depends on more than the keys that were looked up: a node that failed because it
    /// did not find one, or that reads data in a way of its own.
    pub(super) whole_files: Vec<LeafId>,
    /// One finder for each edited file: searches a text for its path.
    paths: Vec<Finder<'static>>,
    /// The files that contain changed bodies.
    files: FxHashSet<Str>,
    /// The files whose code only moved to other lines.
    moved: FxHashMap<Str, MovedLines>,
    /// The lengths of the names of both.
    lengths: Lengths,
    /// The current code and answers of each environment, computed on demand.
    current: Mutex<Vec<CurrentCode>>,
}

/// What an edit did to one file.
#[derive(Clone, Copy)]
pub(super) enum FileEdit<'e> {
    Nothing,
    /// Its code only moved to other lines.
    Moved(&'e MovedLines),
    /// Bodies in it changed.
    Bodies,
}

struct CurrentCode {
    environment: Arc<ReadyEnvironment>,
    /// The code of classes and defined types: by whether it is a class, and by name; `None`: there is none.
    recallers: FxHashMap<(bool, Str), Option<Arc<Recaller>>>,
    /// Current answers from files; `None`: the question needs more than files.
    answers: FxHashMap<Question, Option<Answer>>,
    /// By the address of the table of before, which is kept alive: the injectors of today; `None`: something is wrong with them.
    injectors: FxHashMap<usize, (Arc<Table>, Option<Arc<RereadBindings>>)>,
    /// By the addresses of an injector of before and of one of today.
    rebindings: FxHashMap<(usize, usize), Arc<Rebinding>>,
    class_parameters: FxHashMap<(Str, Str), bool>,
}

impl Edit {
    pub(super) fn new(edited: &[EditedLeaf]) -> Result<Edit, PatchRefusal> {
        let mut edit = Edit::default();
        let is_by_part = |kind| matches!(kind, LeafKind::Data | LeafKind::Bindings);
        let is_data = |path| edited.iter().any(|one| is_by_part(one.leaf.kind) && one.leaf.path == path);
        for one in edited {
            if one.leaf.kind == LeafKind::Content && is_data(one.leaf.path.clone()) {
                edit.whole_files.push(one.id);
                continue;
            }
            // What is not UTF-8 cannot be found in a text.
            let file = Str::from(one.leaf.path.to_str().ok_or(PatchRefusal::OtherFile)?);
            edit.paths.push(Finder::new(file.as_bytes()).into_owned());
            match one.harmless()? {
                EditEffect::Moved(lines) => {
                    edit.lengths.add(&file);
                    edit.moved.insert(file, lines);
                }
                EditEffect::Bodies { names, has_functions } => {
                    edit.names.extend(names);
                    edit.read_files.extend(has_functions.then(|| file_hash(&one.leaf.path)));
                    edit.lengths.add(&file);
                    edit.files.insert(file);
                }
                EditEffect::Data(keys) => {
                    edit.owners.extend(keys.iter().filter_map(|key| Some(Str::from(split_last(key)?.0))));
                    edit.keys.extend(keys.iter().map(|key| hash_of_key(key)));
                }
                EditEffect::Bindings => edit.has_bindings = true,
                EditEffect::BindingFiles => {
                    edit.has_bindings = true;
                    edit.binding_files.push(one.id);
                }
                EditEffect::Text => drop(edit.read_files.insert(file_hash(&one.leaf.path))),
            }
        }
        Ok(edit)
    }

    /// Returns the code of a class or a defined type as an environment has it.
    pub(super) fn recaller(&self, ready: &Arc<ReadyEnvironment>, name: &Str, is_class: bool) -> Option<Arc<Recaller>> {
        self.today(ready, |today| {
            let found = today.recallers.entry((is_class, name.clone()));
            found.or_insert_with(|| ready.site.recaller(name, is_class).map(Arc::new)).clone()
        })
    }

    /// Returns the current answer to a question of code in an environment.
    pub(super) fn current_answer(&self, ready: &Arc<ReadyEnvironment>, question: &Question) -> Option<Answer> {
        self.today(ready, |today| {
            if let Some(known) = today.answers.get(question) {
                return known.clone();
            }
            let answer = ready.site.current_answer(question);
            today.answers.insert(question.clone(), answer.clone());
            answer
        })
    }

    /// Returns what the edit changes of the bindings of a node; `None`: none of them was edited.
    pub(super) fn rebinding(
        &self,
        last: &LastAnswer,
        of: &BindingObservations,
    ) -> Result<Option<Arc<Rebinding>>, PatchRefusal> {
        if !self.has_bindings {
            return Ok(None);
        }
        if of.reads.has_problems {
            return Err(PatchRefusal::BindingProblems);
        }
        let ready = &last.basis.ready;
        self.today(ready, |today| {
            let table = &of.injector.table;
            let injectors = today.injectors.entry(Arc::as_ptr(table) as usize).or_insert_with(|| {
                let environment = &last.basis.prepared.without_facts().environment;
                let reread = ready.site.reread_bindings(of, environment);
                (Arc::clone(table), reread.map(Arc::new))
            });
            let reread = injectors.1.as_ref().ok_or(PatchRefusal::BindingProblems)?;
            let now =
                ready.site.injector_of_state(&reread.injectors, &of.state).ok_or(PatchRefusal::BindingProblems)?;
            if now.replaces_types() {
                return Err(PatchRefusal::BindingReplacements);
            }
            let key = (Arc::as_ptr(&of.injector) as usize, Arc::as_ptr(&now) as usize);
            let known = today.rebindings.entry(key);
            let rebinding = || Arc::new(Rebinding::new(&of.injector, &now).read_from(&reread.dependencies));
            Ok(Some(Arc::clone(known.or_insert_with(rebinding))))
        })
    }

    /// Returns true if a class of this name has a parameter of this name.
    pub(super) fn has_class_parameter(&self, ready: &Arc<ReadyEnvironment>, class: &Str, name: &Str) -> bool {
        self.today(ready, |today| {
            let known = today.class_parameters.entry((class.clone(), name.clone()));
            *known.or_insert_with(|| ready.site.has_class_parameter(class, name))
        })
    }

    fn today<T>(&self, ready: &Arc<ReadyEnvironment>, ask: impl FnOnce(&mut CurrentCode) -> T) -> T {
        let mut known = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let at = known.iter().position(|known| Arc::ptr_eq(&known.environment, ready));
        let at = at.unwrap_or_else(|| {
            known.push(CurrentCode {
                environment: Arc::clone(ready),
                recallers: FxHashMap::default(),
                answers: FxHashMap::default(),
                injectors: FxHashMap::default(),
                rebindings: FxHashMap::default(),
                class_parameters: FxHashMap::default(),
            });
            known.len() - 1
        });
        ask(&mut known[at])
    }

    /// Returns true if no line moved, and no code changed.
    pub(super) fn is_of_values_alone(&self) -> bool {
        self.files.is_empty() && self.moved.is_empty()
    }

    /// Returns true if the file contains changed bodies.
    pub(super) fn is_in(&self, file: &str) -> bool {
        self.files.contains(file)
    }

    /// Returns the effect of the edit on a file.
    pub(super) fn file_edit(&self, file: &str) -> FileEdit<'_> {
        if !self.lengths.may_contain(file) {
            return FileEdit::Nothing;
        }
        match self.moved.get(file) {
            _ if self.is_in(file) => FileEdit::Bodies,
            Some(lines) => FileEdit::Moved(lines),
            None => FileEdit::Nothing,
        }
    }

    /// Returns true if a text names a place in one of the files.
    pub(super) fn is_named_in(&self, text: &str) -> bool {
        self.paths.iter().any(|path| path.find(text.as_bytes()).is_some())
    }
}

/// The interface of a definition.
#[derive(PartialEq)]
struct Head {
    kind: DefinitionKind,
    name: Str,
    parent: Option<Str>,
    parameters: Vec<Parameter>,
}

#[derive(PartialEq)]
struct Parameter {
    name: Str,
    of_type: Option<[u8; 32]>,
    has_default: bool,
}

/// Returns the interfaces of all definitions of a manifest; `None`: it contains more than classes and defined types.
fn heads(ast: &Ast) -> Option<Vec<Head>> {
    let outermost = match ast.node(ast.root()) {
        Node::Block(statements) => ast.list(statements).to_vec(),
        Node::Nop => Vec::new(),
        _ => vec![ast.root()],
    };
    if !outermost.iter().all(|id| matches!(ast.node(*id), Node::Definition(_))) {
        return None;
    }
    let mut heads = Vec::new();
    for id in ast.ids() {
        match ast.node(id) {
            Node::NodeDefinition { .. } | Node::TypeAlias { .. } => return None,
            Node::Definition(definition) => heads.push(head(ast, ast.definition(definition))?),
            _ => {}
        }
    }
    Some(heads)
}

fn head(ast: &Ast, definition: &Definition) -> Option<Head> {
    let lower = |text| Str::from(ast.text(text).trim_start_matches("::").to_lowercase());
    let parameters = ast.list(definition.params).iter().map(|&id| match ast.node(id) {
        Node::Param { name, type_expr, value, .. } => Some(Parameter {
            name: ast.text(name).into(),
            of_type: type_expr.map(|of| definition_hash(ast, of)),
            has_default: value.is_some(),
        }),
        _ => None,
    });
    if definition.kind == DefinitionKind::Function {
        // The signature belongs to the function's definition, which is an answer to each caller.
        return Some(Head {
            kind: definition.kind,
            name: lower(definition.name),
            parent: None,
            parameters: Vec::new(),
        });
    }
    matches!(definition.kind, DefinitionKind::Class | DefinitionKind::Define).then_some(Head {
        kind: definition.kind,
        name: lower(definition.name),
        parent: definition.parent.map(lower),
        parameters: parameters.collect::<Option<_>>()?,
    })
}
