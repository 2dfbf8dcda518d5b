//! Types out of their text, as functions' signatures and `Type('…')` give them.
//!
//! The rules are a little other than those of `[]` in a manifest: what is no type here is a word, and a name that
//! nothing resolves is a type reference.

use std::sync::Arc;

use pantin_base::{Source, Span, stack};
use pantin_syntax::ast::{Ast, Node, NodeId, UnaryOp};

use super::access::{as_type_name, compiled, type_of};
use super::access::{callable_of, class_name, float_range, is_bound, is_type_name, pattern_of, range_of, struct_of};
use super::{InitType, RuntimeType, Size, Type};
use crate::sprintf::inspect;
use crate::{Fault, Hash, Regexp, Resolve, Value, mismatch};

/// The type a text stands for.
pub fn parse(text: &str, resolve: &mut dyn Resolve) -> Result<Type, Fault> {
    if text == "Array[1]" {
        // Known as a whole, though its parts would not do.
        return Ok(Type::array(Type::Any, Size { min: 1, max: Size::UNBOUNDED }));
    }
    let ast = syntax_tree(text)?;
    Interpreter { ast: &ast, resolve }.whole()
}

/// Returns the type that an expression of a source stands for: that of an alias, or of a parameter of a function in
/// Ruby.
pub fn interpret(ast: &Ast, expression: NodeId, resolve: &mut dyn Resolve) -> Result<Type, Fault> {
    Interpreter { ast, resolve }.interpret(expression)
}

/// Returns the value that a literal in the definition of a type stands for: what `Object` or `TypeSet` is made of.
pub fn literal(ast: &Ast, expression: NodeId, resolve: &mut dyn Resolve) -> Result<Value, Fault> {
    Interpreter { ast, resolve }.value(expression)
}

fn syntax_tree(text: &str) -> Result<Ast, Fault> {
    let source = Source::new(None, text).map_err(|_| Fault::new("A type specification cannot be read"))?;
    let settings = pantin_syntax::Settings::default();
    // One that knows its place in the text stands for itself; the end of a text is no place.
    pantin_syntax::parse(Arc::new(source), pantin_syntax::SourceKind::Manifest, settings).result.map_err(|error| {
        let line = error.one_line(None);
        if line == error.message {
            return Fault::issue(error.code, line);
        }
        Fault::located(line).seen_in(None, error)
    })
}

struct Interpreter<'a> {
    ast: &'a Ast,
    resolve: &'a mut dyn Resolve,
}

impl Interpreter<'_> {
    fn whole(&mut self) -> Result<Type, Fault> {
        self.interpret(self.ast.root())
    }

    fn interpret(&mut self, id: NodeId) -> Result<Type, Fault> {
        match self.value(id)? {
            Value::Type(of) => Ok(of),
            _ => Err(self.not_a_type(id)),
        }
    }

    fn value(&mut self, id: NodeId) -> Result<Value, Fault> {
        stack::with_room(|| match self.ast.node(id) {
            Node::Undef => Ok(Value::Undef),
            Node::Default => Ok(Value::Default),
            Node::Boolean(value) => Ok(Value::Boolean(value)),
            Node::Integer { value, .. } => Ok(Value::Integer(value)),
            Node::Float(value) => Ok(Value::Float(value)),
            Node::String(text) | Node::Name(text) => Ok(Value::string(self.ast.text(text))),
            Node::Regex(text) => Ok(Value::Regexp(Arc::new(Regexp::new(self.ast.text(text), Default::default())))),
            Node::Heredoc { text, .. } => self.value(text),
            Node::Array(items) => self.values(self.ast.list(items)).map(Value::array),
            Node::Hash(entries) => self.hash(self.ast.list(entries)),
            Node::Unary { op: UnaryOp::Minus, operand } => match self.value(operand)? {
                Value::Integer(value) => Ok(Value::Integer(value.wrapping_neg())),
                Value::Float(value) => Ok(Value::Float(-value)),
                _ => Err(self.not_a_type(id)),
            },
            Node::TypeName(name) => self.name(self.ast.text(name)).map(Value::Type),
            Node::Access { left, keys } => self.access(id, left, self.ast.list(keys)),
            _ => Err(self.not_a_type(id)),
        })
    }

    fn values(&mut self, ids: &[NodeId]) -> Result<Vec<Value>, Fault> {
        ids.iter().map(|id| self.value(*id)).collect()
    }

    fn hash(&mut self, entries: &[NodeId]) -> Result<Value, Fault> {
        let mut hash = Hash::default();
        for entry in entries {
            if let Node::Entry { key, value } = self.ast.node(*entry) {
                let key = self.value(key)?;
                hash.insert(key, self.value(value)?);
            }
        }
        Ok(Value::Hash(hash))
    }

    fn name(&mut self, name: &str) -> Result<Type, Fault> {
        Ok(self.known(name)?.unwrap_or_else(|| Type::Reference(Some(name.into()))))
    }

    fn known(&mut self, name: &str) -> Result<Option<Type>, Fault> {
        match super::built_in_type(name) {
            Some(of) => Ok(Some(of)),
            None => self.resolve.resolve(name),
        }
    }

    fn access(&mut self, id: NodeId, left: NodeId, keys: &[NodeId]) -> Result<Value, Fault> {
        self.check_initializer(left, keys)?;
        let keys = self.values(keys)?;
        let Node::TypeName(name) = self.ast.node(left) else { return Err(self.not_a_type(id)) };
        let name = self.ast.text(name);
        let lower = name.to_lowercase();
        let bare = lower.strip_prefix("::").unwrap_or(&lower);
        match bare {
            "array" | "hash" | "collection" | "tuple" | "struct" | "string" | "callable" => self.sized(id, bare, &keys),
            "integer" | "float" => self.range(bare, &keys),
            "class" | "resource" => self.reference(bare, &keys),
            "regexp" | "enum" | "pattern" | "boolean" | "uri" | "timespan" | "timestamp" | "semver" | "runtime" => {
                scalar(bare, &keys).map(Value::Type)
            }
            "variant" | "init" | "iterable" | "iterator" | "sensitive" | "optional" | "notundef" | "type"
            | "object" | "typeset" => self.around(id, bare, &keys).map(Value::Type),
            "any" | "data" | "catalogentry" | "scalar" | "undef" | "numeric" | "default" | "semverrange" => {
                Err(not_parameterized(name))
            }
            _ => self.other(id, name, &keys).map(Value::Type),
        }
    }

    /// What an object type is made of is looked at as it is written.
    fn check_initializer(&self, left: NodeId, keys: &[NodeId]) -> Result<(), Fault> {
        match (self.ast.node(left), keys) {
            (Node::TypeName(name), [key]) if self.ast.text(name) == "Object" => match self.ast.node(*key) {
                Node::Hash(_) => Ok(()),
                other => Err(Fault::new(format!(
                    "object initializer has wrong type, expects a Struct value, got Puppet::AST::{}",
                    other.model_class()
                ))),
            },
            _ => Ok(()),
        }
    }

    /// Types that nobody built in here: references of resources, object types.
    fn other(&mut self, id: NodeId, name: &str, keys: &[Value]) -> Result<Type, Fault> {
        match self.known(name)? {
            None => Ok(Type::Reference(Some(self.text(id).into()))),
            Some(Type::Resource(Some(resource))) => match keys {
                [title] => resource_of(&resource.type_name, title),
                _ => Err(wrong_count(name, "1", keys.len())),
            },
            Some(Type::Object(object)) if object.name.is_some() => crate::object::extend(&object, keys),
            Some(_) => Err(not_parameterized(name)),
        }
    }

    fn sized(&mut self, id: NodeId, name: &str, keys: &[Value]) -> Result<Value, Fault> {
        let made = match name {
            "array" => self.array(id, keys)?,
            "hash" => self.hash_type(id, keys)?,
            "collection" => Type::Collection(self.lone_size(id, "Collection", keys)?),
            "string" => Type::String(self.lone_size(id, "String", keys)?),
            "tuple" => self.tuple(id, keys)?,
            "callable" => {
                if keys.len() > 2 && matches!(keys[0], Value::Array(_)) {
                    return Err(wrong_count("callable", "2 when first parameter is an array", keys.len()));
                }
                callable_of(keys)?
            }
            _ => match keys {
                [Value::Hash(members)] => struct_of(members)?,
                [_] => return Err(self.not_a_type(id)),
                _ => return Err(wrong_count("Struct", "1", keys.len())),
            },
        };
        Ok(Value::Type(made))
    }

    fn array(&self, id: NodeId, keys: &[Value]) -> Result<Type, Fault> {
        match keys {
            [of] => Ok(Type::array_of(self.a_type(id, of)?)),
            [Value::Type(of), size] => Ok(Type::array(of.clone(), self.size(id, size)?)),
            // Puppet takes the type to be that of the word "default" here.
            [_, _] => Ok(Type::array(Type::Default, self.bounds(id, keys)?)),
            [of, size @ ..] if size.len() == 2 => {
                let of = self.a_type(id, of)?;
                Ok(Type::array(of, self.bounds(id, size)?))
            }
            _ => Err(wrong_count("Array", "1 to 3", keys.len())),
        }
    }

    fn hash_type(&self, id: NodeId, keys: &[Value]) -> Result<Type, Fault> {
        let (key, value, size) = match keys {
            [Value::Type(key), Value::Type(value)] => return Ok(Type::hash_of(key.clone(), value.clone())),
            [_, _] => return Ok(Type::hash(Type::Default, Type::Default, self.bounds(id, keys)?)),
            [key, value, size @ ..] if matches!(size.len(), 1 | 2) => {
                (self.a_type(id, key)?, self.a_type(id, value)?, size)
            }
            _ => return Err(wrong_count("Hash", "2 to 4", keys.len())),
        };
        let size = match size {
            [size] => self.size(id, size)?,
            bounds => self.bounds(id, bounds)?,
        };
        Ok(Type::hash(key, value, size))
    }

    fn lone_size(&self, id: NodeId, name: &str, keys: &[Value]) -> Result<Size, Fault> {
        match keys {
            [size] => self.size(id, size),
            [_, _] => self.bounds(id, keys),
            _ => Err(wrong_count(name, "1 to 2", keys.len())),
        }
    }

    fn size(&self, id: NodeId, key: &Value) -> Result<Size, Fault> {
        match key {
            Value::Type(Type::Integer(range)) => Ok(Size::from_range(*range)),
            _ => self.bounds(id, std::slice::from_ref(key)),
        }
    }

    fn bounds(&self, id: NodeId, keys: &[Value]) -> Result<Size, Fault> {
        if keys.iter().all(|key| is_bound(Some(key))) {
            range_of(keys).map(Size::from_range)
        } else {
            Err(self.not_a_type(id))
        }
    }

    fn tuple(&self, id: NodeId, keys: &[Value]) -> Result<Type, Fault> {
        let bounds = match keys {
            [.., min, _] if is_bound(Some(min)) => 2,
            [.., min] if is_bound(Some(min)) => 1,
            _ => 0,
        };
        let (types, size) = keys.split_at(keys.len() - bounds);
        let size = if bounds == 0 { None } else { Some(self.bounds(id, size)?) };
        Ok(Type::tuple(types.iter().map(type_of).collect::<Result<_, _>>()?, size))
    }

    /// What is no number makes no type at all, which is for who asked to say.
    fn range(&self, name: &str, keys: &[Value]) -> Result<Value, Fault> {
        let label = if name == "integer" { "Integer" } else { "Float" };
        match keys {
            [] | [_, _, _, ..] => return Err(wrong_count(label, "1 or 2", keys.len())),
            [one] => match (name, one) {
                (_, Value::Integer(_) | Value::Default) | ("float", Value::Float(_)) => {}
                _ => return Ok(Value::Undef),
            },
            _ => {}
        }
        for key in keys {
            match (name, key) {
                (_, Value::Integer(_) | Value::Default | Value::Undef) | ("float", Value::Float(_)) => {}
                ("float", Value::String(text)) => {
                    return Err(Fault::new(format!("invalid value for Float(): {}", inspect(&text.clone().into()))));
                }
                _ => return Err(no_range(keys)),
            }
        }
        let made = if name == "integer" { Type::Integer(range_of(keys)?) } else { Type::Float(float_range(keys)?) };
        Ok(Value::Type(made))
    }

    fn reference(&mut self, name: &str, keys: &[Value]) -> Result<Value, Fault> {
        let made = match (name, keys) {
            ("class", [Value::Undef]) => Type::Class(None),
            ("class", [Value::String(name)]) => Type::Class(Some(name.strip_prefix("::").unwrap_or(name).into())),
            ("class", [other]) => {
                return Err(Fault::new(format!("undefined method `sub' for {other:?}:{}", class_name(other))));
            }
            ("class", _) => return Err(wrong_count("Class", "1", keys.len())),
            _ => self.resource(keys)?,
        };
        Ok(Value::Type(made))
    }

    fn resource(&mut self, keys: &[Value]) -> Result<Type, Fault> {
        if let [Value::Type(reference @ Type::Reference(Some(text))), ..] = keys {
            let Some(bracket) = text.find('[') else {
                return named_resource(&Value::string(&**text), &keys[1..]);
            };
            // The title stands in the text of the reference.
            let ast = syntax_tree(&text[bracket..])?;
            let titles = match (Interpreter { ast: &ast, resolve: self.resolve }).value(ast.root())? {
                Value::Array(titles) => titles,
                other => [other].into_iter().collect(),
            };
            if titles.len() != 1 {
                return Err(wrong_count(&reference.to_string(), "1", titles.len()));
            }
            return named_resource(&Value::string(&text[..bracket]), &titles);
        }
        match keys {
            [type_name, titles @ ..] if titles.len() <= 1 => named_resource(type_name, titles),
            _ => Err(wrong_count("Resource", "1 or 2", keys.len())),
        }
    }

    fn around(&mut self, id: NodeId, name: &str, keys: &[Value]) -> Result<Type, Fault> {
        match (name, keys) {
            ("variant", []) => Err(wrong_count("Variant", "1 or more", 0)),
            ("variant", _) => {
                let types: Result<Vec<Type>, Fault> = keys.iter().map(|key| self.a_type(id, key)).collect();
                types.map(Type::variant)
            }
            ("init", []) => Err(self.not_a_type(id)),
            ("init", [of, args @ ..]) => {
                let of = Some(self.a_type(id, of)?);
                Ok(Type::Init(Some(Arc::new(InitType { target: of, args: args.to_vec() }))))
            }
            ("iterable", [of]) => Ok(Type::iterable(self.a_type(id, of)?)),
            ("iterator", [of]) => Ok(Type::Iterator(Some(self.a_type(id, of)?.into()))),
            ("type", [of]) => Ok(Type::type_of(self.a_type(id, of)?)),
            ("sensitive", [of]) => Ok(Type::sensitive(&self.a_type(id, of)?)),
            ("optional", [Value::String(text)]) => Ok(Type::optional(Type::StringValue(text.clone()))),
            ("optional", [of]) => Ok(Type::optional(self.a_type(id, of)?)),
            ("notundef", [Value::String(text)]) => Ok(Type::not_undef(Type::StringValue(text.clone()))),
            ("notundef", [of]) => Ok(Type::not_undef(self.a_type(id, of)?)),
            ("object" | "typeset", [_]) => {
                let of = super::names::built_in(name).unwrap_or(Type::Any);
                match super::access(&of, keys, self.resolve)? {
                    Value::Type(of) => Ok(of),
                    _ => Err(self.not_a_type(id)),
                }
            }
            ("sensitive", _) => Err(wrong_count("Sensitive", "0 to 1", keys.len())),
            ("notundef", _) => Err(wrong_count("NotUndef", "0 to 1", keys.len())),
            ("typeset", _) => Err(wrong_count("Object", "1", keys.len())),
            _ => Err(wrong_count(&as_type_name(name), "1", keys.len())),
        }
    }

    fn a_type(&self, id: NodeId, key: &Value) -> Result<Type, Fault> {
        match key {
            Value::Type(of) => Ok(of.clone()),
            _ => Err(self.not_a_type(id)),
        }
    }

    fn not_a_type(&self, id: NodeId) -> Fault {
        Fault::new(format!("The expression <{}> is not a valid type specification.", self.text(id)))
    }

    /// Returns the text of an expression and all that is in it.
    fn text(&self, id: NodeId) -> &str {
        let mut whole = self.ast.span(id);
        let mut pending = vec![id];
        while let Some(next) = pending.pop() {
            let span = self.ast.span(next);
            whole = Span::between(whole.start.min(span.start), whole.end().max(span.end()));
            self.ast.each_child(next, |child| pending.push(child));
        }
        &self.ast.source().text()[whole.range()]
    }
}

fn scalar(name: &str, keys: &[Value]) -> Result<Type, Fault> {
    match (name, keys) {
        ("regexp", [Value::Undef | Value::Boolean(false)]) => Ok(Type::Regexp(None)),
        ("regexp", [Value::Regexp(regexp)]) => Ok(Type::Regexp(Some(regexp.clone()))),
        ("regexp", [Value::String(text)]) => compiled(text).map(|regexp| Type::Regexp(Some(regexp))),
        ("regexp", [other]) => Err(Fault::new(format!("no implicit conversion of {} into String", class_name(other)))),
        ("regexp", _) => Err(wrong_count("Regexp", "1", keys.len())),
        ("enum", _) => enumeration(keys),
        ("pattern", []) => Err(wrong_count("Pattern", "1 or more", 0)),
        ("pattern", _) => pattern_of(keys),
        ("boolean", [Value::Boolean(value)]) => Ok(Type::Boolean(Some(*value))),
        ("boolean", [_]) => Err(Fault::new("Boolean parameter must be true or false")),
        ("boolean", _) => Err(wrong_count("Boolean", "1", keys.len())),
        // What is nothing to make a URI of is as good as nothing.
        ("uri", [Value::Hash(_) | Value::String(_) | Value::Uri(_)]) => {
            super::uri::parameterized(&keys[0]).ok_or_else(|| Fault::new("URI-Type parameter has wrong type"))
        }
        ("uri", [_]) => Ok(Type::Uri(None)),
        ("uri", _) => Err(wrong_count("URI", "1", keys.len())),
        ("timespan", [_] | [_, _]) => super::scalars::timespan(keys),
        ("timespan", _) => Err(wrong_count("Timespan", "0 to 2", keys.len())),
        ("timestamp", [_] | [_, _]) => super::scalars::timestamp(keys),
        ("timestamp", _) => Err(wrong_count("Timestamp", "0 to 2", keys.len())),
        ("semver", []) => Err(wrong_count("SemVer", "1 or more", 0)),
        ("semver", _) => super::scalars::sem_ver(keys),
        _ => runtime(keys),
    }
}

fn enumeration(keys: &[Value]) -> Result<Type, Fault> {
    let (values, case_insensitive) = match keys {
        [values @ .., Value::Boolean(case_insensitive)] => (values, *case_insensitive),
        _ => (keys, false),
    };
    if values.is_empty() {
        return Err(wrong_count("Enum", "1 or more", 0));
    }
    let texts: Option<Vec<_>> = values.iter().map(|value| value.as_str().map(Into::into)).collect();
    match texts {
        Some(texts) => Ok(Type::enumeration(texts, case_insensitive)),
        None => Err(Fault::new("Enum parameters must be identifiers or strings")),
    }
}

fn runtime(keys: &[Value]) -> Result<Type, Fault> {
    let [runtime, name] = keys else { return Err(wrong_count("Runtime", "2", keys.len())) };
    let Value::String(runtime) = runtime else {
        let given = Type::reduced(runtime).generalize();
        return Err(Fault::new(format!("Runtime 'runtime' has wrong type, expects a String value, got {given}")));
    };
    let (name, pattern) = match name {
        Value::Undef => (None, None),
        Value::String(name) if !name.is_empty() => (Some(name.clone()), None),
        name => {
            let text = Type::String(Size::NOT_EMPTY);
            let replaced = Type::tuple(vec![Type::Regexp(None), text.clone()], None);
            mismatch::assert_instance("Runtime 'name_or_pattern'", &Type::variant([text, replaced]), name)?;
            let Value::Array(pair) = name else { return Ok(Type::Runtime(None)) };
            match &pair[..] {
                [Value::Regexp(pattern), Value::String(with)] => (None, Some((pattern.clone(), with.clone()))),
                _ => (None, None),
            }
        }
    };
    Ok(Type::Runtime(Some(Arc::new(RuntimeType { runtime: runtime.clone(), name, pattern }))))
}

fn named_resource(type_name: &Value, titles: &[Value]) -> Result<Type, Fault> {
    let title = titles.first().unwrap_or(&Value::Undef);
    match type_name {
        Value::Type(Type::Resource(resource)) => {
            resource.as_ref().map_or(Ok(Type::Resource(None)), |resource| resource_of(&resource.type_name, title))
        }
        Value::String(name) => {
            let name = as_type_name(name);
            if is_type_name(&name) {
                resource_of(&name, title)
            } else {
                Err(Fault::new(format!("Illegal type name '{name}'")))
            }
        }
        Value::Undef if title.is_undef() => Ok(Type::Resource(None)),
        Value::Undef => Err(Fault::new("The type name cannot be nil, if title is given")),
        other => Err(Fault::new(format!("The type name cannot be a {}", class_name(other)))),
    }
}

fn resource_of(type_name: &str, title: &Value) -> Result<Type, Fault> {
    let title = match title {
        Value::Undef => None,
        Value::String(title) => Some(title.clone()),
        other => {
            let class = class_name(other);
            return Err(Fault::new(format!("Cannot use {class} where a resource title String is expected")));
        }
    };
    Ok(Type::resource(type_name, title))
}

fn not_parameterized(name: &str) -> Fault {
    Fault::new(format!("Not a parameterized type <{name}>"))
}

/// Returns what Ruby says of two bounds of which one is no number.
fn no_range(keys: &[Value]) -> Fault {
    let bound = |at: usize, unstated: f64| match keys.get(at) {
        None | Some(Value::Undef | Value::Default) => Value::Float(unstated),
        Some(key) => key.clone(),
    };
    let (from, to) = (bound(0, f64::NEG_INFINITY), bound(1, f64::INFINITY));
    let to = match to {
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => inspect(&to),
        _ => class_name(&to),
    };
    Fault::new(format!("comparison of {} with {to} failed", class_name(&from)))
}

fn wrong_count(name: &str, needed: &str, given: usize) -> Fault {
    Fault::new(format!("Invalid number of type parameters specified: {name} requires {needed}, {given} provided"))
}
