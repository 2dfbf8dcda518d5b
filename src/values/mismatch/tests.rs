//! Each sentence is Puppet's.

use super::{assert_instance, call_fault, describe_value};
use crate::signature::{Block, Param, ParamKind, Signature};
use crate::{BuiltInOnly, Type, Value, types};

fn parse_type(text: &str) -> Type {
    types::parse(text, &mut BuiltInOnly).unwrap()
}

#[test]
fn a_value_is_told_with_the_way_to_it() {
    for (expected, value, said) in [
        ("Integer", Value::from("a"), "x expects an Integer value, got String"),
        ("Integer[0, 10]", 11.into(), "x expects an Integer[0, 10] value, got Integer[11, 11]"),
        ("Optional[Integer]", "a".into(), "x expects a value of type Undef or Integer, got String"),
        (
            "Variant[Integer, Float, Boolean]",
            "a".into(),
            "x expects a value of type Integer, Float, or Boolean, got String",
        ),
        ("Enum[a, b]", "c".into(), "x expects a match for Enum['a', 'b'], got 'c'"),
        ("Optional[Enum[a]]", 1.into(), "x expects an undef value or a match for Enum['a'], got Integer"),
        ("Array[Integer]", Value::array([1.into(), "a".into()]), "x index 1 expects an Integer value, got String"),
        ("Array[Integer, 3]", Value::array([1.into()]), "x expects size to be at least 3, got 1"),
        (
            "Struct[a => Integer]",
            Value::hash([("b".into(), 1.into())]),
            " x expects a value for key 'a'\n  x unrecognized key 'b'",
        ),
        (
            "Hash[String, Integer]",
            Value::hash([("k".into(), "v".into())]),
            "x entry 'k' expects an Integer value, got String",
        ),
        ("Missing", 1.into(), "x references an unresolved type 'Missing'"),
    ] {
        assert_eq!(describe_value("x", &parse_type(expected), &value), said, "{expected}");
    }
}

#[test]
fn a_call_is_told_with_its_signatures() {
    let param = |name: &str, kind, text| Param { name: name.into(), param_type: parse_type(text), kind };
    let one = Signature { params: vec![param("a", ParamKind::Required, "Integer")], block: None };
    assert_eq!(call_fault("f", std::slice::from_ref(&one), &[], None).message, "'f' expects 1 argument, got none");
    let arg = ["x".into()];
    assert_eq!(
        call_fault("lambda", std::slice::from_ref(&one), &arg, None).message,
        "block parameter 'a' expects an Integer value, got String"
    );
    let block = Some(Block { name: "block".into(), block_type: parse_type("Callable[1, 1]"), optional: true });
    let params = vec![param("c", ParamKind::Required, "Array"), param("b", ParamKind::Repeated, "Any")];
    let two = Signature { params, block };
    assert_eq!(
        call_fault("f", &[one, two], &arg, None).message,
        "The function 'f' was called with arguments it does not accept. It expects one of:\n  (Integer a)\n    rejected: \
         parameter 'a' expects an Integer value, got String\n  (Array c, Any b*, Callable[1, 1] block?)\n    rejected: \
         parameter 'c' expects an Array value, got String"
    );
}

#[test]
fn a_key_that_was_meant_is_the_help() {
    let help = |given: &str| {
        let expected = parse_type("Struct[port => Integer, Optional[address] => String]");
        let value = Value::hash([("port".into(), 1.into()), (given.into(), "a".into())]);
        assert_instance("x", &expected, &value).unwrap_err().help
    };
    assert_eq!(help("adress").as_deref(), Some("there is no key 'adress'; did you mean 'address'?"));
    assert_eq!(help("proto"), None);
    // It is there already.
    assert_eq!(help("port2"), None);
}
