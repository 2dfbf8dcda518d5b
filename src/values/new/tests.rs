//! What the real Puppet answers to `T.new(args…)`.

use super::new_instance;
use crate::{BuiltInOnly, Fault, Hash, Type, Value, format, types};

fn parse_type(text: &str) -> Type {
    types::parse(text, &mut BuiltInOnly).expect(text)
}

fn made(kind: &str, args: &[Value]) -> String {
    match new_instance(&parse_type(kind), args, &mut BuiltInOnly) {
        Ok(value) => format::literal(&value).to_string(),
        Err(Fault { message, .. }) => format!("! {message}"),
    }
}

fn text(value: &str) -> Value {
    Value::from(value)
}

fn list(items: impl IntoIterator<Item = i64>) -> Value {
    Value::array(items.into_iter().map(Value::Integer))
}

fn entries<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Hash(entries.into_iter().map(|(key, value)| (text(key), value)).collect::<Hash>())
}

#[test]
fn texts_become_integers() {
    for (from, made_of_it) in [
        ("0xFF", "255"),
        ("0b11", "3"),
        ("010", "8"),
        ("- 5", "-5"),
        ("-  0x1F", "-31"),
        (" 1", "1"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("08", "! invalid value for Integer(): \"08\""),
        ("1_000", "! 'new' The string '1_000' cannot be converted to Integer"),
        ("9223372036854775808", "! The integer 9223372036854775808 does not fit in 64 bits"),
    ] {
        assert_eq!(made("Integer", &[text(from)]), made_of_it, "{from}");
    }
    assert_eq!(made("Integer", &[text("010"), 10.into()]), "10");
    assert_eq!(made("Integer", &[text("0b11"), 10.into()]), "! invalid value for Integer(): \"0b11\"");
    assert_eq!(made("Integer", &[text("1"), 3.into()]), "! Illegal radix: 3, expected 2, 8, 10, 16, or default");
    assert_eq!(made("Integer", &[(-5).into(), Value::Default, true.into()]), "5");
    assert_eq!(made("Integer", &[(-2.7).into()]), "-2");
}

#[test]
fn hashes_of_arguments_become_integers() {
    assert_eq!(made("Integer", &[entries([("from", text("10")), ("radix", 2.into())])]), "2");
    let refused = made("Integer", &[entries([("from", text("10")), ("bad", 3.into())])]);
    assert_eq!(refused, "! Integer.new has wrong type, unrecognized key 'bad'");
    let refused = made("Integer", &[entries([("from", text("x"))])]);
    assert_eq!(refused, "! 'new' The string 'x' cannot be converted to Integer");
}

#[test]
fn texts_become_numbers() {
    for (kind, from, made_of_it) in [
        ("Float", "0x10", "16.0"),
        ("Float", "- 1.5", "-1.5"),
        ("Float", "010", "10.0"),
        ("Float", "0", "! undefined method `casecmp' for nil:NilClass"),
        ("Float", ".5", "! 'new_float' The string '.5' cannot be converted to Float"),
        ("Numeric", "1.0", "1.0"),
        ("Numeric", "017", "15"),
        ("Numeric", "-0x1F", "-31"),
        ("Numeric", "0e1", "! Converted value from Numeric.new() has wrong type, expects a Numeric value, got Undef"),
        ("Numeric", "-0b11", "! Converted value from Numeric.new() has wrong type, expects a Numeric value, got Undef"),
    ] {
        assert_eq!(made(kind, &[text(from)]), made_of_it, "{kind} {from}");
    }
}

#[test]
fn an_instance_stays_and_the_result_is_checked() {
    assert_eq!(made("Variant[Integer, String]", &[text("12")]), "'12'");
    let unsupported = "! Creation of new instance of type 'Variant[Integer, Float]' is not supported";
    assert_eq!(made("Variant[Integer, Float]", &[text("12")]), unsupported);
    let wrong =
        "! Converted value from Integer[0].new() has wrong type, expects an Integer[0] value, got Integer[-5, -5]";
    assert_eq!(made("Integer[0]", &[text("-5")]), wrong);
    assert_eq!(made("Optional[Integer]", &[text("5")]), "5");
    assert_eq!(made("Optional[Integer]", &[Value::Undef]), "undef");
    assert_eq!(made("Boolean", &[text("YES")]), "true");
    assert_eq!(made("Boolean", &[]), "! 'new_boolean' expects 1 argument, got none");
}

#[test]
fn collections_are_made_of_what_can_be_gone_through() {
    assert_eq!(made("Array", &[3.into()]), "[0, 1, 2]");
    assert_eq!(made("Array", &[text("ab")]), "['a', 'b']");
    assert_eq!(made("Array", &[Value::Undef, true.into()]), "[undef]");
    assert_eq!(made("Array", &[Value::Type(parse_type("Enum['b', 'a']"))]), "['a', 'b']");
    assert_eq!(made("Array", &[(-5).into()]), "! 'new_array' Value of type Integer cannot be converted to Array");
    assert!(made("Array", &[i64::MAX.into()]).starts_with("! 9223372036854775807 elements"));
    assert_eq!(made("Hash", &[list([1, 2])]), "{1 => 2}");
    assert_eq!(made("Hash", &[list([1, 2, 3])]), "! odd number of arguments for Hash");
    assert_eq!(made("Hash", &[text("ab")]), "{'a' => 'b'}");
}

#[test]
fn trees_grow_of_paths() {
    let path = |path: Vec<Value>, value: Value| Value::array([Value::Array(path.into()), value]);
    let entries = [path(vec!["a".into(), "b".into()], 1.into()), path(vec!["a".into(), "c".into()], list([1, 2]))];
    let tree = Value::array(entries.clone());
    assert_eq!(made("Hash", &[tree.clone(), text("tree")]), "{'a' => {'b' => 1, 'c' => [1, 2]}}");
    assert_eq!(made("Hash", &[tree, text("hash_tree")]), "{'a' => {'b' => 1, 'c' => {0 => 1, 1 => 2}}}");
    let [first, _] = entries;
    let contradicting = Value::array([first, path(vec!["a".into(), "b".into(), "c".into()], 2.into())]);
    assert_eq!(made("Hash", &[contradicting, text("tree")]), "! undefined method `[]=' for 1:Integer");
}

#[test]
fn init_takes_what_the_type_makes_of() {
    assert_eq!(made("Init[Integer]", &[Value::array([text("0x5"), 16.into()])]), "5");
    assert_eq!(made("Init[Integer, 16]", &[text("0xFF")]), "255");
    let not_valid = "! The type 'Init[Integer, 17]' does not represent a valid set of parameters for Integer.new()";
    assert_eq!(made("Init[Integer, 17]", &[text("5")]), not_valid);
    let accepts =
        |kind: &str, value: Value| parse_type(kind).accepts(&value).map_err(|fault| fault.message.into_owned());
    assert_eq!(accepts("Init[Integer]", text("5")), Ok(true));
    assert_eq!(accepts("Init[Integer]", text("x")), Ok(false));
    assert_eq!(accepts("Init[Timespan]", list([1])), Ok(false));
    let unsupported = "Creation of new instance of type 'Optional[Integer]' is not supported";
    assert_eq!(accepts("Init[Optional[Integer]]", 5.into()), Err(unsupported.to_owned()));
}

#[test]
fn scalars_take_their_parts() {
    let text_of = |kind: &str, args: &[Value]| match new_instance(&parse_type(kind), args, &mut BuiltInOnly) {
        Ok(value) => crate::text::display(&value).to_string(),
        Err(fault) => format!("! {fault}"),
    };
    assert_eq!(text_of("Timespan", &[1.into(), 2.into(), 3.into(), 4.into()]), "1-02:03:04.0");
    assert_eq!(text_of("Timespan", &[entries([("days", 1.into()), ("hours", (-2).into())])]), "0-22:00:00.0");
    assert_eq!(text_of("SemVer", &[1.into(), 0.into(), 0.into(), text("rc")]), "1.0.0-rc");
    assert_eq!(text_of("SemVer", &[text("x")]), "! 'new_Version' The string 'x' cannot be converted to a SemVer");
    assert_eq!(text_of("Binary", &[list([104, 105])]), "aGk=");
    assert_eq!(text_of("URI", &[entries([("scheme", text("http")), ("host", text("x.y"))])]), "http://x.y");
    assert_eq!(text_of("Regexp", &[text("[")]), "! premature end of char-class: /[/");
}
