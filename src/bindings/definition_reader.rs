//! Takes a parsed file apart: one entry for each key that it binds.
//! It must not know which layer it is in.

use std::sync::{Arc, OnceLock};

use pantin_base::{Source, Span};
use pantin_syntax::ast::{Ast, Node, NodeId, UnaryOp};
use pantin_syntax::bindings::{
    BindOption, BindingsFile, Condition, Flags, Item, OldKey, Operation, OperationKind, Producer, RebindKey, Subject,
    Target, TypeUse, rule, subject_of, type_text,
};
use pantin_values::{Hash, Regexp, Resolve, Str, Type, Value, types};

use super::condition::{ALTERNATIVES, Conjunction, Never, combine};
use super::definition::{
    Callback, Copy, Definition, EXCLUDED, Entry, EntryKind, Expression, INCLUDED, Multibind, Role,
};
use super::key::{Key, key_of};
use super::problem::{Place, Problem};
use super::query::QueryTest;

impl Definition {
    /// Takes a parsed file apart.
    pub fn from_file(
        uri: &str,
        file: &Arc<BindingsFile>,
        source: &Arc<Source>,
        shown: &Arc<str>,
        resolve: &mut dyn Resolve,
    ) -> Definition {
        let mut reader = Reader {
            file,
            source,
            shown,
            resolve,
            operation: 0,
            entries: Vec::new(),
            problems: Vec::new(),
            categories: Vec::new(),
        };
        let common: Conjunction = Arc::from([]);
        reader.items(&file.definition.items, &[common]);
        Definition {
            uri: uri.into(),
            name: file.definition.name.text.as_str().into(),
            shown: Arc::clone(shown),
            source: Some(Arc::clone(source)),
            entries: reader.entries,
            problems: reader.problems,
            categories: reader.categories,
            digests: OnceLock::new(),
        }
    }
}

pub(crate) struct Reader<'r> {
    file: &'r Arc<BindingsFile>,
    source: &'r Arc<Source>,
    shown: &'r Arc<str>,
    resolve: &'r mut dyn Resolve,
    operation: usize,
    entries: Vec<Entry>,
    problems: Vec<Problem>,
    categories: Vec<(Str, Span)>,
}

impl Reader<'_> {
    pub(crate) fn ast(&self) -> &Ast {
        &self.file.ast
    }

    fn place(&self, span: Span) -> Place {
        Place { shown: Arc::clone(self.shown), source: Some(Arc::clone(self.source)), span }
    }

    fn expression(&self, node: NodeId) -> Expression {
        Expression { file: Arc::clone(self.file), node }
    }

    fn items(&mut self, items: &[Item], around: &[Conjunction]) {
        for item in items {
            match item {
                Item::When { span, condition, items } => {
                    add_categories(condition, &mut self.categories);
                    let mut never = Vec::new();
                    match combine(around, condition, &mut never) {
                        Ok(inside) => {
                            self.note_never(&never);
                            pantin_base::stack::with_room(|| self.items(items, &inside));
                        }
                        Err(_) => {
                            let message = format!("More than {ALTERNATIVES} alternatives of a condition");
                            self.problems.push(Problem::new(rule::LIMIT, message, self.place(*span)));
                        }
                    }
                }
                Item::Operation(operation) => {
                    self.operation += 1;
                    self.operation(operation, around);
                }
            }
        }
    }

    fn note_never(&mut self, never: &[Never]) {
        for Never { category, values: [first, second], span } in never {
            let message =
                format!("This condition can never hold: '{category}' would have to be both '{first}' and '{second}'");
            self.problems.push(Problem::new(rule::NEVER, message, self.place(*span)));
        }
    }

    pub(crate) fn push(&mut self, operation: &Operation, around: &[Conjunction], entry: NewEntry) {
        if around.is_empty() {
            return;
        }
        let NewEntry { flags, role, kind, target, declared } = entry;
        let arguments = target.and_then(|target| option(&target.options, "producer_args"));
        let arguments = arguments.map(|option| self.expression(option.value));
        let singleton = target.and_then(|target| option(&target.options, "singleton"));
        let is_singleton =
            singleton.is_none_or(|option| !matches!(self.ast().node(option.value), Node::Boolean(false)));
        self.entries.push(Entry {
            span: operation.span,
            operation: self.operation,
            role,
            kind,
            is_abstract: flags.is_abstract.is_some(),
            is_override: flags.is_override.is_some(),
            is_optional: target.is_some_and(|target| target.is_optional),
            declared,
            arguments,
            is_singleton,
            alternatives: around.into(),
        });
    }

    fn operation(&mut self, operation: &Operation, around: &[Conjunction]) {
        let flags = operation.flags;
        let entry = |role, kind, target, declared| NewEntry { flags, role, kind, target, declared };
        match &operation.kind {
            OperationKind::Value { key, target } => {
                let declared = self.declared_type(key.value_type, false);
                let name = key.name.as_ref().map(|name| name.text.as_str());
                let kind = target.as_ref().map_or(EntryKind::Abstract, |target| self.producer(target));
                let role = match target.as_ref().and_then(|target| target.multibind.as_ref()) {
                    Some(id) => Role::Fragment { id: id.text.as_str().into(), name: name.map(Str::from) },
                    None => Role::Key(self.key(key.value_type, declared.as_ref(), name)),
                };
                self.push(operation, around, entry(role, kind, target.as_ref(), declared));
            }
            OperationKind::Nameless { target } => {
                let kind = self.producer(target);
                let id = target.multibind.as_ref().map(|id| Str::from(id.text.as_str())).unwrap_or_default();
                self.push(operation, around, entry(Role::Fragment { id, name: None }, kind, Some(target), None));
            }
            OperationKind::Parameters { of, target: Some(target) } => self.parameters(operation, around, of, target),
            OperationKind::Variables { value_type, target: Some(target), .. } => {
                let declared = self.declared_type(*value_type, false);
                for (name, kind) in self.variables(target, flags) {
                    let role = Role::Key(Key::variable(&name));
                    self.push(operation, around, entry(role, kind, Some(target), declared.clone()));
                }
            }
            OperationKind::Parameters { target: None, .. } | OperationKind::Variables { target: None, .. } => {}
            OperationKind::Map { target, source, pairs } => {
                let (Some(left), Some(right)) = (subject_of(self.ast(), target), subject_of(self.ast(), source)) else {
                    return;
                };
                let key = Key::own(&format!("/map/{}/{}", left.key_text(), right.key_text()));
                let kind = EntryKind::Map(self.map(*pairs));
                self.push(operation, around, entry(Role::Key(key), kind, None, None));
            }
            OperationKind::Dependency { sides, arrows } => {
                let pairs = self.dependency(sides, arrows);
                let role = Role::Dependency(pairs.into());
                self.push(operation, around, entry(role, EntryKind::Constant(Value::Undef), None, None));
            }
            OperationKind::Copy { .. } | OperationKind::Rebind { .. } => self.copy(operation, around),
            OperationKind::Multibind { value_type, name, id, options } => {
                let declared = self.declared_type(Some(*value_type), true);
                self.multibind(operation, around, declared, (name.as_ref(), id.as_ref()), options);
            }
            OperationKind::Include(names) | OperationKind::Exclude(names) => {
                let id = if matches!(operation.kind, OperationKind::Include(_)) { INCLUDED } else { EXCLUDED };
                let names = Value::array(names.iter().map(|name| Value::from(name.text.as_str())));
                let role = Role::Fragment { id: id.into(), name: None };
                self.push(operation, around, entry(role, EntryKind::Constant(names), None, None));
            }
        }
    }

    /// Copies of what is bound elsewhere.
    fn copy(&mut self, operation: &Operation, around: &[Conjunction]) {
        let flags = operation.flags;
        match &operation.kind {
            OperationKind::Copy { is_rename, old, new, new_flags } => {
                let flags = Flags {
                    is_abstract: new_flags.is_abstract.or(flags.is_abstract),
                    is_override: new_flags.is_override.or(flags.is_override),
                };
                let copied = self.old_key(old).0;
                let (new, declared) = self.old_key(new);
                let copy = Copy { old: copied, is_rename: *is_rename, is_rebind: false };
                let role = Role::Key(new);
                self.push(
                    operation,
                    around,
                    NewEntry { flags, role, kind: EntryKind::Copy(copy), target: None, declared },
                );
            }
            OperationKind::Rebind { old: RebindKey::Old(old) } => {
                let (key, _) = self.old_key(old);
                let copy = Copy { old: key.clone(), is_rename: false, is_rebind: true };
                self.push(
                    operation,
                    around,
                    NewEntry { flags, role: Role::Key(key), kind: EntryKind::Copy(copy), target: None, declared: None },
                );
            }
            OperationKind::Rebind { old: RebindKey::Parameters(of) } => {
                let Some(subject) = subject_of(self.ast(), of) else { return };
                // For each parameter that is bound below; which they are, the injector knows.
                let prefix = Key::own(&format!("/param/{}/", subject.key_text()));
                let copy = Copy { old: prefix.clone(), is_rename: false, is_rebind: true };
                self.push(
                    operation,
                    around,
                    NewEntry {
                        flags,
                        role: Role::Key(prefix),
                        kind: EntryKind::Copy(copy),
                        target: None,
                        declared: None,
                    },
                );
            }
            _ => {}
        }
    }

    fn multibind(
        &mut self,
        operation: &Operation,
        around: &[Conjunction],
        declared: Option<Type>,
        (name, id): (Option<&pantin_syntax::bindings::Word>, Option<&pantin_syntax::bindings::Word>),
        options: &[BindOption],
    ) {
        let of = declared.as_ref().map(|of| of.resolved());
        let is_hash = matches!(of, Some(Type::Hash(_)));
        if !matches!(of, Some(Type::Hash(_) | Type::Array(_))) {
            let shown = declared.as_ref().map(ToString::to_string).unwrap_or_default();
            let message = format!("A multibind has an Array or Hash type, got {shown}");
            let place = self.place(operation.span);
            return self.problems.push(Problem::new(rule::MULTIBIND_TYPE, message, place));
        }
        let name = name.map(|name| name.text.as_str());
        let id = id.map(|id| id.text.as_str()).or(name).unwrap_or_default();
        let combinator = option(options, "combinator").map(|option| self.callback(option.value));
        let kind = EntryKind::Multibind(Multibind { id: id.into(), is_hash, combinator });
        let role = Role::Key(key_of(declared.as_ref(), name));
        self.push(operation, around, NewEntry { flags: operation.flags, role, kind, target: None, declared });
    }

    pub(crate) fn callback(&self, node: NodeId) -> Callback {
        match self.ast().node(node) {
            Node::String(text) => Callback::Named(self.ast().text(text).into()),
            _ => Callback::Lambda(self.expression(node)),
        }
    }

    // ---- keys, types, values

    pub(crate) fn declared_type(&mut self, of: Option<NodeId>, is_multibind: bool) -> Option<Type> {
        let of = of?;
        let text = type_text(self.ast(), of, is_multibind);
        match types::parse(&text, self.resolve) {
            Ok(of) => Some(of),
            Err(fault) => {
                let place = self.place(self.ast().span(of));
                self.problems.push(Problem::new(rule::TYPE, fault.message.to_string(), place));
                None
            }
        }
    }

    /// Returns a key by its type and name. A class or a type of resources is written as in bindings.
    fn key(&self, of: Option<NodeId>, declared: Option<&Type>, name: Option<&str>) -> Key {
        let subject = of.and_then(|of| subject_of(self.ast(), &TypeUse::Type(of)));
        let of_references =
            |of: &Type| matches!(of.resolved(), Type::Class(_) | Type::Resource(_) | Type::Reference(_));
        let is_reference = declared.is_some_and(of_references);
        match subject.filter(|_| is_reference) {
            Some(subject) => Key::from_subject(&subject, name),
            None => key_of(declared, name),
        }
    }

    fn old_key(&mut self, old: &OldKey) -> (Key, Option<Type>) {
        match old {
            OldKey::Variable(name) => (Key::variable(&name.text), None),
            OldKey::Key(key) => {
                let declared = self.declared_type(key.value_type, false);
                let name = key.name.as_ref().map(|name| name.text.as_str());
                (self.key(key.value_type, declared.as_ref(), name), declared)
            }
        }
    }

    pub(crate) fn producer(&mut self, target: &Target) -> EntryKind {
        match &target.producer {
            Producer::Named(name) => EntryKind::Named(name.text.as_str().into()),
            Producer::New(id) => EntryKind::New(type_text(self.ast(), *id, false)),
            Producer::Type(id) => EntryKind::Type {
                text: type_text(self.ast(), *id, false),
                subject: subject_of(self.ast(), &TypeUse::Type(*id)),
            },
            Producer::Class(name) => EntryKind::Type {
                text: format!("Class[{}]", name.text),
                subject: Some(Subject::Class(name.text.clone())),
            },
            Producer::Query { type_name, query } => {
                let test = QueryTest::from_syntax(self.file, &type_name.text, query.as_ref());
                EntryKind::Query(Arc::new(test))
            }
            Producer::Expression(id) => self.value_kind(*id),
        }
    }

    pub(crate) fn value_kind(&mut self, id: NodeId) -> EntryKind {
        match constant(self.ast(), id) {
            Some(value) => EntryKind::Constant(value),
            None => EntryKind::Expression(self.expression(id)),
        }
    }
}

fn add_categories(condition: &Condition, categories: &mut Vec<(Str, Span)>) {
    match condition {
        Condition::Common => {}
        Condition::Or(parts) | Condition::And(parts) => parts.iter().for_each(|part| add_categories(part, categories)),
        Condition::Category { name, .. } => categories.push((name.text.as_str().into(), name.span)),
    }
}

/// An entry before it has its place and condition.
pub(crate) struct NewEntry<'t> {
    pub(crate) flags: Flags,
    pub(crate) role: Role,
    pub(crate) kind: EntryKind,
    pub(crate) target: Option<&'t Target>,
    pub(crate) declared: Option<Type>,
}

pub(crate) fn option<'o>(options: &'o [BindOption], name: &str) -> Option<&'o BindOption> {
    options.iter().find(|option| option.name.text == name)
}

/// The value of what is written out; `None` where it has to be worked out.
pub fn constant(ast: &Ast, id: NodeId) -> Option<Value> {
    pantin_base::stack::with_room(|| {
        Some(match ast.node(id) {
            Node::Undef => Value::Undef,
            Node::Default => Value::Default,
            Node::Boolean(value) => Value::Boolean(value),
            Node::Integer { value, .. } => Value::Integer(value),
            Node::Float(value) => Value::Float(value),
            Node::String(text) | Node::Name(text) => Value::from(ast.text(text)),
            Node::Regex(text) => Value::Regexp(Arc::new(Regexp::new(ast.text(text), Default::default()))),
            Node::Heredoc { syntax, text } if syntax.is_empty() => constant(ast, text)?,
            Node::Array(items) => {
                let items = ast.list(items).iter().map(|&item| constant(ast, item)).collect::<Option<Vec<_>>>()?;
                Value::array(items)
            }
            Node::Hash(entries) => {
                let mut hash = Hash::default();
                for &entry in ast.list(entries) {
                    let Node::Entry { key, value } = ast.node(entry) else { return None };
                    hash.insert(constant(ast, key)?, constant(ast, value)?);
                }
                Value::Hash(hash)
            }
            Node::Unary { op: UnaryOp::Paren, operand } => constant(ast, operand)?,
            Node::Unary { op: UnaryOp::Minus, operand } => match constant(ast, operand)? {
                Value::Integer(value) => Value::Integer(value.checked_neg()?),
                Value::Float(value) => Value::Float(-value),
                _ => return None,
            },
            Node::TypeName(name) => Value::Type(types::built_in_type(ast.text(name))?),
            _ => return None,
        })
    })
}
