//! Each sentence is Puppet's.

use super::{describe_call, describe_value};
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
    assert_eq!(describe_call("f", std::slice::from_ref(&one), &[], None), "'f' expects 1 argument, got none");
    let arg = ["x".into()];
    assert_eq!(
        describe_call("lambda", std::slice::from_ref(&one), &arg, None),
        "block parameter 'a' expects an Integer value, got String"
    );
    let block = Some(Block { name: "block".into(), block_type: parse_type("Callable[1, 1]"), optional: true });
    let params = vec![param("c", ParamKind::Required, "Array"), param("b", ParamKind::Repeated, "Any")];
    let two = Signature { params, block };
    assert_eq!(
        describe_call("f", &[one, two], &arg, None),
        "The function 'f' was called with arguments it does not accept. It expects one of:\n  (Integer a)\n    rejected: \
         parameter 'a' expects an Integer value, got String\n  (Array c, Any b*, Callable[1, 1] block?)\n    rejected: \
         parameter 'c' expects an Array value, got String"
    );
}
