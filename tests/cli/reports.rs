//! Errors that end a catalog, as a person at a terminal sees them: the source's line, the help, the name of the error.

use crate::Folder;

const BAD_CLASS: &str = "class m {\n  file { '/x'\n    ensure => file,\n  }\n}\n";

fn compile(folder: &Folder, more: &[&str]) -> String {
    let arguments = ["compile", "a", "--os", "debian-12", "--environment-dir", ".", "--log-format", "human"];
    let run = folder.run(&[&arguments[..], more].concat());
    assert_eq!((run.out.as_str(), run.code), ("", Some(1)));
    run.err
}

/// What `validate` says of a file, without its summary.
fn validate(folder: &Folder, file: &str) -> String {
    folder.run(&["validate", "--format", "human", "-q", file]).out
}

#[test]
fn what_cannot_be_parsed_is_shown_as_validate_shows_it() {
    let folder = Folder::with(&[("manifests/site.pp", "include m\n"), ("modules/m/manifests/init.pp", BAD_CLASS)]);
    let of_class = validate(&folder, "modules/m/manifests/init.pp");
    assert!(of_class.contains("SYNTAX_ERROR") && of_class.contains("help: ") && of_class.contains("ensure => file"));
    let said = compile(&folder, &[]);
    assert!(said.starts_with(&of_class), "{said}\n{of_class}");
    folder.write("manifests/site.pp", "$x = 1\nnotice(\"a\n");
    let of_site = validate(&folder, "manifests/site.pp");
    assert_eq!(compile(&folder, &[]), of_site);
    let code = compile(&folder, &["-e", "$x = }"]);
    assert!(code.contains("× Syntax error at '}'") && code.contains("│ $x = }"), "{code}");
}

#[test]
fn what_is_no_syntax_is_not_called_so() {
    let folder = Folder::with(&[("manifests/site.pp", "")]);
    let said = compile(&folder, &["-e", "\nnotify { a: require => Notify[b] }"]);
    assert!(said.starts_with("EVALUATION_ERROR\n"), "{said}");
    assert!(said.contains("× Could not find resource 'Notify[b]' in parameter 'require'\n"), "{said}");
    assert!(said.contains("notify { a: require => Notify[b] }"), "{said}");
    folder.write("modules/m/manifests/init.pp", "class m inherits gone { }");
    let said = compile(&folder, &["-e", "include m"]);
    assert!(said.starts_with("EVALUATION_ERROR\n") && said.contains("Could not find parent"), "{said}");
}

#[test]
fn machines_read_what_they_read_before() {
    let folder = Folder::with(&[("manifests/site.pp", "include m\n"), ("modules/m/manifests/init.pp", BAD_CLASS)]);
    let run = folder.run(&["compile", "a", "--environment-dir", ".", "--log-level", "err"]);
    let place = format!("(file: {}/modules/m/manifests/init.pp, line: 3, column: 5)", folder.real_path());
    assert_eq!(run.err, format!("Error: Syntax error at 'ensure' {place} on node a\n"));
    let run = folder.run(&["eval", "--json", "--modulepath", "modules", "-e", "include m"]);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["line"]),
        (&"SYNTAX_ERROR".into(), &serde_json::Value::Null)
    );
}
