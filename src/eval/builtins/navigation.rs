//! Functions that find a part of a value, or a variable, by the way to it: `dig`, `get`, `getvar`.

use std::sync::Arc;

use pantin_values::{Fault, Object, Type, Value, ops, types};

use crate::{Builtin, Flow, Invocation, optional, optional_block, overload, repeated, required};

pub(super) static FUNCTIONS: &[Builtin] = &[
    Builtin::typed(
        "dig",
        &[overload(&[required("Optional[Collection]", "data"), repeated("Any", "arg")], None, dig)],
        "What stands in a structure at the end of a way of keys and positions; undef where the way ends early.",
    )
    .looking(),
    Builtin::typed(
        "get",
        &[overload(
            &[required("Any", "value"), required("String", "dotted_string"), optional("Any", "default_value")],
            optional_block("Callable[1,1]"),
            get,
        )],
        "What stands in a value at the end of a way written with dots; the lambda gets the error where there is one.",
    )
    .looking(),
    Builtin::typed(
        "getvar",
        &[
            overload(
                &[
                    required("Pattern[/\\A(?:::)?(?:[a-z]\\w*::)*[a-z_]\\w*(?:\\.|\\Z)/]", "get_string"),
                    optional("Any", "default_value"),
                ],
                optional_block("Callable[1,1]"),
                getvar,
            ),
            overload(
                &[required("String", "get_string"), optional("Any", "default_value")],
                optional_block("Callable"),
                |_| Ok("The given string does not start with a valid variable name".into()),
            )
            .explaining(),
        ],
        "The variable of a name, or a part of it; the way is written with dots.",
    )
    .finding_variables(),
];

/// Why a way leads nowhere. It can be told as an error, or as a value.
struct Astray {
    message: String,
    code: &'static str,
    /// What the type is of.
    what: &'static str,
    of: Type,
    walked: Value,
}

impl Astray {
    fn fault(self) -> Fault {
        Fault::new(self.message)
    }

    /// Returns an `Error`.
    fn value(self) -> Result<Value, Fault> {
        let Some(Type::Object(class)) = types::built_in_type("Error") else { return Err(self.fault()) };
        let details = [("walked_path".into(), self.walked), (self.what.into(), Value::Type(self.of))];
        let values = vec![self.message.into(), "SLICE_ERROR".into(), Value::hash(details), self.code.into()];
        Ok(Value::Object(Arc::new(Object { class, values: values.into() })))
    }
}

/// Returns what stands at the end of a path. `None`: it leads nowhere, which is an error.
pub(crate) fn find_at(data: &Value, path: &[Value]) -> Option<Value> {
    walk(data, path).ok()
}

/// Reads a path that is written with dots. `None`: it is not written as it should be.
pub(crate) fn written_path(navigation: &str) -> Option<Vec<Value>> {
    split(navigation).ok().flatten()
}

fn walk(data: &Value, way: &[Value]) -> Result<Value, Astray> {
    let mut at = data;
    for (index, key) in way.iter().enumerate() {
        if at.is_undef() || key.is_undef() {
            return Ok(Value::Undef);
        }
        let next = match (at, key) {
            (Value::Hash(entries), _) => entries.get(key),
            (Value::Array(items), Value::Integer(place)) => {
                let place = if *place < 0 { place.saturating_add(items.len() as i64) } else { *place };
                usize::try_from(place).ok().and_then(|place| items.get(place))
            }
            (Value::Array(_), _) => {
                let (walked, of) = (Value::array(way[..=index].iter().cloned()), Type::reduced(key));
                let message = format!("The given data requires an Integer index at {}, got '{of}'", ops::to_s(&walked));
                return Err(Astray { message, code: "EXPECTED_INTEGER_INDEX", what: "index_type", of, walked });
            }
            _ => {
                let (walked, of) = (Value::array(way[..index].iter().cloned()), Type::reduced(at));
                let message =
                    format!("The given data does not contain a Collection at {}, got '{of}'", ops::to_s(&walked));
                return Err(Astray { message, code: "EXPECTED_COLLECTION", what: "value_type", of, walked });
            }
        };
        match next {
            Some(next) => at = next,
            None => return Ok(Value::Undef),
        }
    }
    Ok(at.clone())
}

fn dig(call: &mut Invocation<'_, '_>) -> Flow {
    match call.args() {
        [data, way @ ..] => walk(data, way).map_err(|astray| astray.fault().into()),
        [] => Ok(Value::Undef),
    }
}

fn get(call: &mut Invocation<'_, '_>) -> Flow {
    let (value, default) = (call.take(0), call.take(2));
    let navigation = call.take(1);
    get_from(call, value, navigation.as_str().unwrap_or_default(), default)
}

fn get_from(call: &mut Invocation<'_, '_>, value: Value, navigation: &str, default: Value) -> Flow {
    if value.is_undef() {
        return Ok(default);
    }
    if navigation.is_empty() {
        return Ok(value);
    }
    let Some(way) = split(navigation)? else {
        return Err(call.fault("Syntax error in dotted-navigation string"));
    };
    if !matches!(value, Value::Array(_) | Value::Hash(_)) {
        // The error is that of the function which does not take it.
        return call.call_without_block("dig", std::iter::once(value).chain(way).collect());
    }
    match walk(&value, &way) {
        Ok(Value::Undef) => Ok(default),
        Ok(found) => Ok(found),
        Err(astray) if call.has_block() => {
            let error = astray.value()?;
            call.yield_values([error])
        }
        Err(astray) => Err(astray.fault().into()),
    }
}

/// Returns the steps of `a.'b.c'.0`; `None` where it is not written as it should be. Quotes keep dots and digits.
fn split(navigation: &str) -> Result<Option<Vec<Value>>, Fault> {
    let mut way = Vec::new();
    let mut rest = navigation;
    loop {
        let Some((segment, behind)) = segment(rest) else { return Ok(None) };
        let Some(step) = step(segment)? else { return Ok(None) };
        way.push(step);
        match behind.strip_prefix('.') {
            Some(next) => rest = next,
            None if behind.is_empty() => return Ok(Some(way)),
            None => return Ok(None),
        }
    }
}

/// The first segment of a text, with the blanks around it, and what is behind it.
fn segment(text: &str) -> Option<(&str, &str)> {
    let blank = |ch: char| matches!(ch, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c');
    let start = text.trim_start_matches(blank);
    for quote in ['"', '\''] {
        if let Some(quoted) = start.strip_prefix(quote) {
            let end = quoted.find(quote).filter(|&end| end > 0)?;
            let behind = quoted[end + 1..].trim_start_matches(blank);
            return Some((&text[..text.len() - behind.len()], behind));
        }
    }
    let end = text.find(['\'', '"', '.']).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn step(segment: &str) -> Result<Option<Value>, Fault> {
    let segment = segment.trim_matches(|ch: char| matches!(ch, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c'));
    if let Some(quote @ ('"' | '\'')) = segment.chars().next() {
        return Ok(segment.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)).map(Value::from));
    }
    let signed = segment.strip_prefix(':').unwrap_or(segment);
    let digits = signed.strip_prefix(['+', '-']).unwrap_or(signed);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(Some(segment.into()));
    }
    // Behind a colon Ruby sees no number.
    if signed.len() < segment.len() {
        return Ok(Some(Value::Integer(0)));
    }
    match signed.parse() {
        Ok(place) => Ok(Some(Value::Integer(place))),
        Err(_) => Err(Fault::new("bignum too big to convert into `long'")),
    }
}

fn getvar(call: &mut Invocation<'_, '_>) -> Flow {
    let (text, default) = (call.take(0), call.take(1));
    let text = text.as_str().unwrap_or_default();
    let end = text.find(|ch: char| ch != ':' && ch != '_' && !ch.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (name, navigation) = text.split_at(end);
    let navigation = match navigation.strip_prefix('.') {
        Some(navigation) => navigation,
        None if navigation.is_empty() => navigation,
        None => {
            let first = navigation.chars().next().unwrap_or_default();
            return Err(call.fault(format!("First character after var name in get string must be a '.' - got {first}")));
        }
    };
    if let Some(found) = call.variable_part(name, navigation, &default)? {
        return Ok(found);
    }
    match call.variable(name)? {
        Some(value) => get_from(call, value, navigation, default),
        None => Ok(default),
    }
}
