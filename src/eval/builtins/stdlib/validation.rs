//! The functions `validate_…`: an error where a value is not what it should be.

use pantin_base::number::float_text;
use pantin_values::sprintf::{float_of, inspect, integer_of};
use pantin_values::{Fault, Value};

use super::addresses::Address;
use super::deprecation::deprecate;
use super::predicates::{is_absolute, is_bool, is_domain, is_email};
use super::ruby::{class_name, matches, pattern};
use crate::builtins::older::flattened;
use crate::{Builtin, Flow, Invocation, overload, repeated};

/// What is wrong: with the value, or with the check itself. Whoever asks whether a value passes takes only the first
/// for an answer.
pub(super) enum Refusal {
    Value(String),
    Check(Fault),
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        Refusal::Check(fault)
    }
}

impl Refusal {
    fn fault(self) -> Fault {
        match self {
            Refusal::Value(message) => Fault::new(message),
            Refusal::Check(fault) => fault,
        }
    }
}

type Checked = Result<(), Refusal>;

fn refuse(message: impl Into<String>) -> Checked {
    Err(Refusal::Value(message.into()))
}

macro_rules! deprecated {
    ($name:literal, $with:literal, $doc:literal) => {
        Builtin::typed(
            $name,
            &[overload(&[repeated("Any", "args")], None, |call| {
                let message = concat!(
                    "This method is deprecated, please use the stdlib validate_legacy function,\n                    with ",
                    $with,
                    ". There is further documentation for validate_legacy function in the README."
                );
                deprecate(call, $name, message, true)?;
                let args = call.args().to_vec();
                passed(call, $name, &args)
            })],
            $doc,
        )
    };
}

/// One of the older kind, which does not warn.
macro_rules! plain {
    ($name:literal, $doc:literal) => {
        Builtin::untyped(
            $name,
            &[overload(&[repeated("Any", "args")], None, |call| {
                let args = call.older_args()?;
                passed(call, $name, &args)
            })],
            $doc,
        )
    };
}

pub(super) static OLD: &[Builtin] = &[
    deprecated!("validate_absolute_path", "Stdlib::Compat::Absolute_Path", "Fails on a path that is not absolute."),
    deprecated!("validate_array", "Stdlib::Compat::Array", "Fails on a value that is no list."),
    deprecated!("validate_bool", "Stdlib::Compat::Bool", "Fails on a value that is neither true nor false."),
    deprecated!("validate_hash", "Stdlib::Compat::Hash", "Fails on a value that is no hash."),
    deprecated!("validate_integer", "Stdlib::Compat::Integer", "Fails on what is no whole number within limits."),
    deprecated!("validate_ip_address", "Stdlib::Compat::Ip_Address", "Fails on a text that is no IP address."),
    deprecated!("validate_ipv4_address", "Stdlib::Compat::Ipv4_Address", "Fails on a text that is none of IPv4."),
    deprecated!("validate_ipv6_address", "Stdlib::Compat::Ipv6_address", "Fails on a text that is none of IPv6."),
    deprecated!("validate_numeric", "Stdlib::Compat::Numeric", "Fails on what is no number within limits."),
    deprecated!("validate_re", "Pattern[]", "Fails on a text that matches none of some patterns."),
    deprecated!("validate_slength", "String[]", "Fails on a text whose length is not within limits."),
    deprecated!("validate_string", "Stdlib::Compat::String", "Fails on a value that is no text."),
    plain!("validate_domain_name", "Fails on a text that is the name of no domain."),
    plain!("validate_email_address", "Fails on a text that is no address of mail."),
];

fn passed(call: &mut Invocation<'_, '_>, name: &str, args: &[Value]) -> Flow {
    match check(call, name, args)? {
        Some(Ok(())) => Ok(Value::Undef),
        Some(Err(refusal)) => Err(refusal.fault().into()),
        None => Err(call.fault(format!("There is no check called {name}"))),
    }
}

/// Runs a check by its name; nothing where there is none of that name.
pub(super) fn check(call: &mut Invocation<'_, '_>, name: &str, args: &[Value]) -> Flow<Option<Checked>> {
    Ok(Some(match name {
        "validate_absolute_path" => absolute_path(call, args)?,
        "validate_array" => each(name, args, |arg| {
            let class = class_name(arg);
            (!matches!(arg, Value::Array(_)))
                .then(|| format!("{} is not an Array.  It looks to be a {class}", inspect(arg)))
        }),
        "validate_bool" => each(name, args, |arg| {
            let is_one = is_bool(vec![arg.clone()]).is_ok_and(|found| found.is_truthy());
            (!is_one).then(|| format!("{} is not a boolean.  It looks to be a {}", inspect(arg), class_name(arg)))
        }),
        "validate_hash" => each(name, args, |arg| {
            let class = class_name(arg);
            (!matches!(arg, Value::Hash(_)))
                .then(|| format!("{} is not a Hash.  It looks to be a {class}", inspect(arg)))
        }),
        "validate_string" => each(name, args, |arg| {
            let is_one = matches!(arg, Value::String(_) | Value::Undef);
            (!is_one).then(|| format!("{} is not a string.  It looks to be a {}", inspect(arg), class_name(arg)))
        }),
        "validate_integer" => within::<i64>(name, args),
        "validate_numeric" => within::<f64>(name, args),
        "validate_ip_address" => addresses(name, args, "IP", |_| true),
        "validate_ipv4_address" => addresses(name, args, "IPv4", |address| !address.is_v6),
        "validate_ipv6_address" => addresses(name, args, "IPv6", |address| address.is_v6),
        "validate_re" => re(args),
        "validate_slength" => slength(args),
        "validate_domain_name" => texts(name, args, is_domain, "a syntactically correct domain name"),
        "validate_email_address" => texts(name, args, is_email, "a valid email address"),
        _ => return Ok(None),
    }))
}

fn at_least_one(name: &str, args: &[Value]) -> Checked {
    if args.is_empty() { refuse(format!("{name}(): wrong number of arguments (0; must be > 0)")) } else { Ok(()) }
}

fn each(name: &str, args: &[Value], problem: impl Fn(&Value) -> Option<String>) -> Checked {
    at_least_one(name, args)?;
    args.iter().find_map(problem).map_or(Ok(()), refuse)
}

fn absolute_path(call: &mut Invocation<'_, '_>, args: &[Value]) -> Flow<Checked> {
    if args.is_empty() {
        return Ok(at_least_one("validate_absolute_path", args));
    }
    for arg in args {
        let paths = match arg {
            Value::Array(paths) => paths.to_vec(),
            path => vec![path.clone()],
        };
        for path in paths {
            if !is_absolute(call, &path)? {
                return Ok(refuse(format!("{} is not an absolute path.", inspect(&path))));
            }
        }
    }
    Ok(Ok(()))
}

fn addresses(name: &str, args: &[Value], kind: &str, fits: fn(&Address) -> bool) -> Checked {
    each(name, args, |arg| {
        let Value::String(text) = arg else { return Some(format!("{} is not a string.", inspect(arg))) };
        let is_one = Address::new(text).is_ok_and(|address| fits(&address));
        (!is_one).then(|| format!("{} is not a valid {kind} address.", inspect(arg)))
    })
}

fn texts(name: &str, args: &[Value], fits: fn(&Value) -> Result<bool, Fault>, what: &str) -> Checked {
    at_least_one(name, args)?;
    for arg in args {
        if arg.as_str().is_none() {
            return refuse(format!("{} is not a string.", inspect(arg)));
        }
        if !fits(arg)? {
            return refuse(format!("{} is not {what}", inspect(arg)));
        }
    }
    Ok(())
}

// ---- numbers ----

trait Limited: Copy + PartialOrd {
    /// With its article, as messages have it.
    const ONE: &'static str;
    fn read(text: &Value) -> Option<Self>;
    fn shown(self) -> String;
}

impl Limited for i64 {
    const ONE: &'static str = "an Integer";

    fn read(text: &Value) -> Option<i64> {
        integer_of(text).ok()
    }

    fn shown(self) -> String {
        self.to_string()
    }
}

impl Limited for f64 {
    const ONE: &'static str = "a Numeric";

    fn read(text: &Value) -> Option<f64> {
        float_of(text).ok()
    }

    fn shown(self) -> String {
        float_text(self)
    }
}

fn within<N: Limited>(name: &str, args: &[Value]) -> Checked {
    if !(1..=3).contains(&args.len()) {
        let given = args.len();
        return refuse(format!("{name}(): Wrong number of arguments; must be 1, 2 or 3, got {given}"));
    }
    let read = |index: usize| N::read(&super::ruby::text_of(&args[index]).into());
    let limit = |index: usize, which: &str| match args.get(index) {
        None => Ok(None),
        Some(value) if index == 1 && args.len() > 2 && super::ruby::is_blank(value) => Ok(None),
        Some(value) => read(index).map(Some).ok_or_else(|| {
            // The first limit has become a text by then.
            let class = if index == 1 { "String".to_owned() } else { class_name(value) };
            let (text, one) = (super::ruby::text_of(value), N::ONE);
            Refusal::Value(format!("{name}(): Expected {which} argument to be unset or {one}, got {text}:{class}"))
        }),
    };
    let (max, min) = (limit(1, "second")?, limit(2, "third")?);
    if let (Some(max), Some(min)) = (max, min)
        && min > max
    {
        let (max, min) = (max.shown(), min.shown());
        return refuse(format!(
            "{name}(): Expected second argument to be larger than third argument, got {max} < {min}"
        ));
    }
    let check = |number: N, input: &str| {
        if let Some(max) = max.filter(|max| number > *max) {
            let max = max.shown();
            return refuse(format!("{name}(): Expected {input} to be smaller or equal to {max}, got {input}."));
        }
        if let Some(min) = min.filter(|min| number < *min) {
            let min = min.shown();
            return refuse(format!("{name}(): Expected {input} to be greater or equal to {min}, got {input}."));
        }
        Ok(())
    };
    match &args[0] {
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                let number = match item {
                    Value::Hash(_) => None,
                    other => N::read(&super::ruby::text_of(other).into()),
                };
                let Some(number) = number else {
                    let (one, class) = (N::ONE, class_name(item));
                    return refuse(format!(
                        "{name}(): Expected element at array position {place} to be {one}, got {class}"
                    ));
                };
                check(number, &inspect(&args[0]))?;
            }
            Ok(())
        }
        // The name of the other function is what is really said.
        hash @ Value::Hash(_) => no_number::<N>("validate_integer", hash),
        other => match read(0) {
            Some(number) => check(number, &number.shown()),
            None => no_number::<N>(name, other),
        },
    }
}

fn no_number<N: Limited>(name: &str, value: &Value) -> Checked {
    let (one, class) = (N::ONE, class_name(value));
    let or_array = format!("{one} or Array");
    refuse(format!("{name}(): Expected first argument to be {or_array}, got {class}"))
}

// ---- texts ----

fn re(args: &[Value]) -> Checked {
    if !matches!(args.len(), 2 | 3) {
        return refuse(format!("validate_re(): wrong number of arguments ({}; must be 2 or 3)", args.len()));
    }
    let Value::String(text) = &args[0] else {
        return refuse(format!("validate_re(): input needs to be a String, not a {}", class_name(&args[0])));
    };
    for source in flattened(&args[1..2]) {
        if matches(&*pattern(&source)?, text)? {
            return Ok(());
        }
    }
    match args.get(2).filter(|message| message.is_truthy()) {
        Some(message) => refuse(super::ruby::text_of(message)),
        None => refuse(format!("validate_re(): {} does not match {}", inspect(&args[0]), inspect(&args[1]))),
    }
}

fn slength(args: &[Value]) -> Checked {
    if !matches!(args.len(), 2 | 3) {
        return refuse(format!("validate_slength(): Wrong number of arguments ({}; must be 2 or 3)", args.len()));
    }
    let max = limit_of_length(&args[1], 1, "second argument to be a positive Numeric")?;
    let min = match args.get(2).filter(|min| min.is_truthy()) {
        Some(min) => limit_of_length(min, 0, "third argument to be unset or a positive Numeric")?,
        None => 0,
    };
    if max < min {
        return refuse("validate_slength(): Expected second argument to be equal to or larger than third argument");
    }
    let (input, length) = match &args[0] {
        Value::String(text) => (vec![args[0].clone()], text.chars().count()),
        Value::Array(items) => (items.to_vec(), items.len()),
        other => {
            let class = class_name(other);
            return refuse(format!("validate_slength(): Expected first argument to be a String or Array, got {class}"));
        }
    };
    for (place, item) in input.iter().enumerate() {
        let Value::String(text) = item else {
            let class = class_name(item);
            return refuse(format!(
                "validate_slength(): Expected element at array position {place} to be a String, got {class}"
            ));
        };
        if !(min..=max).contains(&(text.chars().count() as i64)) {
            let input = inspect(&args[0]);
            return refuse(format!(
                "validate_slength(): Expected length of {input} to be between {min} and {max}, was {length}"
            ));
        }
    }
    Ok(())
}

fn limit_of_length(value: &Value, least: i64, what: &str) -> Result<i64, Refusal> {
    let refused = |shown: &Value| {
        let (text, class) = (super::ruby::text_of(shown), class_name(shown));
        Refusal::Value(format!("validate_slength(): Expected {what}, got {text}:{class}"))
    };
    let number = integer_of(value).map_err(|_| refused(value))?;
    if number < least { Err(refused(&Value::Integer(number))) } else { Ok(number) }
}
