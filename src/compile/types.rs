//! Types of the program and of modules: aliases, object types.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::host::ProgramHost;
use crate::eval;
use crate::pcore::types::{Alias, Type};
use crate::pcore::{Digest, Digester, Fault, Str};
use crate::syntax::ast::{Ast, Node, NodeId};
use crate::syntax::{Kind, definition_hash};
use crate::trace::Answer;

/// What was worked out, and what is being worked out.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    /// By lower-case name. `None`: there is no such type.
    known: FxHashMap<Str, Option<(Type, Digest)>>,
    /// Hashes of the definitions that the alias being worked out, and those around it, rest on.
    open: Vec<Digester>,
}

impl ProgramHost<'_> {
    pub(super) fn type_named(&mut self, name: &str) -> Answer {
        let key: Str = name.to_lowercase().into();
        if !self.aliases.known.contains_key(&key) {
            let found = match self.find_alias(&key) {
                Ok(found) => found,
                Err(fault) => return Answer::Fault(fault),
            };
            match found {
                Some((ast, id)) => {
                    if let Err(fault) = self.resolve_alias(&key, &ast, id) {
                        self.aliases.known.remove(&key);
                        return Answer::Fault(fault);
                    }
                }
                None => {
                    self.aliases.known.insert(key.clone(), None);
                }
            }
        }
        let known = self.aliases.known.get(&key).cloned().flatten();
        if let (Some((_, digest)), Some(open)) = (&known, self.aliases.open.last_mut()) {
            open.digest(*digest);
        }
        known.map_or(Answer::Absent, |(of, digest)| Answer::Type(of, digest))
    }

    fn find_alias(&mut self, key: &str) -> Result<Option<(Arc<Ast>, NodeId)>, Fault> {
        if let Some((_, id)) = self.program.aliases.iter().find(|(name, _)| name.to_lowercase() == key) {
            return Ok(Some((self.program.ast.clone(), *id)));
        }
        let Some(path) = self.request.modules.type_file(key) else { return Ok(None) };
        let ast = self.parse_file(&path, Kind::Manifest)?;
        let found = ast.ids().find(|&id| match ast.node(id) {
            Node::TypeAlias { name, .. } => ast.text(name).to_lowercase() == key,
            _ => false,
        });
        match found {
            Some(id) => Ok(Some((ast, id))),
            None => Err(Fault::new(format!(
                "The code loaded from {} does not define the type '{key}' - no type alias or type definition found.",
                path.display()
            ))),
        }
    }

    /// Works out what an alias stands for. It is known by name meanwhile, so that it can stand in itself.
    fn resolve_alias(&mut self, key: &Str, ast: &Ast, id: NodeId) -> Result<(), Fault> {
        let Node::TypeAlias { name, .. } = ast.node(id) else { return Ok(()) };
        let mut digester = Digester::new(b"alias");
        digester.bytes(&definition_hash(ast, id));
        let alias = Arc::new(Alias::new(ast.text(name)));
        let early = digester.finish();
        self.aliases.known.insert(key.clone(), Some((Type::Alias(alias.clone()), early)));
        self.aliases.open.push(digester);
        let Some(body) = eval::alias_body(ast, id, self.builtins) else { return Ok(()) };
        let (settings, builtins) = (self.request.settings, self.builtins);
        let resolved = eval::evaluate_type(&body, ast.text(name), self, settings, builtins);
        let digest = self.aliases.open.pop().map(|digester| digester.finish()).unwrap_or(early);
        let resolved = resolved.map_err(|failure| Fault::new(failure.message.to_string()))?;
        // An object type is no alias: it has the name itself.
        if let Type::Object(_) = resolved {
            self.aliases.known.insert(key.clone(), Some((resolved, digest)));
            return Ok(());
        }
        Alias::define(&alias, resolved)?;
        self.aliases.known.insert(key.clone(), Some((Type::Alias(alias), digest)));
        Ok(())
    }
}
