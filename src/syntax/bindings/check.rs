//! The rules of a definition that stand behind its grammar.
//! It must not know what other files say.

use pantin_base::names::can_bind_variable;
use pantin_base::{Diagnostic, Related, Span};

use super::rule::{self, Rule};
use super::subject::{expression_text, literal_text, shown_type_text, subject_of};
use super::{
    BindOption, BindingsDefinition, Flags, Item, Key, OldKey, Operation, OperationKind, Producer, Query, QueryValue,
    RebindKey, Subject, Target, TypeUse, Word,
};
use crate::Settings;
use crate::ast::{Ast, List, Node, NodeId, UnaryOp};
use crate::validate::validate_expressions;

/// Functions that declare something.
pub const DECLARING_FUNCTIONS: [&str; 7] =
    ["include", "contain", "require", "realize", "create_resources", "tag", "hiera_include"];

/// Which options an operation takes.
const OF_PRODUCER: &[&str] = &["producer_args", "singleton"];
const OF_PARAMETERS: &[&str] = &["producer_args", "singleton", "map", "select_result"];
const OF_MULTIBIND: &[&str] = &["combinator"];

/// Says what is wrong with a definition, in the order of the text, by its own rules and by those that its expressions have to keep in
/// any code of Puppet.
pub(super) fn check_definition(ast: &Ast, definition: &BindingsDefinition, settings: Settings) -> Vec<Diagnostic> {
    let mut checker = Checker { ast, found: Vec::new(), expressions: Vec::new() };
    checker.items(&definition.items);
    let mut found = checker.found;
    found.extend(validate_expressions(ast, &checker.expressions, settings).into_diagnostics());
    found.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    found
}

struct Checker<'a> {
    ast: &'a Ast,
    found: Vec<Diagnostic>,
    /// Expressions that keep the rules of bindings.
    expressions: Vec<NodeId>,
}

impl Checker<'_> {
    fn report(&mut self, rule: &Rule, message: impl Into<String>, span: Span) {
        self.found.push(rule.at(message, span));
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::When { items, .. } => pantin_base::stack::with_room(|| self.items(items)),
                Item::Operation(operation) => self.operation(operation),
            }
        }
    }

    fn operation(&mut self, operation: &Operation) {
        let Operation { flags, kind, .. } = operation;
        match kind {
            OperationKind::Value { key, target } => self.value(flags, key, target.as_ref()),
            OperationKind::Nameless { target } => self.nameless(flags, target),
            OperationKind::Parameters { of, target } => self.parameters(flags, of, target.as_ref()),
            OperationKind::Variables { value_type: _, target, word } => self.variables(flags, target.as_ref(), *word),
            OperationKind::Map { target, source, pairs } => {
                self.not_abstract(flags);
                self.subject(target);
                self.subject(source);
                self.map(*pairs);
            }
            OperationKind::Dependency { sides, .. } => {
                for (name, span) in [("abstract", flags.is_abstract), ("override", flags.is_override)] {
                    if let Some(span) = span {
                        self.report(&rule::FLAG_KIND, format!("'{name}' has no meaning for a dependency"), span);
                    }
                }
                sides.iter().flatten().for_each(|reference| self.reference(reference));
            }
            OperationKind::Copy { old, new, .. } => self.copy(old, new),
            OperationKind::Rebind { old: RebindKey::Old(old) } => self.old_key(old),
            OperationKind::Rebind { old: RebindKey::Parameters(of) } => _ = self.subject(of),
            OperationKind::Multibind { value_type, name, id, options } => {
                self.multibind(*value_type, name.as_ref(), id.as_ref(), options);
            }
            OperationKind::Include(_) | OperationKind::Exclude(_) => {}
        }
    }

    // ---- values and contributions

    fn value(&mut self, flags: &Flags, key: &Key, target: Option<&Target>) {
        let Some(target) = target else {
            if let Some(name) = &key.name {
                self.name(name);
            }
            if flags.is_abstract.is_none() {
                let message = format!("The binding of {} binds nothing", key_text(self.ast, key));
                self.report(&rule::NO_PRODUCER, message, key.span);
            }
            return;
        };
        if target.multibind.is_some() {
            self.contribution(flags, key.name.is_some());
        } else {
            if let Some(name) = &key.name {
                self.name(name);
            }
            if flags.is_abstract.is_some() {
                self.report(&rule::ABSTRACT_PRODUCER, "An abstract binding does not bind a value", target.span);
            }
            self.instance_key(key);
        }
        self.target(target, OF_PRODUCER);
    }

    /// A reference to one resource is no key of its own.
    fn instance_key(&mut self, key: &Key) {
        let Some(of) = key.value_type.filter(|_| key.name.is_none()) else { return };
        if let Some(subject @ Subject::Resource(..)) = subject_of(self.ast, &TypeUse::Type(of))
            && !is_built_in(self.ast, of)
        {
            let message = format!("A resource that is there cannot become another: {}", subject.shown());
            self.report(&rule::REPLACE_INSTANCE, message, key.span);
        }
    }

    fn contribution(&mut self, flags: &Flags, has_name: bool) {
        let is_override = flags.is_override.filter(|_| !has_name);
        for (name, span) in [("abstract", flags.is_abstract), ("override", is_override)] {
            if let Some(span) = span {
                self.report(&rule::FRAGMENT_FLAG, format!("A contribution cannot be marked '{name}'"), span);
            }
        }
    }

    fn nameless(&mut self, flags: &Flags, target: &Target) {
        if target.multibind.is_none() {
            let message = "A binding without a key must contribute to a multibind";
            self.report(&rule::NO_KEY, message, target.span);
        } else {
            self.contribution(flags, false);
        }
        self.target(target, OF_PRODUCER);
    }

    fn name(&mut self, name: &Word) {
        if name.text.is_empty() || name.text.starts_with('/') {
            let mut found = rule::RESERVED_NAME.at(format!("The name '{}' is reserved", name.text), name.span);
            if name.text.is_empty() {
                found.label = Some("is empty".to_owned());
            }
            self.found.push(found);
        }
    }

    // ---- parameters, variables, maps

    fn not_abstract(&mut self, flags: &Flags) {
        if let Some(span) = flags.is_abstract {
            let message = "A binding of parameters or of a map cannot be abstract";
            self.report(&rule::ABSTRACT_KIND, message, span);
        }
    }

    fn subject(&mut self, of: &TypeUse) -> Option<Subject> {
        let found = subject_of(self.ast, of);
        if found.is_none() {
            self.bad_reference(of);
        }
        found
    }

    fn reference(&mut self, of: &TypeUse) {
        if !matches!(subject_of(self.ast, of), Some(Subject::Resource(..) | Subject::Class(_))) {
            self.bad_reference(of);
        }
    }

    fn bad_reference(&mut self, of: &TypeUse) {
        let (text, span) = match of {
            TypeUse::Class(word) => (word.text.clone(), word.span),
            TypeUse::Type(id) => (shown_type_text(self.ast, *id), self.ast.span(*id)),
        };
        self.report(&rule::REFERENCE, format!("A reference to one resource is expected, got '{text}'"), span);
    }

    fn parameters(&mut self, flags: &Flags, of: &TypeUse, target: Option<&Target>) {
        self.not_abstract(flags);
        let subject = self.subject(of);
        let Some(target) = target else {
            let span = match of {
                TypeUse::Class(word) => word.span,
                TypeUse::Type(id) => self.ast.span(*id),
            };
            let shown = subject.map_or_else(|| "parameters".to_owned(), |subject| subject.shown());
            return self.report(&rule::NO_PRODUCER, format!("The binding of {shown} binds nothing"), span);
        };
        match &target.producer {
            Producer::Type(id) => _ = self.subject(&TypeUse::Type(*id)),
            Producer::Expression(id) if is_hash(self.ast, *id) => {
                if let Some(map) = target.options.iter().find(|option| option.name.text == "map") {
                    let message = "'map' is no option of this operation";
                    self.report(&rule::OPTION, message, map.name.span);
                }
            }
            _ => {}
        }
        self.target(target, OF_PARAMETERS);
    }

    fn variables(&mut self, flags: &Flags, target: Option<&Target>, word: Span) {
        let Some(target) = target else {
            return self.report(&rule::NO_PRODUCER, "The binding of variables binds nothing", word);
        };
        let ast = self.ast;
        let value = match &target.producer {
            Producer::Expression(id) => Some(*id),
            _ => None,
        };
        if flags.is_abstract.is_some() {
            return match value.map(|id| (id, ast.node(id))) {
                Some((_, Node::Array(items))) if !items.is_empty() => {
                    ast.list(items).iter().for_each(|&item| self.abstract_name(item));
                }
                Some((id, _)) => self.abstract_name(id),
                None => self.report(&rule::ABSTRACT_NAMES, ABSTRACT_NAMES, target.span),
            };
        }
        let entries = value.and_then(|id| match ast.node(id) {
            Node::Hash(entries) => Some(ast.list(entries)),
            _ => None,
        });
        let Some(entries) = entries else {
            let span = value.map_or(target.span, |id| ast.span(id));
            return self.report(&rule::VARIABLES_HASH, "Variables are bound to a hash of names and values", span);
        };
        for &entry in entries {
            let Node::Entry { key, .. } = ast.node(entry) else { continue };
            match literal_text(ast, key) {
                Some(name) => self.variable_name(name, ast.span(key)),
                None => {
                    let message = "Variables are bound to a hash of names and values";
                    self.report(&rule::VARIABLES_HASH, message, ast.span(key));
                }
            }
        }
        self.target(target, OF_PRODUCER);
    }

    fn abstract_name(&mut self, id: NodeId) {
        match self.ast.node(id) {
            Node::String(text) => {
                let name = self.ast.text(text).to_owned();
                self.variable_name(&name, self.ast.span(id));
            }
            _ => self.report(&rule::ABSTRACT_NAMES, ABSTRACT_NAMES, self.ast.span(id)),
        }
    }

    fn variable_name(&mut self, name: &str, span: Span) {
        if !can_bind_variable(name) {
            let message = format!("'{name}' cannot be bound as a variable of the top scope");
            self.report(&rule::VARIABLE_NAME, message, span);
        }
    }

    /// A hash or an array of names of parameters.
    fn map(&mut self, pairs: NodeId) {
        let ast = self.ast;
        let bad = |checker: &mut Self, id| {
            checker.report(&rule::MAP_NAMES, "A map consists of names of parameters", ast.span(id));
        };
        let is_name = |id| literal_text(ast, id).is_some_and(is_parameter_name);
        match ast.node(pairs) {
            Node::Hash(entries) if !entries.is_empty() => {
                for &entry in ast.list(entries) {
                    let Node::Entry { key, value } = ast.node(entry) else { continue };
                    if let Some(wrong) = [key, value].into_iter().find(|&id| !is_name(id)) {
                        return bad(self, wrong);
                    }
                }
            }
            Node::Array(items) if !items.is_empty() => {
                if let Some(&wrong) = ast.list(items).iter().find(|&&id| !is_name(id)) {
                    bad(self, wrong);
                }
            }
            _ => bad(self, pairs),
        }
    }

    // ---- copies and multibinds

    fn copy(&mut self, old: &OldKey, new: &OldKey) {
        self.old_key(old);
        self.old_key(new);
        if matches!(old, OldKey::Variable(_)) != matches!(new, OldKey::Variable(_)) {
            let span = match new {
                OldKey::Key(key) => key.span,
                OldKey::Variable(word) => word.span,
            };
            self.report(&rule::COPY_KINDS, "A variable is copied to a variable, a value to a value", span);
        }
    }

    fn old_key(&mut self, old: &OldKey) {
        match old {
            OldKey::Key(key) => {
                if let Some(name) = &key.name {
                    self.name(name);
                }
            }
            OldKey::Variable(word) => self.variable_name(&word.text, word.span),
        }
    }

    fn multibind(&mut self, of: NodeId, name: Option<&Word>, id: Option<&Word>, options: &[BindOption]) {
        if let Some(name) = name {
            self.name(name);
        }
        let base = base_name(self.ast, of);
        if !matches!(base, "Array" | "Hash") && is_built_in_name(base) {
            let text = expression_text(self.ast, of);
            let message = format!("A multibind has an Array or Hash type, got {text}");
            self.report(&rule::MULTIBIND_TYPE, message, self.ast.span(of));
        }
        if name.is_none() && id.is_none() {
            self.report(&rule::MULTIBIND_ID, "A multibind without a name needs an id", self.ast.span(of));
        }
        self.options(options, OF_MULTIBIND);
    }

    // ---- what stands behind `to`

    fn target(&mut self, target: &Target, known: &[&str]) {
        match &target.producer {
            Producer::Expression(id) => self.expression(*id),
            Producer::Query { query: Some(query), .. } => self.query(query),
            _ => {}
        }
        self.options(&target.options, known);
    }

    fn query(&mut self, query: &Query) {
        match query {
            Query::Or(parts) | Query::And(parts) => parts.iter().for_each(|part| self.query(part)),
            Query::Not(inner) => self.query(inner),
            Query::Compare { value: QueryValue::Expression(id), .. } => self.expression(*id),
            Query::Compare { .. } => {}
        }
    }

    fn options(&mut self, options: &[BindOption], known: &[&str]) {
        for (index, option) in options.iter().enumerate() {
            let name = option.name.text.as_str();
            if !known.contains(&name) {
                let help =
                    pantin_base::nearest(name, known.iter().copied()).map(|near| format!("did you mean {near}?"));
                let message = format!("'{name}' is no option of this operation");
                self.found.push(rule::OPTION.with_help(message, option.name.span, help));
                continue;
            }
            if let Some(first) = options[..index].iter().find(|first| first.name.text == name) {
                let mut found = rule::OPTION_TWICE.at(format!("The option '{name}' is given twice"), option.name.span);
                found.related.push(Related { span: first.name.span, note: "the first one".to_owned() });
                self.found.push(found);
                continue;
            }
            self.option_value(option);
        }
    }

    fn option_value(&mut self, option: &BindOption) {
        let (name, id) = (option.name.text.as_str(), option.value);
        let got = literal_type(self.ast, id);
        let (is_right, wanted) = match name {
            "combinator" | "select_result" => (
                matches!(self.ast.node(id), Node::Lambda { .. } | Node::String(_)),
                "a lambda or the name of a function",
            ),
            "singleton" => (got.is_none_or(|got| got == "Boolean"), "a Boolean value"),
            "producer_args" => (got.is_none_or(|got| got == "Hash"), "a Hash value"),
            "map" => {
                if matches!(got, Some("Hash" | "Array")) {
                    self.map(id);
                }
                (matches!(got, Some("Hash" | "Array")), "a hash or an array of names")
            }
            _ => (true, ""),
        };
        if !is_right {
            let message = format!("The option '{name}' expects {wanted}, got {}", got.unwrap_or("an expression"));
            return self.report(&rule::OPTION_VALUE, message, self.ast.span(id));
        }
        self.expression(id);
    }

    /// What a producer, a combinator or an argument may not hold.
    fn expression(&mut self, root: NodeId) {
        let ast = self.ast;
        let known = self.found.len();
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            match ast.node(id) {
                Node::Variable(name) => {
                    let name = ast.text(name);
                    if name.strip_prefix("::").unwrap_or(name).contains("::") {
                        let message = format!("A binding does not see variables of classes, got ${name}");
                        self.report(&rule::CLASS_VARIABLE, message, ast.span(id));
                    }
                }
                _ if declares(ast, id) => {
                    self.report(&rule::STATEMENT, "Nothing can be declared here", ast.span(id));
                    continue;
                }
                Node::Call { functor, .. } if is_declaring(ast, functor) => {
                    self.report(&rule::STATEMENT, "Nothing can be declared here", ast.span(functor));
                    continue;
                }
                Node::Call { functor, args, .. } => {
                    if let Some((name, span)) = function_of_call(ast, functor, args)
                        && DECLARING_FUNCTIONS.contains(&name)
                    {
                        self.report(&rule::STATEMENT, "Nothing can be declared here", span);
                        continue;
                    }
                }
                Node::MethodCall { functor, .. } => {
                    if let Node::NamedAccess { name, .. } = ast.node(functor)
                        && is_declaring(ast, name)
                    {
                        self.report(&rule::STATEMENT, "Nothing can be declared here", ast.span(name));
                        continue;
                    }
                }
                _ => {}
            }
            ast.each_child(id, |child| pending.push(child));
        }
        if self.found.len() == known {
            self.expressions.push(root);
        }
    }
}

/// Returns the function that `call('name', …)` calls, with where its name stands.
pub fn function_of_call(ast: &Ast, functor: NodeId, arguments: List) -> Option<(&str, Span)> {
    let Node::Name(name) = ast.node(functor) else { return None };
    let first = *ast.list(arguments).first().filter(|_| ast.text(name) == "call")?;
    match ast.node(first) {
        Node::String(called) => Some((ast.text(called), ast.span(first))),
        _ => None,
    }
}

const ABSTRACT_NAMES: &str = "Abstract variables are named by literal strings";

/// Returns true if a node declares something, by itself and not by a function.
pub fn declares(ast: &Ast, id: NodeId) -> bool {
    matches!(
        ast.node(id),
        Node::Resource { .. }
            | Node::ResourceDefaults { .. }
            | Node::ResourceOverride { .. }
            | Node::Collect { .. }
            | Node::Relationship { .. }
            | Node::Definition(_)
            | Node::NodeDefinition { .. }
            | Node::TypeAlias { .. }
            | Node::TypeMapping { .. }
            | Node::TypeDefinition { .. }
    )
}

fn is_declaring(ast: &Ast, functor: NodeId) -> bool {
    matches!(ast.node(functor), Node::Name(name) if DECLARING_FUNCTIONS.contains(&ast.text(name)))
}

fn is_hash(ast: &Ast, id: NodeId) -> bool {
    matches!(ast.node(id), Node::Hash(_))
}

fn is_parameter_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_')
        && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
}

/// The type of what is written out; `None` where it has to be worked out.
fn literal_type(ast: &Ast, id: NodeId) -> Option<&'static str> {
    Some(match ast.node(id) {
        Node::Boolean(_) => "Boolean",
        Node::Integer { .. } | Node::BigInteger { .. } => "Integer",
        Node::Float(_) => "Float",
        Node::String(_) | Node::Name(_) | Node::Concat(_) | Node::Heredoc { .. } => "String",
        Node::Regex(_) => "Regexp",
        Node::Array(_) => "Array",
        Node::Hash(_) => "Hash",
        Node::Undef => "Undef",
        Node::Default => "Default",
        Node::TypeName(_) => "Type",
        Node::Lambda { .. } => "a lambda",
        Node::Unary { op: UnaryOp::Paren | UnaryOp::Minus, operand } => return literal_type(ast, operand),
        _ => return None,
    })
}

fn base_name(ast: &Ast, id: NodeId) -> &str {
    match ast.node(id) {
        Node::TypeName(name) => ast.text(name),
        Node::Access { left, .. } => base_name(ast, left),
        _ => "",
    }
}

/// Types of values that everybody knows; what is none may be an alias, or a type of resources.
const BUILT_IN: [&str; 40] = [
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Callable",
    "CatalogEntry",
    "Class",
    "Collection",
    "Data",
    "Default",
    "Enum",
    "Float",
    "Hash",
    "Init",
    "Integer",
    "Iterable",
    "Iterator",
    "Literal",
    "NotUndef",
    "Number",
    "Numeric",
    "Object",
    "Optional",
    "Pattern",
    "Regexp",
    "Resource",
    "RichData",
    "Runtime",
    "Scalar",
    "ScalarData",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "String",
    "Struct",
    "Timespan",
    "Timestamp",
    "Tuple",
    "Type",
    "URI",
];

pub(super) fn is_built_in_name(name: &str) -> bool {
    BUILT_IN.contains(&name) || matches!(name, "Undef" | "Variant")
}

fn is_built_in(ast: &Ast, id: NodeId) -> bool {
    is_built_in_name(base_name(ast, id))
}

/// Types whose values are no data: types themselves, references, what can be called.
fn is_plain(ast: &Ast, id: NodeId) -> bool {
    match ast.node(id) {
        Node::TypeName(name) => {
            let name = ast.text(name);
            is_built_in_name(name)
                && !matches!(
                    name,
                    "Any"
                        | "Callable"
                        | "CatalogEntry"
                        | "Class"
                        | "Init"
                        | "Object"
                        | "Resource"
                        | "Runtime"
                        | "Type"
                        | "Collection"
                        | "Iterable"
                        | "Iterator"
                )
        }
        Node::Access { left, keys } => {
            let is_type = |id| matches!(ast.node(id), Node::TypeName(_) | Node::Access { .. });
            is_plain(ast, left) && ast.list(keys).iter().all(|&key| !is_type(key) || is_plain(ast, key))
        }
        _ => true,
    }
}

/// Returns a key as messages write it, as far as the file alone can tell.
fn key_text(ast: &Ast, key: &Key) -> String {
    let named = key.name.as_ref().map(|name| format!("\"{}\"", name.text));
    match (key.value_type, named) {
        (Some(of), None) => shown_type_text(ast, of),
        (Some(of), Some(name)) if !is_plain(ast, of) => format!("{}, {name}", shown_type_text(ast, of)),
        (_, Some(name)) => format!("Data, {name}"),
        (None, None) => String::new(),
    }
}
