//! A catalog of the wire is read in any order of keys; what is none is refused with its place.

use pantin_values::format::literal;

use super::value::read;
use super::*;
use crate::catalog::ResourceTypeKind;

const SMALL: &str = r#"{"edges":[{"target":"File[/a[1]]","source":"Class[main]"}],"catalog_format":2,
    "resources":[{"title":"main","type":"Class","exported":false,"kind":"unknown"},
        {"kind":"compilable_type","parameters":{"mode":"0644","n":1},"line":3,"file":"/site.pp","title":"/a[1]",
         "type":"File","tags":["file","x"],"exported":true,"sensitive_parameters":["mode"]}],
    "name":"n","version":1,"code_id":null,"environment":"e","tags":["t"],"classes":["settings"]}"#;

fn refused(json: &str) -> String {
    Catalog::read(json).unwrap_err().to_string()
}

#[test]
fn keys_come_in_any_order() {
    let catalog = Catalog::read(SMALL).unwrap();
    assert_eq!((catalog.name.as_str(), catalog.environment.as_str(), &catalog.code_id), ("n", "e", &None));
    assert_eq!(catalog.edges, [(0, 1)].into());
    let file = &catalog.resources[1];
    assert_eq!((file.type_name.as_str(), file.title.as_str(), file.kind), ("File", "/a[1]", ResourceTypeKind::Native));
    assert_eq!(file.place.as_ref().map(|place| (&*place.file, place.line)), Some(("/site.pp", 3)));
    assert!(file.exported && catalog.resources[0].place.is_none());
    assert_eq!(*file.sensitive, ["mode"]);
    assert_eq!(file.parameters, vec![("mode".into(), "0644".into()), ("n".into(), 1.into())].into());
}

#[test]
fn rich_values_become_what_they_were() {
    let values = [
        (r#"{"__ptype":"Default"}"#, "default"),
        (r#"{"__ptype":"Hash","__pvalue":[1,"one",[2],{"__ptype":"Default"}]}"#, "{1 => 'one', [2] => default}"),
        (r#"{"__ptype":"Sensitive","__pvalue":"x"}"#, "#<Sensitive [value redacted]>"),
        (r#"{"__ptype":"Symbol","__pvalue":"x"}"#, "'x'"),
        (r#"{"__ptype":"Regexp","__pvalue":"a/b"}"#, r"/a\/b/"),
        (r#"{"__ptype":"Type","__pvalue":"Integer[1, 2]"}"#, "Integer[1, 2]"),
        (r#"{"__ptype":"SemVer","__pvalue":"1.2.3"}"#, "1.2.3"),
        (r#"{"__ptype":"Mine","x":[1.5,null,true,-7]}"#, "{'__ptype' => 'Mine', 'x' => [1.5, undef, true, -7]}"),
    ];
    for (json, shown) in values {
        let value = read(&mut serde_json::Deserializer::from_str(json)).unwrap();
        assert_eq!(literal(&value), shown, "{json}");
    }
    let deferred = r#"{"__ptype":"Deferred","name":"upcase","arguments":["x"]}"#;
    let value = read(&mut serde_json::Deserializer::from_str(deferred)).unwrap();
    assert!(matches!(&value, Value::Object(object) if object.label() == "Deferred"));
}

#[test]
fn what_is_no_catalog_is_refused_with_its_place() {
    assert_eq!(refused("{"), "EOF while parsing an object (line: 1, column: 1)");
    assert_eq!(refused(r#"{"name":"n"}"#), "missing field `resources` (line: 1, column: 12)");
    let odd_kind = SMALL.replace("unknown", "odd");
    let expected = "expected one of `compilable_type`, `defined_type`, `class`, `unknown`";
    assert_eq!(refused(&odd_kind), format!("unknown kind of a resource `odd`, {expected} (line: 2, column: 78)"));
    let number = SMALL.replace("\"n\":1}", "\"n\":99999999999999999999}");
    assert!(Catalog::read(&number).is_ok(), "beyond 64 bits JSON has floats alone");
    assert!(
        refused(&SMALL.replace("\"n\":1}", "\"n\":9223372036854775808}")).starts_with("9223372036854775808 is too")
    );
    let bad = SMALL.replace("\"n\":1}", r#""n":{"__ptype":"Regexp","__pvalue":"("}}"#);
    assert!(refused(&bad).starts_with("end pattern with unmatched parenthesis"), "{}", refused(&bad));
    let deep = SMALL.replace("\"n\":1}", &format!("\"n\":{}1{}}}", "[".repeat(5000), "]".repeat(5000)));
    assert!(refused(&deep).starts_with("recursion limit exceeded"));
}

#[test]
fn edges_need_both_ends_and_names_are_given_once() {
    let expected = "the edge from Class[nope] to File[/a[1]] leads to no resource: Class[nope]";
    assert_eq!(refused(&SMALL.replace("Class[main]", "Class[nope]")), expected);
    let twice = SMALL.replace(r#""title":"main","type":"Class""#, r#""title":"/a[1]","type":"File""#);
    assert_eq!(refused(&twice), "File[/a[1]] is there twice");
}
