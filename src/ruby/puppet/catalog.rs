//! `scope.catalog`, `scope.findresource` and `scope.resource`: resources that are declared by now, and what they have.
//!
//! Each is looked up by its name: of what a catalog holds as a whole nobody is told more than its classes and tags.

use std::rc::Rc;

use pantin_base::names::type_name;
use pantin_model::trace::ResourcePart;

use crate::border;
use crate::class::Core;
use crate::interp::{CallArguments, Interp};
use crate::native::{ANY, NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::Table as Entries;
use crate::value::{Data, Value};

pub(super) const TABLES: [Table; 5] = [
    (Core::PuppetScope, Side::Instance, OF_SCOPE),
    (Core::PuppetCompiler, Side::Instance, OF_COMPILER),
    (Core::PuppetCatalog, Side::Instance, OF_CATALOG),
    (Core::PuppetParserResource, Side::Instance, OF_RESOURCES),
    (Core::PuppetResourceParameters, Side::Instance, OF_PARAMETERS),
];

const OF_SCOPE: &[NativeMethod] =
    &[method("catalog", 0, 0, catalog), method("findresource", 1, 2, find), method("resource", 0, 0, own)];

const OF_COMPILER: &[NativeMethod] = &[method("catalog", 0, 0, catalog), method("findresource", 1, 2, find)];

const OF_CATALOG: &[NativeMethod] = &[
    method("resource", 1, 2, find),
    method("classes", 0, 0, classes),
    method("tags", 0, 0, tags),
    method("method_missing", 1, ANY, lacking),
];

const OF_RESOURCES: &[NativeMethod] = &[
    method("type", 0, 0, |interp, given| interp.instance_variable(given.receiver, &TYPE.into())),
    method("title", 0, 0, |interp, given| interp.instance_variable(given.receiver, &TITLE.into())),
    method("name", 0, 0, name),
    method("ref", 0, 0, |interp, given| reference(interp, given).map(Value::text)),
    method("to_s", 0, 0, |interp, given| reference(interp, given).map(Value::text)),
    method("to_hash", 0, 0, to_hash),
    method("[]", 1, 1, |interp, given| {
        let name = interp.text_of(given.arg(0))?;
        let reference = reference(interp, given)?;
        Ok(part_of(interp, &reference, ResourcePart::Parameter(name.as_str().into()))?
            .map_or(Value::Nil, |value| border::inward(&value)))
    }),
    method("parameters", 0, 0, |_, given| {
        let parameters = Value::object(Core::PuppetResourceParameters.class(), Data::None);
        if let (Value::Object(resource), Value::Object(of_it)) = (given.receiver, &parameters) {
            of_it.variables.borrow_mut().clone_from(&resource.variables.borrow());
        }
        Ok(parameters)
    }),
    method("method_missing", 1, ANY, lacking),
];

/// There it is a hash. Here each is asked for when it is wanted, and nothing of them as a whole.
const OF_PARAMETERS: &[NativeMethod] = &[
    method("[]", 1, 1, parameter),
    method("method_missing", 1, ANY, lacking),
    method("respond_to_missing?", 1, 2, lacking),
    method("class", 0, 0, lacking_by_name),
    method("is_a?", 1, 1, lacking_by_name),
    method("kind_of?", 1, 1, lacking_by_name),
    method("instance_of?", 1, 1, lacking_by_name),
    method("inspect", 0, 0, lacking_by_name),
    method("to_s", 0, 0, lacking_by_name),
    method("==", 1, 1, lacking_by_name),
];

/// Names that no code can write.
const TYPE: &str = "__type__";
const TITLE: &str = "__title__";

fn catalog(_: &mut Interp<'_>, _: &CallArguments<'_>) -> Flow {
    Ok(Value::object(Core::PuppetCatalog.class(), Data::None))
}

/// The names of the classes that are evaluated by now.
pub(super) fn classes(interp: &mut Interp<'_>, _: &CallArguments<'_>) -> Flow {
    let both = interp.outside.classes_and_tags();
    Ok(border::inward(&interp.outside(both)?.0))
}

/// What the catalog is tagged with by now.
pub(super) fn tags(interp: &mut Interp<'_>, _: &CallArguments<'_>) -> Flow {
    let both = interp.outside.classes_and_tags();
    let tags = border::inward(&interp.outside(both)?.1);
    let table = Entries::default();
    for tag in interp.array_arg(&tags)? {
        table.insert(tag, Value::Bool(true));
    }
    Ok(Value::object(Core::PuppetTagSet.class(), Data::Set(Rc::new(table))))
}

pub(super) fn lacking(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    let of = interp.class_name_of(given.receiver);
    interp.unsupported(format!("the method {of}#{name}"))
}

fn lacking_by_name(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    interp.unsupported(format!("the method {}#{}", interp.class_name_of(given.receiver), given.name))
}

/// One that was set, be it to nothing: its name and its value.
fn parameter(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Value::Symbol(name) = given.arg(0) else { return Ok(Value::Nil) };
    if matches!(name.as_str(), "name" | "title") {
        return interp.unsupported(format!("the parameter {name} of a resource"));
    }
    let reference = reference(interp, given)?;
    let value = part_of(interp, &reference, ResourcePart::Parameter(name.clone()))?.unwrap_or_default();
    if value.is_undef() {
        let names = part_of(interp, &reference, ResourcePart::ParameterNames)?.unwrap_or_default();
        let is_set =
            matches!(&names, pantin_values::Value::Array(names) if names.iter().any(|set| set.as_str() == Some(name)));
        if !is_set {
            return Ok(Value::Nil);
        }
    }
    let made = Value::object(Core::PuppetResourceParam.class(), Data::None);
    interp.set_instance_variable(&made, &"@name".into(), given.arg(0).clone())?;
    interp.set_instance_variable(&made, &"@value".into(), border::inward(&value))?;
    Ok(made)
}

fn made(interp: &mut Interp<'_>, type_name: &str, title: &str) -> Flow {
    let resource = Value::object(Core::PuppetParserResource.class(), Data::None);
    interp.set_instance_variable(&resource, &TYPE.into(), Value::text(type_name))?;
    interp.set_instance_variable(&resource, &TITLE.into(), Value::text(title))?;
    Ok(resource)
}

fn reference(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<String> {
    let of = interp.instance_variable(given.receiver, &TYPE.into())?;
    let title = interp.instance_variable(given.receiver, &TITLE.into())?;
    Ok(format!("{}[{}]", interp.text_of(&of)?, interp.text_of(&title)?))
}

/// The parameter `name` if the resource has one, else its title.
fn name(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let reference = reference(interp, given)?;
    let given_name = part_of(interp, &reference, ResourcePart::Parameter("name".into()))?;
    match given_name.map(|value| border::inward(&value)).filter(Value::is_truthy) {
        Some(name) => Ok(name),
        None => interp.instance_variable(given.receiver, &TITLE.into()),
    }
}

/// What a class, or whatever resource the code belongs to, is given, by symbols. The title is its name; types of
/// resources with other names are known to nobody here.
fn to_hash(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let of = reference(interp, given)?;
    let own = interp.outside.own_resource();
    if !of.starts_with("Class[") && of != interp.outside(own)? {
        return interp.unsupported(format!("all parameters of {of}"));
    }
    let table = Entries::default();
    table.insert(Value::symbol("name"), interp.instance_variable(given.receiver, &TITLE.into())?);
    let names = part_of(interp, &of, ResourcePart::ParameterNames)?.unwrap_or_default();
    for name in interp.array_arg(&border::inward(&names))? {
        let name = interp.text_of(&name)?;
        match part_of(interp, &of, ResourcePart::Parameter(name.as_str().into()))? {
            None | Some(pantin_values::Value::Undef) => {}
            Some(value) => table.insert(Value::symbol(&name), border::inward(&value)),
        }
    }
    Ok(Value::hash(table))
}

fn part_of(interp: &mut Interp<'_>, reference: &str, part: ResourcePart) -> Flow<Option<pantin_values::Value>> {
    let value = interp.outside.resource_part(reference, part);
    interp.outside(value)
}

/// `File[/x]`, or a type and a title; nil where it is not declared, or not yet.
fn find(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let of = interp.text_of(given.arg(0))?;
    let (type_name, title) = match given.args.get(1) {
        Some(title) if !title.is_nil() => (of, interp.text_of(title)?),
        _ => match of.split_once('[').and_then(|(name, rest)| Some((name, rest.strip_suffix(']')?))) {
            Some((name, title)) if !title.is_empty() => (name.to_owned(), title.to_owned()),
            _ => {
                let of = interp.inspect(given.arg(0))?;
                let message = format!("No title provided and {of} is not a valid resource reference");
                return interp.raise(Core::ArgumentError, message);
            }
        },
    };
    let type_name = capitalized(&type_name);
    let title = match type_name.as_str() {
        "Class" => capitalized(&title),
        _ => title,
    };
    match part_of(interp, &format!("{type_name}[{title}]"), ResourcePart::Parameter("title".into()))? {
        Some(_) => made(interp, &type_name, &title),
        None => Ok(Value::Nil),
    }
}

fn capitalized(name: &str) -> String {
    type_name(name.trim_start_matches("::"))
}

/// The class, the instance of a defined type or the node whose code it is.
fn own(interp: &mut Interp<'_>, _: &CallArguments<'_>) -> Flow {
    let reference = interp.outside.own_resource();
    let reference = interp.outside(reference)?;
    match reference.split_once('[').and_then(|(name, rest)| Some((name, rest.strip_suffix(']')?))) {
        Some((type_name, title)) => made(interp, type_name, title),
        None => interp.unsupported("the resource of a scope that has none"),
    }
}
