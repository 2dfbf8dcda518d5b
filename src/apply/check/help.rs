//! What probably mends a resource that the agent would refuse. The agent's message stays as it is.

use pantin_base::nearest;
use pantin_model::catalog::Resource;
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_values::Value;

use crate::resource::AttributeRule;
use crate::types::TypeEntry;
use crate::value::text;

/// Parts of messages, and the advice that goes with them.
const ADVICE: &[(&str, &str)] = &[
    ("more than one of content, source, target", "keep one of them"),
    (
        "is not qualified and no path was specified",
        "name the program with its whole path, or give the parameter `path`",
    ),
    ("must be a fully qualified path", "begin the path with a slash"),
    ("Filebucket paths must be absolute", "begin the path with a slash"),
    ("Cannot use relative URLs", "begin it with a slash, or with puppet:///modules/ and the name of a module"),
    ("Cannot use opaque URLs", "put three slashes behind the scheme: puppet:///modules/…"),
    ("is not a valid minute", "a minute is a number from 0 to 59, a list, a range 0-30, a step */5, or *"),
    ("is not a valid hour", "an hour is a number from 0 to 23, a list, a range 8-18, a step */2, or *"),
    ("is not a valid monthday", "a day of the month is a number from 1 to 31, a list, a range, a step, or *"),
    ("is not a valid month", "a month is a number from 1 to 12, its English name, a list, a range, or *"),
    ("is not a valid weekday", "a weekday is a number from 0 to 7, its English name, a list, a range, or *"),
    ("both a special schedule and a value for", "leave out `special`, or all other times"),
    ("remote recursion without a source", "give `source`, or say `recurse => true`"),
    ("Group names must be provided as an array", "write ['one', 'two'] in place of 'one,two'"),
    ("Group names must be provided, not GID numbers", "name the groups; the number of the first one is `gid`"),
    ("Passwords cannot include ':'", "give the hash of the password, as /etc/shadow has it"),
    ("both the lens and incl parameters, or neither", "give the other one as well"),
    ("is read-only", "leave it out: the agent finds it out, and never changes it"),
];

/// Returns what probably mends a resource of a type, by the message about it.
pub(super) fn likely_fix(kind: &TypeEntry, message: &str, resource: &Resource) -> Option<String> {
    if let Some(name) = between(message, "no parameter named '", "'") {
        let known = kind.attributes.iter().map(|rule| rule.name).chain(METAPARAMETERS);
        return nearest(name, known).map(|near| format!("did you mean '{near}'?"));
    }
    if let Some((_, advice)) = ADVICE.iter().find(|(part, _)| message.contains(part)) {
        return Some((*advice).to_owned());
    }
    let name = between(message, "Parameter ", " failed on ")?;
    let value = resource.parameter(name);
    if message.contains("mode specification must be a string") {
        return Some(match value {
            Some(Value::Integer(mode)) => format!("write it in quotes, in octal digits: {name} => '{mode:0>4}'"),
            _ => "write it in quotes, in octal digits".to_owned(),
        });
    }
    if message.contains("File paths must be fully qualified") {
        let path = value.map_or_else(|| resource.title.to_string(), |value| text(value).into_owned());
        return Some(format!("begin the path with a slash: '/{}'", path.trim_start_matches("./")));
    }
    if message.contains("must have features") {
        return Some("leave the value out, or name a `provider` that can do it".to_owned());
    }
    let rule = kind.attributes.iter().find(|rule| rule.name == name)?;
    near_word(rule, value?)
}

/// Returns the word that was probably meant.
fn near_word(rule: &AttributeRule, value: &Value) -> Option<String> {
    let values: &[Value] = match value {
        Value::Array(items) => items,
        one => std::slice::from_ref(one),
    };
    let wrong = values.iter().map(text).find(|value| rule.word_names().all(|word| word != value))?;
    nearest(&wrong.to_lowercase(), rule.word_names()).map(|near| format!("did you mean '{near}'?"))
}

/// Returns what stands between two parts of a text.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(inside, _)| inside)
}
