//! `pantin lookup` prints values as `puppet lookup` does.

use crate::Folder;

const DATA: &str = "s: text\ny: 'yes'\nn: 5\nf: 1.5\nb: true\nu: ~\na: [1, x, [2, {k: v}]]\nh: {a: 1, b: {c: [d, 'e f', \"multi\\nline\\n\"]}, z: ~}\ne: []\neh: {}\nml: \"one\\ntwo\\n\"\nlong: \"word word word word word word word word word word word word word word word word word word word word word word\"\nnl: \"x\\n\"\n";

/// Key, `--render-as`, and what the real one prints.
#[rustfmt::skip]
const PRINTED: &[(&str, &str, &str)] = &[
    ("s", "yaml", "--- text\n"),
    ("s", "json", "\"text\"\n"),
    ("s", "s", "text\n"),
    ("y", "yaml", "--- 'yes'\n"),
    ("y", "json", "\"yes\"\n"),
    ("y", "s", "yes\n"),
    ("n", "yaml", "--- 5\n"),
    ("n", "json", "5\n"),
    ("n", "s", "5\n"),
    ("f", "yaml", "--- 1.5\n"),
    ("f", "json", "1.5\n"),
    ("f", "s", "1.5\n"),
    ("b", "yaml", "--- true\n"),
    ("b", "json", "true\n"),
    ("b", "s", "true\n"),
    ("u", "yaml", "---\n"),
    ("u", "json", "null\n"),
    ("u", "s", "\n"),
    ("a", "yaml", "---\n- 1\n- x\n- - 2\n  - k: v\n"),
    ("a", "json", "[1,\"x\",[2,{\"k\":\"v\"}]]\n"),
    ("a", "s", "[1, \"x\", [2, {\"k\"=>\"v\"}]]\n"),
    ("h", "yaml", "---\na: 1\nb:\n  c:\n  - d\n  - e f\n  - |\n    multi\n    line\nz:\n"),
    ("h", "json", "{\"a\":1,\"b\":{\"c\":[\"d\",\"e f\",\"multi\\nline\\n\"]},\"z\":null}\n"),
    ("h", "s", "{\"a\"=>1, \"b\"=>{\"c\"=>[\"d\", \"e f\", \"multi\\nline\\n\"]}, \"z\"=>nil}\n"),
    ("e", "yaml", "--- []\n"),
    ("e", "json", "[]\n"),
    ("e", "s", "[]\n"),
    ("eh", "yaml", "--- {}\n"),
    ("eh", "json", "{}\n"),
    ("eh", "s", "{}\n"),
    ("ml", "yaml", "--- |\n  one\n  two\n"),
    ("ml", "json", "\"one\\ntwo\\n\"\n"),
    ("ml", "s", "one\ntwo\n"),
    ("long", "yaml", "--- word word word word word word word word word word word word word word word word\n  word word word word word word\n"),
    ("long", "json", "\"word word word word word word word word word word word word word word word word word word word word word word\"\n"),
    ("long", "s", "word word word word word word word word word word word word word word word word word word word word word word\n"),
    ("nl", "yaml", "--- 'x\n\n  '\n"),
    ("nl", "json", "\"x\\n\"\n"),
    ("nl", "s", "x\n"),
];

fn environment() -> Folder {
    Folder::with(&[
        ("environment.conf", ""),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
        ("data/common.yaml", DATA),
    ])
}

#[test]
fn values_are_printed_as_the_real_one_prints_them() {
    let folder = environment();
    for (key, format, printed) in PRINTED {
        let run = folder.run(&["lookup", key, "--node", "x", "--render-as", format]);
        assert_eq!((run.out.as_str(), run.code), (*printed, Some(0)), "{key} as {format}: {}", run.err);
    }
    assert_eq!(
        folder.run(&["lookup", "h", "--node", "x"]).out,
        folder.run(&["lookup", "h", "--render-as", "yaml"]).out
    );
}

#[test]
fn what_is_no_data_has_no_form_in_yaml() {
    let folder = environment();
    folder.write("data/common.yaml", "k: x\nlookup_options: {k: {convert_to: Sensitive}}\n");
    folder.write("facts/x.json", "{}");
    let run = folder.run(&["lookup", "k", "--facts", "facts"]);
    let error = "Error: a value of the type Sensitive[String] has no form in YAML; --format json or s has one\n";
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), ("", error, Some(1)));
}

#[test]
fn a_type_that_nobody_knows_is_wrong_usage() {
    let folder = environment();
    for (of, unknown) in [("Nope", "Nope"), ("Optional[Kit::Port]", "Kit::Port")] {
        let run = folder.run(&["lookup", "n", "--node", "x", "--type", of]);
        let error = format!("--type: there is no built-in type {unknown}, and others are not looked for");
        assert!(run.err.contains(&error), "{}", run.err);
        assert_eq!((run.out.as_str(), run.code), ("", Some(2)));
    }
    assert_eq!(folder.run(&["lookup", "n", "--node", "x", "--type", "Integer"]).out, "--- 5\n");
}

#[test]
fn data_that_names_variables_of_code_is_told_what_helps() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("manifests/site.pp", "$tier = 'x'\n"),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - { name: tier, path: '%{::tier}.yaml' }\n"),
        ("data/x.yaml", "a: 1\n"),
        ("facts/n.json", "{}"),
    ]);
    let run = folder.run(&["lookup", "a", "--facts", "facts", "--node", "n", "--default", "none"]);
    let help = "Notice: the data names variables of code (::tier): --compile evaluates the code first\n";
    assert!(run.err.ends_with(help), "{}", run.err);
    let run = folder.run(&["lookup", "a", "--facts", "facts", "--node", "n", "--compile"]);
    assert_eq!((run.out.as_str(), run.err.contains("--compile")), ("--- 1\n", false), "{}", run.err);
}
