//! How a type prints.

mod object;
mod output;

use std::fmt::{self, Formatter, Write};
use std::sync::Arc;

use pantin_base::number::float_text;
use pantin_base::stack;
use rustc_hash::FxHashSet;

use super::{Alias, CallableType, FloatRange, IntegerRange, Member, ResourceType, RuntimeType, Size, TupleType};
use super::{Type, TypeSet};
use crate::text::{push_regexp, quoted};
use crate::{Regexp, Value};
use output::Output;

/// As messages and `notice` show it: an alias with what it stands for, `Foo = Enum['a', 'b']`; an alias inside another
/// type by its name.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let aliases = match self {
            Type::Alias(_) | Type::Object(_) | Type::TypeSet(_) => Aliases::Expanded,
            _ => Aliases::ByName,
        };
        Printer::new(f, aliases, false).write_type(self)
    }
}

/// A form of a type that [`Type::by_name`] and its like give.
#[derive(Debug)]
pub struct TypeDisplay<'a> {
    of: &'a Type,
    aliases: Aliases,
    exact: bool,
}

impl fmt::Display for TypeDisplay<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Printer::new(f, self.aliases, self.exact).write_type(self.of)
    }
}

impl Type {
    /// Every alias with what it stands for, at any depth: `Array[Foo = Enum['a']]`.
    pub fn display_expanded(&self) -> TypeDisplay<'_> {
        TypeDisplay { of: self, aliases: Aliases::Expanded, exact: false }
    }

    /// All that tells one type from another, such as the value in a string's type, and what aliases stand for, each told once.
    /// For digests.
    pub fn exact(&self) -> TypeDisplay<'_> {
        TypeDisplay { of: self, aliases: Aliases::Expanded, exact: true }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Aliases {
    ByName,
    Expanded,
}

struct Printer<'f, 'g> {
    out: Output<'f, 'g>,
    aliases: Aliases,
    exact: bool,
    /// Where the form is exact: aliases whose types were printed. They are not printed again, for aliases of aliases would double.
    printed: FxHashSet<*const Alias>,
    /// Aliases that hold themselves and are being printed.
    open: Vec<*const Alias>,
    /// Whether one of them was met again: from there on such aliases are printed by name.
    met_again: bool,
    /// The type sets being printed, the innermost last: it calls types by the names they have in it.
    sets: Vec<Arc<TypeSet>>,
}

/// Puts commas between the items of a list.
struct List {
    started: bool,
}

impl<'f, 'g> Printer<'f, 'g> {
    fn new(to: &'f mut Formatter<'g>, aliases: Aliases, exact: bool) -> Printer<'f, 'g> {
        Printer {
            out: Output::new(to, !exact),
            aliases,
            exact,
            printed: FxHashSet::default(),
            open: Vec::new(),
            met_again: false,
            sets: Vec::new(),
        }
    }

    fn write_type(&mut self, of: &Type) -> fmt::Result {
        // Who counts the steps sees that there were too many, whatever was written.
        if self.out.is_over() {
            return Ok(());
        }
        match of {
            Type::Integer(range) => self.integer(*range),
            Type::Float(range) => self.float(*range),
            Type::Boolean(None) => self.out.write_str("Boolean"),
            Type::Boolean(Some(value)) => write!(self.out, "Boolean[{value}]"),
            Type::String(size) => self.sized("String", *size),
            Type::Collection(size) => self.sized("Collection", *size),
            Type::StringValue(text) if self.exact => write!(self.out, "String[{}]", quoted(text)),
            Type::StringValue(_) => self.out.write_str("String"),
            Type::Class(None) => self.out.write_str("Class"),
            Type::Class(Some(name)) => write!(self.out, "Class[{name}]"),
            Type::Resource(None) => self.out.write_str("Resource"),
            Type::Resource(Some(resource)) => self.resource(resource),
            Type::Regexp(None) => self.out.write_str("Regexp"),
            Type::Regexp(Some(regexp)) => write!(self.out, "Regexp[{}]", Delimited(regexp)),
            Type::Reference(name) => {
                write!(self.out, "TypeReference[{}]", quoted(name.as_deref().unwrap_or("UnresolvedReference")))
            }
            Type::Enum(_) | Type::Pattern(_) | Type::SemVer(_) => self.values(of),
            Type::Timespan(bounds) => self.bounds("Timespan", bounds.as_deref()),
            Type::Timestamp(bounds) => self.bounds("Timestamp", bounds.as_deref()),
            _ => match simple_name(of) {
                Some(name) => self.out.write_str(name),
                None => stack::with_room(|| self.composite(of)),
            },
        }
    }

    fn composite(&mut self, of: &Type) -> fmt::Result {
        match of {
            Type::Array(array) if array.size == Size::NONE => self.out.write_str("Array[0, 0]"),
            Type::Array(array) => {
                let bare = array.size == Size::ANY && matches!(array.element, Type::Any);
                self.list("Array", if bare { &[] } else { std::slice::from_ref(&array.element) }, Some(array.size))
            }
            Type::Hash(hash) if hash.size == Size::NONE => self.out.write_str("Hash[0, 0]"),
            Type::Hash(hash)
                if hash.size == Size::ANY && matches!((&hash.key, &hash.value), (Type::Any, Type::Any)) =>
            {
                self.out.write_str("Hash")
            }
            Type::Hash(hash) => {
                self.out.write_str("Hash[")?;
                self.write_type(&hash.key)?;
                self.out.write_str(", ")?;
                self.write_type(&hash.value)?;
                self.size(&mut List { started: true }, hash.size)?;
                self.out.write_str("]")
            }
            Type::Tuple(tuple) if tuple.types.is_empty() && !self.exact => self.out.write_str("Tuple"),
            Type::Tuple(tuple) => self.list("Tuple", &tuple.types, tuple.size),
            Type::Variant(types) => self.list("Variant", types, None),
            Type::Struct(members) => self.members(members),
            Type::Optional(of) => self.around("Optional", of.as_deref(), true),
            Type::NotUndef(of) => self.around("NotUndef", of.as_deref(), true),
            Type::Type(of) => self.around("Type", of.as_deref(), false),
            Type::Sensitive(of) => self.around("Sensitive", of.as_deref(), false),
            Type::Iterable(of) => self.around("Iterable", of.as_deref(), false),
            Type::Iterator(of) => self.around("Iterator", of.as_deref(), false),
            Type::Callable(callable) => self.callable(callable),
            Type::Alias(alias) => self.alias(alias),
            _ => self.rare(of),
        }
    }

    fn rare(&mut self, of: &Type) -> fmt::Result {
        match of {
            Type::Init(Some(init)) => {
                self.out.write_str("Init[")?;
                match &init.target {
                    Some(of) => self.write_type(of)?,
                    None => self.out.write_str("undef")?,
                }
                for arg in &init.args {
                    self.out.write_str(", ")?;
                    self.value(arg)?;
                }
                self.out.write_str("]")
            }
            Type::Runtime(Some(runtime)) => self.runtime(runtime),
            Type::Uri(Some(parameters)) => {
                self.out.write_str("URI[")?;
                self.value(parameters)?;
                self.out.write_str("]")
            }
            Type::Object(object) => self.object(object),
            Type::ObjectExtension(of) => self.extension(&of.0, &of.1),
            Type::TypeSet(set) => self.type_set(set.as_ref()),
            _ => Ok(()),
        }
    }

    fn list(&mut self, name: &str, types: &[Type], size: Option<Size>) -> fmt::Result {
        self.out.write_str(name)?;
        if types.is_empty() && size.is_none_or(|size| !size.is_stated()) {
            return Ok(());
        }
        self.out.write_str("[")?;
        let mut list = List { started: false };
        for of in types {
            list.next(&mut self.out)?;
            self.write_type(of)?;
        }
        if let Some(size) = size {
            self.size(&mut list, size)?;
        }
        self.out.write_str("]")
    }

    /// Writes the bounds as items of a list, where they were stated.
    fn size(&mut self, list: &mut List, size: Size) -> fmt::Result {
        if size.is_stated() {
            list.next(&mut self.out)?;
            write!(self.out, "{}", size.min)?;
            if !size.is_unbounded() {
                write!(self.out, ", {}", size.max)?;
            }
        }
        Ok(())
    }

    fn sized(&mut self, name: &str, size: Size) -> fmt::Result {
        self.list(name, &[], Some(size))
    }

    fn integer(&mut self, range: IntegerRange) -> fmt::Result {
        self.out.write_str("Integer")?;
        match (range.from, range.to) {
            (i64::MIN, i64::MAX) => Ok(()),
            // An extreme that is meant as a number: the type of that number.
            (from, to) if from == to => write!(self.out, "[{from}, {to}]"),
            (i64::MIN, to) => write!(self.out, "[default, {to}]"),
            (from, i64::MAX) => write!(self.out, "[{from}]"),
            (from, to) => write!(self.out, "[{from}, {to}]"),
        }
    }

    fn float(&mut self, range: FloatRange) -> fmt::Result {
        self.out.write_str("Float")?;
        match (range.from == f64::NEG_INFINITY, range.to == f64::INFINITY) {
            (true, true) => Ok(()),
            (true, false) => write!(self.out, "[default, {}]", float_text(range.to)),
            (false, true) => write!(self.out, "[{}]", float_text(range.from)),
            (false, false) => write!(self.out, "[{}, {}]", float_text(range.from), float_text(range.to)),
        }
    }

    fn values(&mut self, of: &Type) -> fmt::Result {
        let mut list = List { started: false };
        match of {
            Type::Enum(of) => {
                self.out.write_str("Enum")?;
                for value in &of.values {
                    list.item(&mut self.out, quoted(value))?;
                }
                if of.case_insensitive && list.started {
                    list.item(&mut self.out, "true")?;
                }
            }
            Type::Pattern(patterns) => {
                self.out.write_str("Pattern")?;
                patterns.iter().try_for_each(|pattern| list.item(&mut self.out, Delimited(pattern)))?;
            }
            Type::SemVer(ranges) => {
                self.out.write_str("SemVer")?;
                ranges.iter().try_for_each(|range| list.item(&mut self.out, format_args!("'{range}'")))?;
            }
            _ => {}
        }
        list.close(&mut self.out)
    }

    fn bounds<T: fmt::Display + PartialEq>(&mut self, name: &str, of: Option<&(Option<T>, Option<T>)>) -> fmt::Result {
        self.out.write_str(name)?;
        let (from, to) = match of {
            None | Some((None, None)) => return Ok(()),
            Some((from, to)) => (from, to),
        };
        match from {
            None => self.out.write_str("[default")?,
            Some(from) => write!(self.out, "['{from}'")?,
        }
        if let Some(to) = to
            && from.as_ref() != Some(to)
        {
            write!(self.out, ", '{to}'")?;
        }
        self.out.write_str("]")
    }

    /// `literal`: a string's value is written in place of its type.
    fn around(&mut self, name: &str, of: Option<&Type>, literal: bool) -> fmt::Result {
        self.out.write_str(name)?;
        match of {
            None => Ok(()),
            Some(Type::StringValue(text)) if literal => write!(self.out, "[{}]", quoted(text)),
            Some(of) => {
                self.out.write_str("[")?;
                self.write_type(of)?;
                self.out.write_str("]")
            }
        }
    }

    fn members(&mut self, members: &[Member]) -> fmt::Result {
        self.out.write_str("Struct")?;
        if members.is_empty() {
            return Ok(());
        }
        self.out.write_str("[{")?;
        let mut list = List { started: false };
        for member in members {
            list.next(&mut self.out)?;
            let name = quoted(&member.name);
            // An exact form needs no answer of another type.
            let accepts_undef = if self.exact { !member.optional } else { member.value.accepts_undef() };
            match (member.optional, accepts_undef) {
                (true, true) | (false, false) => write!(self.out, "{name} => ")?,
                (true, false) => write!(self.out, "Optional[{name}] => ")?,
                (false, true) => write!(self.out, "NotUndef[{name}] => ")?,
            }
            self.write_type(&member.value)?;
        }
        self.out.write_str("}]")
    }

    fn callable(&mut self, callable: &CallableType) -> fmt::Result {
        self.out.write_str("Callable")?;
        match (&callable.params, &callable.returns) {
            (None, None) => return Ok(()),
            (Some(params), None) => {
                self.out.write_str("[")?;
                self.params(params, callable.block.as_ref())?;
            }
            (params, Some(returns)) => {
                self.out.write_str("[[")?;
                if let Some(params) = params {
                    self.params(params, callable.block.as_ref())?;
                }
                self.out.write_str("], ")?;
                self.write_type(returns)?;
            }
        }
        self.out.write_str("]")
    }

    fn params(&mut self, params: &TupleType, block: Option<&Type>) -> fmt::Result {
        let mut list = List { started: false };
        for of in params.types.iter().filter(|of| !matches!(of, Type::Unit)) {
            list.next(&mut self.out)?;
            self.write_type(of)?;
        }
        if params.types.is_empty() {
            list.item_bare(&mut self.out, "0, 0")?;
        } else if let Some(size) = params.size {
            self.size(&mut list, size)?;
        }
        if let Some(block) = block {
            list.next(&mut self.out)?;
            self.write_type(block)?;
        }
        Ok(())
    }

    fn resource(&mut self, resource: &ResourceType) -> fmt::Result {
        if self.exact {
            self.out.write_str(&resource.type_name.to_ascii_lowercase())?;
        } else {
            self.out.write_str(&resource.type_name)?;
        }
        match &resource.title {
            None => Ok(()),
            Some(title) => write!(self.out, "[{}]", quoted(title)),
        }
    }

    fn runtime(&mut self, runtime: &RuntimeType) -> fmt::Result {
        write!(self.out, "Runtime[{}, ", runtime.runtime)?;
        match (&runtime.name, &runtime.pattern) {
            (Some(name), _) => write!(self.out, "{}]", quoted(name)),
            (None, Some((pattern, with))) => write!(self.out, "[{}, {}]]", Delimited(pattern), quoted(with)),
            (None, None) => self.out.write_str("undef]"),
        }
    }

    fn alias(&mut self, alias: &Arc<Alias>) -> fmt::Result {
        if let Some(set) = self.sets.last().cloned() {
            return self.alias_in_set(&set, alias);
        }
        self.out.write_str(alias.name())?;
        if self.aliases == Aliases::ByName || super::names::is_built_in_alias(alias.name()) {
            return Ok(());
        }
        let Some(of) = alias.resolved() else { return Ok(()) };
        if self.was_printed(alias) {
            return Ok(());
        }
        if !alias.is_recursive() {
            self.out.write_str(" = ")?;
            return self.write_type(of);
        }
        let at: *const Alias = alias.as_ref();
        if self.met_again || self.open.contains(&at) {
            self.met_again = true;
            return Ok(());
        }
        self.out.write_str(" = ")?;
        self.open.push(at);
        self.write_type(of)?;
        self.open.pop();
        self.met_again = false;
        Ok(())
    }

    /// Notes that what an alias stands for is printed; true if it was before, and need not be again.
    fn was_printed(&mut self, alias: &Arc<Alias>) -> bool {
        self.exact && !self.printed.insert(Arc::as_ptr(alias))
    }

    /// Writes a value among a type's parameters.
    fn value(&mut self, value: &Value) -> fmt::Result {
        stack::with_room(|| match value {
            Value::String(text) | Value::Unencoded(text) => self.out.write_str(&quoted(text)),
            Value::Float(number) => self.out.write_str(&float_text(*number)),
            Value::Regexp(regexp) => write!(self.out, "{}", Delimited(regexp)),
            Value::Type(of) => self.write_type(of),
            Value::Array(items) => {
                self.out.write_str("[")?;
                let mut list = List { started: false };
                for item in items.iter() {
                    list.next(&mut self.out)?;
                    self.value(item)?;
                }
                self.out.write_str("]")
            }
            Value::Hash(entries) => {
                self.out.write_str("{")?;
                let mut list = List { started: false };
                for (key, value) in entries.iter() {
                    list.next(&mut self.out)?;
                    self.value(key)?;
                    self.out.write_str(" => ")?;
                    self.value(value)?;
                }
                self.out.write_str("}")
            }
            Value::Symbol(name) => self.out.write_str(name),
            Value::Undef | Value::Default | Value::Boolean(_) | Value::Integer(_) | Value::Large(_) => {
                write!(self.out, "{value:?}")
            }
            Value::Timespan(span) => write!(self.out, "'{span}'"),
            Value::Timestamp(time) => write!(self.out, "'{time}'"),
            Value::SemVer(version) => write!(self.out, "'{version}'"),
            Value::SemVerRange(range) => write!(self.out, "'{range}'"),
            Value::Uri(uri) => write!(self.out, "URI('{uri}')"),
            Value::Object(object) => {
                write!(self.out, "{}(", object.class.label())?;
                self.value(&Value::Hash(object.init_hash()))?;
                self.out.write_str(")")
            }
            Value::Binary(_) | Value::Sensitive(_) | Value::Iterator(_) | Value::Resource(_) => {
                self.out.write_str("Instance of ")?;
                self.write_type(&Type::reduced(value))
            }
        })
    }
}

impl List {
    fn next(&mut self, out: &mut Output<'_, '_>) -> fmt::Result {
        if std::mem::replace(&mut self.started, true) { out.write_str(", ") } else { Ok(()) }
    }

    /// Writes an item of a list whose first item opens the bracket.
    fn item(&mut self, out: &mut Output<'_, '_>, item: impl fmt::Display) -> fmt::Result {
        if !self.started {
            out.write_str("[")?;
        }
        self.item_bare(out, item)
    }

    fn item_bare(&mut self, out: &mut Output<'_, '_>, item: impl fmt::Display) -> fmt::Result {
        self.next(out)?;
        write!(out, "{item}")
    }

    fn close(&self, out: &mut Output<'_, '_>) -> fmt::Result {
        if self.started { out.write_str("]") } else { Ok(()) }
    }
}

/// A pattern between slashes.
struct Delimited<'a>(&'a Regexp);

impl fmt::Display for Delimited<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        push_regexp(&mut text, self.0);
        f.write_str(&text)
    }
}

/// Returns the name of a type that prints as its name alone.
fn simple_name(of: &Type) -> Option<&'static str> {
    Some(match of {
        Type::Any => "Any",
        Type::Unit => "Unit",
        Type::Undef => "Undef",
        Type::Default => "Default",
        Type::Scalar => "Scalar",
        Type::ScalarData => "ScalarData",
        Type::Numeric => "Numeric",
        Type::Binary => "Binary",
        Type::SemVerRange => "SemVerRange",
        Type::CatalogEntry => "CatalogEntry",
        Type::Init(None) => "Init",
        Type::Runtime(None) => "Runtime",
        Type::Uri(None) => "URI",
        _ => return None,
    })
}

impl Type {
    /// Returns the name without parameters, as messages use it: `Integer`, and `Alias`-like kinds by their kind.
    pub fn simple_name(&self) -> &'static str {
        match self {
            Type::Integer(_) => "Integer",
            Type::Float(_) => "Float",
            Type::Boolean(_) => "Boolean",
            Type::String(_) | Type::StringValue(_) => "String",
            Type::Enum(_) => "Enum",
            Type::Pattern(_) => "Pattern",
            Type::Regexp(_) => "Regexp",
            Type::Collection(_) => "Collection",
            Type::Array(_) => "Array",
            Type::Hash(_) => "Hash",
            Type::Tuple(_) => "Tuple",
            Type::Struct(_) => "Struct",
            Type::Variant(_) => "Variant",
            Type::Optional(_) => "Optional",
            Type::NotUndef(_) => "NotUndef",
            Type::Type(_) => "Type",
            Type::Sensitive(_) => "Sensitive",
            Type::Iterable(_) => "Iterable",
            Type::Iterator(_) => "Iterator",
            Type::Init(_) => "Init",
            Type::Callable(_) => "Callable",
            Type::Runtime(_) => "Runtime",
            Type::Timespan(_) => "Timespan",
            Type::Timestamp(_) => "Timestamp",
            Type::SemVer(_) => "SemVer",
            Type::Uri(_) => "URI",
            Type::Object(_) | Type::ObjectExtension(_) => "Object",
            Type::TypeSet(_) => "TypeSet",
            Type::Alias(_) => "TypeAlias",
            Type::Reference(_) => "TypeReference",
            Type::Resource(_) => "Resource",
            Type::Class(_) => "Class",
            _ => simple_name(self).unwrap_or("Any"),
        }
    }
}
