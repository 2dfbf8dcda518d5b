//! What was edited, as far as the text alone can tell.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::MovedLines;
use crate::compile::Recaller;
use crate::pcore::Str;
use crate::query::Ready;
use crate::syntax::ast::{Ast, Definition, DefinitionKind, Node};
use crate::syntax::{definition_hash, form, parse_manifest};
use crate::world::Leaf;

/// A question that is answered otherwise than before.
#[derive(Debug)]
pub struct Edited {
    pub leaf: Leaf,
    /// What was in the file, and what is.
    pub(in crate::query) before: Option<Arc<[u8]>>,
    pub(in crate::query) now: Option<Arc<[u8]>>,
}

impl Edited {
    /// Whether it is a manifest that means what it meant, at other lines.
    pub fn moves_lines_alone(&self) -> bool {
        let meaning = |ast: &Ast| definition_hash(ast, ast.root());
        self.manifests().is_some_and(|(before, now)| meaning(&before) == meaning(&now))
    }

    fn manifests(&self) -> Option<(Ast, Ast)> {
        let Leaf { kind, path } = &self.leaf;
        let is_manifest = kind.is_text() && path.extension() == Some("pp".as_ref());
        let (before, now) = self.before.as_ref().zip(self.now.as_ref()).filter(|_| is_manifest)?;
        Some((parse_manifest(before)?, parse_manifest(now)?))
    }

    /// Where the lines of the manifest are, if it means what it meant; or else its classes and defined types, if it has
    /// the same ones as before and nothing else, and none of them is called or inherits otherwise: then only what their
    /// bodies do can be new.
    fn harmless(&self) -> Option<Harmless> {
        let (before, now) = self.manifests()?;
        if let Some(lines) = form(&before).moved_to(&form(&now)) {
            return Some(Harmless::Moved(lines));
        }
        let heads = heads(&before)?;
        let names = heads.iter().map(|head| head.name.clone()).collect();
        (heads == self::heads(&now)?).then_some(Harmless::Bodies(names))
    }
}

/// An edit of a manifest that nobody notices who does not run it.
enum Harmless {
    Moved(MovedLines),
    Bodies(Vec<Str>),
}

/// What nodes are asked again for: an edit of nothing but lines, and bodies of classes and defined types.
#[derive(Default)]
pub(super) struct Edit {
    /// Of the bodies.
    pub(super) names: FxHashSet<Str>,
    /// The files they are in.
    files: FxHashSet<Str>,
    /// The files that mean what they meant.
    moved: FxHashMap<Str, MovedLines>,
    /// The classes among the bodies, as each environment has them now.
    recallers: Mutex<Vec<Recallers>>,
}

/// What an edit did to one file.
#[derive(Clone, Copy)]
pub(super) enum OfFile<'e> {
    Nothing,
    /// It means what it meant, on these lines.
    Moved(&'e MovedLines),
    /// Bodies that are in it do something else.
    Bodies,
}

struct Recallers {
    of: Arc<Ready>,
    /// `None`: there is no finding any.
    found: Option<Arc<Recaller>>,
}

impl Edit {
    pub(super) fn of(edited: &[Edited]) -> Option<Edit> {
        let mut edit = Edit::default();
        for one in edited {
            // What is not UTF-8 cannot be found in a text.
            let file = Str::from(one.leaf.path.to_str()?);
            match one.harmless()? {
                Harmless::Moved(lines) => drop(edit.moved.insert(file, lines)),
                Harmless::Bodies(names) => {
                    edit.names.extend(names);
                    edit.files.insert(file);
                }
            }
        }
        Some(edit)
    }

    pub(super) fn recaller(&self, ready: &Arc<Ready>) -> Option<Arc<Recaller>> {
        let mut known = self.recallers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.iter().find(|known| Arc::ptr_eq(&known.of, ready)) {
            return known.found.clone();
        }
        let found = ready.site.recaller(&self.names, |file| self.is_in(file)).map(Arc::new);
        known.push(Recallers { of: Arc::clone(ready), found: found.clone() });
        found
    }

    /// Whether the file has bodies that were edited.
    pub(super) fn is_in(&self, file: &str) -> bool {
        self.files.contains(file)
    }

    /// What was done to a file.
    pub(super) fn of_file(&self, file: &str) -> OfFile<'_> {
        match self.moved.get(file) {
            _ if self.is_in(file) => OfFile::Bodies,
            Some(lines) => OfFile::Moved(lines),
            None => OfFile::Nothing,
        }
    }

    /// Whether a text names a place in one of the files.
    pub(super) fn is_named_in(&self, text: &str) -> bool {
        self.files.iter().chain(self.moved.keys()).any(|path| text.contains(path.as_str()))
    }
}

/// What others see of a definition.
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

/// Of all definitions of a manifest; `None`: there is more in it than classes and defined types.
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
    matches!(definition.kind, DefinitionKind::Class | DefinitionKind::Define).then_some(Head {
        kind: definition.kind,
        name: lower(definition.name),
        parent: definition.parent.map(lower),
        parameters: parameters.collect::<Option<_>>()?,
    })
}
