//! What the classes that are built in can do: one file a family, each with its table of methods.

mod address;
mod array;
mod array_change;
mod array_sets;
mod binding;
mod bits;
pub(super) mod broken;
mod bsearch;
mod convert;
mod copy;
mod digest;
mod encode;
mod enumerable;
mod enumerators;
mod exception;
mod file;
mod format;
mod hash;
mod hash_change;
pub(super) mod in_bytes;
mod json;
mod kdf;
mod kernel;
mod least;
mod letters;
mod libraries;
mod library;
mod lines;
mod module;
mod nested;
mod normal_form;
mod numeric;
mod object;
mod order;
mod packing;
mod proc;
mod random;
mod range;
mod rational;
mod regexp;
mod required;
mod resolv;
mod rexml;
mod rounding;
mod scalar;
mod secure_random;
mod set;
mod stream;
mod string;
mod string_change;
mod string_parts;
mod structure;
mod substitute;
mod successor;
mod sum;
mod times;
mod uri;
mod uri_parser;
mod versions;
mod visibility;
mod yaml;
mod zlib;

use rustc_hash::{FxHashMap, FxHashSet};

use super::class::{Class, Core, core_named};
use super::interp::{CallArguments, Interp, Method, match_of};
use super::native::{Side, Table};
use super::stop::Flow;
use super::value::{Data, Match, Value};
pub(super) use address::Address;
pub(super) use binding::{Binding, is_local};
pub(super) use copy::is_frozen;
pub(super) use digest::Digesting;
pub(super) use encode::{Piece, join as join_texts, pieces};
pub(super) use enumerators::{Lazy, Source};
pub(crate) use file::{dirname, joined_to};
pub use kernel::is_built_in_library;
pub(super) use library::standard_error::standard_error;
pub(super) use order::extreme_of_written;
pub(super) use random::Generator;
pub(super) use rational::{Fraction, order as order_of_rationals, rational_of};
pub(super) use required::library_of_constant;
pub(super) use rexml::{XmlNode, is_own_variable, own_variable};
pub(super) use stream::Stream;
pub(super) use successor::successor;
pub(super) use times::Moment;
pub(super) use uri::UriParts;
pub(super) use versions::GemVersion;

pub(super) fn tables() -> Vec<Table> {
    [
        object::TABLES,
        copy::TABLES,
        kernel::TABLES,
        binding::TABLES,
        module::TABLES,
        visibility::TABLES,
        scalar::TABLES,
        numeric::TABLES,
        bits::TABLES,
        bsearch::TABLES,
        rounding::TABLES,
        string::TABLES,
        encode::TABLES,
        string_change::TABLES,
        string_parts::TABLES,
        lines::TABLES,
        letters::TABLES,
        substitute::TABLES,
        array::TABLES,
        array_change::TABLES,
        array_sets::TABLES,
        nested::TABLES,
        packing::TABLES,
        hash::TABLES,
        hash_change::TABLES,
        enumerable::TABLES,
        order::TABLES,
        range::TABLES,
        rational::TABLES,
        regexp::TABLES,
        proc::TABLES,
        exception::TABLES,
        set::TABLES,
        structure::TABLES,
        libraries::TABLES,
        digest::TABLES,
        kdf::TABLES,
        json::TABLES,
        file::TABLES,
        address::TABLES,
        uri::TABLES,
        uri_parser::TABLES,
        normal_form::TABLES,
        yaml::TABLES,
        versions::TABLES,
        zlib::TABLES,
        stream::TABLES,
        random::TABLES,
        secure_random::TABLES,
        &library::tables(),
        &rexml::tables(),
        &resolv::tables(),
        &times::tables(),
        &enumerators::tables(),
        &super::puppet::tables(),
    ]
    .concat()
}

/// Returns the methods that Ruby has, as Ruby itself lists them.
pub(super) fn known_methods() -> FxHashMap<(Class, Side), FxHashSet<&'static str>> {
    let mut known = FxHashMap::default();
    for line in include_str!("known_methods.txt").lines() {
        let Some((name, methods)) = line.split_once(": ") else { continue };
        let (name, side) = match name.strip_suffix('.') {
            Some(name) => (name, Side::Class),
            None => (name, Side::Instance),
        };
        if let Some(class) = core_named(name) {
            known.insert((class, side), methods.split(' ').collect());
        }
    }
    known
}

/// Returns a constant that is no class.
pub(super) fn constant(path: &str) -> Option<Value> {
    Some(match path {
        "STDERR" => standard_error(),
        "Float::INFINITY" => Value::Float(f64::INFINITY),
        "Float::NAN" => Value::Float(f64::NAN),
        "Float::EPSILON" => Value::Float(f64::EPSILON),
        "Float::MAX" => Value::Float(f64::MAX),
        "Float::MIN" => Value::Float(f64::MIN_POSITIVE),
        "Math::PI" => Value::Float(std::f64::consts::PI),
        "Math::E" => Value::Float(std::f64::consts::E),
        "RUBY_VERSION" => Value::text("3.1.2"),
        "RUBY_ENGINE" => Value::text("ruby"),
        "RUBY_PLATFORM" => Value::text("x86_64-linux-gnu"),
        "Psych::VERSION" => Value::text("4.0.3"),
        "File::SEPARATOR" | "File::Separator" => Value::text("/"),
        "File::PATH_SEPARATOR" => Value::text(":"),
        "File::ALT_SEPARATOR" => Value::Nil,
        "Regexp::IGNORECASE" => Value::Int(1),
        "Regexp::EXTENDED" => Value::Int(2),
        "Regexp::MULTILINE" => Value::Int(4),
        _ => {
            return times::constant(path)
                .or_else(|| encode::constant(path))
                .or_else(|| rexml::constant(path))
                .or_else(|| resolv::constant(path))
                .or_else(|| uri_parser::constant(path));
        }
    })
}

/// Returns true if Ruby itself has a constant of this name, which may not be here.
pub(super) fn is_core_constant(name: &str) -> bool {
    const CORE: &[&str] = &[
        "ENV",
        "ARGV",
        "STDIN",
        "STDOUT",
        "Process",
        "Thread",
        "Mutex",
        "Queue",
        "ObjectSpace",
        "GC",
        "Kernel",
        "Marshal",
        "Complex",
        "Random",
        "Signal",
        "Fiber",
        "Encoding",
        "Gem",
        "Ractor",
        "TracePoint",
        "Binding",
        "UnboundMethod",
        "Time",
        "Math",
        "ARGF",
        "RubyVM",
        "Warning",
        "Monitor",
    ];
    CORE.contains(&name)
}

/// Returns true if Ruby or Puppet has a constant of this name that is not here.
pub(super) fn is_known_constant(path: &str) -> bool {
    let first = path.split("::").next().unwrap_or(path);
    const ADDED: [&str; 3] = ["Hiera", "Bundler", "WeakRef"];
    is_core_constant(first) || ADDED.contains(&first) || required::has_constant(first) || path.starts_with("Puppet::")
}

impl Interp<'_> {
    /// A method that Ruby has and that is not here, as an error names it.
    pub(super) fn unknown_core_method(&self, class: Class, receiver: &Value, name: &str) -> Option<String> {
        if let Value::Class(of) = receiver {
            let mut next = Some(*of);
            while let Some(class) = next {
                if self.tables.is_known(class, Side::Class, name) {
                    return Some(format!("{}.{name}", self.classes.name(*of)));
                }
                next = self.classes.parent(class);
            }
        }
        let ancestors = self.classes.ancestors(class);
        let has = ancestors.iter().any(|class| self.tables.is_known(*class, Side::Instance, name));
        if has {
            return Some(format!("{}#{name}", self.classes.name(class)));
        }
        let library = required::lacking_method(name, |library| self.has_library(library))?;
        Some(format!("{name} of the library {library}"))
    }

    /// Returns true if a library is loaded: by Puppet, or by code that asked for it. A slash at the end: any file of a
    /// folder.
    pub(super) fn has_library(&self, name: &str) -> bool {
        required::is_loaded_by_puppet(name)
            || self.loaded.contains(name)
            || name.ends_with('/') && self.loaded.iter().any(|loaded| loaded.starts_with(name))
    }

    /// Returns a name that was probably meant: not worked out for Ruby code.
    pub(super) fn did_you_mean(&self, _receiver: &Value, _name: &str) -> Option<String> {
        None
    }

    /// Returns the text that a method of a text is called on.
    pub(super) fn own_text(&mut self, given: &CallArguments<'_>) -> Flow<String> {
        match given.receiver {
            Value::String(text) => self.str_of(text),
            Value::Symbol(name) => Ok(name.to_string()),
            _ => self.raise(Core::TypeError, "this is no text"),
        }
    }

    /// A part of a part: `dig` with the keys that remain.
    pub(super) fn dig_on(&mut self, found: Value, keys: &[Value]) -> Flow {
        if keys.is_empty() || found.is_nil() {
            return Ok(found);
        }
        if !self.responds(&found, "dig")? {
            let of = self.class_name_of(&found);
            return self.raise(Core::TypeError, format!("{of} does not have #dig method"));
        }
        self.send(&found, "dig", keys)
    }

    pub(crate) fn frozen<T>(&mut self, value: &Value) -> Flow<T> {
        let (of, shown) = (self.class_name_of(value), self.inspect(value)?);
        self.raise(Core::FrozenError, format!("can't modify frozen {of}: {shown}"))
    }

    /// An enumerator in the place of a block that was not given.
    pub(super) fn enumerator(&mut self, given: &CallArguments<'_>) -> Flow {
        let data =
            Data::Enumerator { receiver: given.receiver.clone(), method: given.name.into(), args: given.rest(0) };
        Ok(Value::object(Core::Enumerator.class(), data))
    }
}

/// Returns an object of a class that is built in, as text.
pub(super) fn object_text(interp: &mut Interp<'_>, value: &Value, inspect: bool) -> Flow<String> {
    let Value::Object(object) = value else { return Ok(String::new()) };
    let name = interp.class_name_of(value);
    if let Data::Exception(_) = &*object.data.borrow() {
        return exception_text(interp, value, inspect);
    }
    if let Data::Digest(digesting) = &*object.data.borrow() {
        return Ok(digest::digest_text(digesting, &name, inspect));
    }
    if let Some(found) = match_of(value) {
        return match_text(interp, &found, inspect);
    }
    let lazy = match &*object.data.borrow() {
        Data::Lazy(lazy) => Some(lazy.clone()),
        _ => None,
    };
    if let Some(lazy) = lazy {
        return enumerators::lazy_text(interp, &lazy);
    }
    let set = match &*object.data.borrow() {
        Data::Set(table) => Some(table.keys()),
        _ => None,
    };
    if let Some(items) = set {
        let shown = interp.inspect(&Value::array(items))?;
        return Ok(format!("#<{}: {{{}}}>", interp.class_name_of(value), &shown[1..shown.len() - 1]));
    }
    if let Data::Encoding(encoding) = &*object.data.borrow() {
        let name = encoding.name();
        return Ok(if inspect { format!("#<Encoding:{name}>") } else { name.to_owned() });
    }
    let enumerated = match &*object.data.borrow() {
        Data::Enumerator { receiver, method, args } => {
            Some((receiver.clone(), method.clone(), args.values.clone(), args.keywords))
        }
        _ => None,
    };
    if let (Some((receiver, method, args, keywords)), true) = (enumerated, inspect) {
        let is_number = |value: &Value| matches!(value, Value::Int(_) | Value::Big(_) | Value::Float(_));
        let steps = match &receiver {
            Value::Range(range) => is_number(&range.from) && matches!(method.as_str(), "step" | "%"),
            other => is_number(other) && method == "step",
        };
        let receiver = match (steps, &receiver) {
            (true, Value::Range(_)) => format!("({})", interp.inspect(&receiver)?),
            _ => interp.inspect(&receiver)?,
        };
        if steps {
            return sequence_text(interp, &receiver, &method, &args, keywords);
        }
        let args = if args.is_empty() { String::new() } else { interp.inspect(&Value::array(args))? };
        let args = args.strip_prefix('[').and_then(|args| args.strip_suffix(']'));
        let args = args.map_or(String::new(), |args| format!("({args})"));
        return Ok(format!("#<{name}: {receiver}:{method}{args}>"));
    }
    let shows_itself = |method: &Method| method.is_own() || !method.owner.is(Core::Kernel);
    if inspect && interp.method_of(value, "inspect").is_some_and(|method| shows_itself(&method)) {
        let text = interp.send(value, "inspect", &[])?;
        return interp.text_of(&text);
    }
    if !inspect && interp.method_of(value, "to_s").is_some_and(|method| shows_itself(&method)) {
        let text = interp.send(value, "to_s", &[])?;
        return interp.text_of(&text);
    }
    Ok(format!("#<{name}>"))
}

fn match_text(interp: &mut Interp<'_>, found: &Match, inspect: bool) -> Flow<String> {
    let shown = found.group(0).unwrap_or_default().to_owned();
    if !inspect {
        return Ok(shown);
    }
    let mut text = format!("#<MatchData {}", interp.inspect(&Value::text(shown))?);
    let names = found.regex.regex().map(|regex| regex.group_names().to_vec()).unwrap_or_default();
    for group in 1..found.captures.len() {
        let name = names.iter().find(|(_, numbers)| numbers.contains(&group)).map(|(name, _)| name.clone());
        let value = interp.inspect(&found.value(group))?;
        text.push_str(&format!(" {}:{value}", name.unwrap_or_else(|| group.to_string())));
    }
    Ok(text + ">")
}

/// `(1.step(4))`: numbers in equal steps.
fn sequence_text(
    interp: &mut Interp<'_>,
    receiver: &str,
    method: &str,
    args: &[Value],
    keywords: bool,
) -> Flow<String> {
    let mut shown = Vec::new();
    for (at, arg) in args.iter().enumerate() {
        match arg {
            Value::Hash(options) if keywords && at + 1 == args.len() => {
                for (key, value) in options.pairs() {
                    shown.push(format!("{}: {}", interp.text_of(&key)?, interp.inspect(&value)?));
                }
            }
            arg => shown.push(interp.inspect(arg)?),
        }
    }
    let args = if shown.is_empty() { String::new() } else { format!("({})", shown.join(", ")) };
    Ok(format!("({receiver}.{method}{args})"))
}

fn exception_text(interp: &mut Interp<'_>, value: &Value, inspect: bool) -> Flow<String> {
    let message = interp.exception_message(value)?;
    if !inspect {
        return Ok(message);
    }
    let name = interp.class_name_of(value);
    Ok(if message.is_empty() { name.to_string() } else { format!("#<{name}: {message}>") })
}

/// `==` of two objects whose classes do not say themselves what it is.
pub(super) fn objects_equal(interp: &mut Interp<'_>, a: &Value, b: &Value) -> Flow<bool> {
    let (Value::Object(left), Value::Object(right)) = (a, b) else { return Ok(false) };
    let sets = match (&*left.data.borrow(), &*right.data.borrow()) {
        (Data::Set(left), Data::Set(right)) => Some((left.clone(), right.clone())),
        (Data::Encoding(left), Data::Encoding(right)) => return Ok(left == right),
        _ => None,
    };
    if let Some((left, right)) = sets {
        return Ok(left.len() == right.len() && interp.are_in(&right, &left.keys())?);
    }
    if interp.method_of(a, "<=>").is_some_and(|method| method.is_own())
        && interp.class_is_a(left.class, Core::Comparable.class())
    {
        return Ok(matches!(interp.send(a, "<=>", std::slice::from_ref(b))?, Value::Int(0)));
    }
    interp.eql_within(a, b)
}
