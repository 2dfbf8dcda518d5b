//! The cases of the design in which a naive replay of a catalog would be wrong, and what follows an edit.

use std::sync::Arc;

use super::NodeRequest;
use super::catalog::{Compiled, Site, WorkedOut};
use crate::builtins;
use crate::catalog::Sent;
use crate::eval::Settings;
use crate::load::Modules;
use crate::pcore::{Digest, Hash, Timestamp, Value};
use crate::syntax::Language;
use crate::trace::{How, Secrets, Traces};
use crate::world::environment::{Environment, Manifest};
use crate::world::node::NodeData;
use crate::world::table_disk::TableDisk;

fn traces() -> Traces {
    Traces::new(Digest::of_text("tests"), Secrets::new([1; 32]))
}

/// What a node is told: log, then the catalog's JSON or the error.
fn said(compiled: &Compiled) -> String {
    let mut said: Vec<String> = compiled.log.iter().map(|line| line.text.clone()).collect();
    said.push(match &compiled.result {
        Ok(catalog) => serde_json::to_string(&Sent { catalog, uuid: "" }).unwrap(),
        Err(ended) => ended.text.clone(),
    });
    said.join("\n")
}

fn compile(files: &[(&str, &str)], facts: &[(&str, &str)], traces: Option<&Traces>) -> Compiled {
    let files: Vec<(String, &str)> = files.iter().map(|(path, text)| (format!("/env/{path}"), *text)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let disk = TableDisk::with(&files);
    let environment = Environment {
        name: "production".to_owned(),
        folder: Some("/env".into()),
        modulepath: vec!["/env/modules".into()],
        manifest: Manifest::Path("/env/manifests".into()),
        rich_data: true,
        settings: [(Value::from("hiera_config"), Value::from("/none/hiera.yaml"))].into_iter().collect(),
        ..Environment::default()
    };
    let settings = Settings::of(Language::Puppet8);
    let folder = environment.folder.as_deref();
    let (modules, _) =
        Modules::list(Arc::new(disk), &environment.modulepath, folder, settings.strict, settings.language).unwrap();
    let site = Site::load(&environment, modules, settings, false, builtins::all(), &WorkedOut::default());
    let facts: Hash = facts.iter().map(|(name, value)| (Value::from(*name), Value::from(*value))).collect();
    let request = NodeRequest {
        node: Arc::new(NodeData { name: "n.example.org".to_owned(), facts, ..NodeData::default() }),
        environment: Arc::new(environment),
        now: Timestamp::from_seconds(0),
        version: Value::Integer(1),
        collects_exported: false,
        answers: Arc::default(),
        exports: Arc::default(),
    };
    site.compile(&request, traces)
}

type Pairs<'p> = &'p [(&'p str, &'p str)];

/// One after the other, each with what the ones before have left; each must come to what a fresh run comes to.
fn in_turn(requests: &[(Pairs<'_>, Pairs<'_>)]) -> Vec<Compiled> {
    let traces = traces();
    let walked = requests.iter().map(|(files, facts)| {
        let walked = compile(files, facts, Some(&traces));
        assert_eq!(said(&walked), said(&compile(files, facts, None)));
        walked
    });
    walked.collect()
}

fn how(compiled: &Compiled, body: &str) -> Option<How> {
    compiled.walks.iter().find(|walk| walk.name == body).map(|walk| walk.how)
}

fn ran(compiled: &Compiled) -> Vec<&str> {
    compiled.walks.iter().filter(|walk| walk.how != How::Replayed).map(|walk| walk.name.as_str()).collect()
}

/// Case 1: positions.
#[test]
fn a_comment_above_moves_the_lines_and_runs_nothing() {
    let code = "class a { notify { 'x': } warning('w') }\ndefine d { notify { $title: } }\ninclude a\nd { 'y': }";
    let moved = format!("# a comment\n\n{code}");
    let of = |code| [("manifests/site.pp", code)];
    let answers = in_turn(&[(&of(code), &[]), (&of(&moved), &[])]);
    assert!(said(&answers[0]).contains(r#""line":1"#));
    assert!(!said(&answers[1]).contains(r#""line":1"#) && said(&answers[1]).contains(r#""line":3"#));
    assert_eq!(ran(&answers[1]), Vec::<&str>::new());
}

/// Case 2: effects fail, and answer.
#[test]
fn a_declaration_that_was_right_for_one_node_is_a_duplicate_for_another() {
    let site =
        "class a { notify { 'x': } notice('after') }\nif $facts['twice'] == 'yes' { notify { 'x': } }\ninclude a";
    let files = [("manifests/site.pp", site)];
    let answers = in_turn(&[(&files, &[("twice", "no")]), (&files, &[("twice", "yes")]), (&files, &[("twice", "no")])]);
    assert!(said(&answers[0]).contains("after"));
    assert!(said(&answers[1]).contains("Duplicate declaration: Notify[x] is already declared"));
    assert!(matches!(how(&answers[1], "a"), Some(How::Resumed { .. })));
    assert_eq!(ran(&answers[2]), Vec::<&str>::new());
}

/// Case 3: a look-up reads the locals of the code that asks.
#[test]
fn a_look_up_knows_the_locals_that_the_data_interpolates() {
    let files = [
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: roles\n    path: '%{role}.yaml'\n"),
        ("data/web.yaml", "port: 80\n"),
        ("data/db.yaml", "port: 5432\n"),
        (
            "manifests/site.pp",
            "define d($role) { notice(lookup('port')) }\nclass c { $role = $facts['role'] notice(lookup('port')) }\n\
             d { 'x': role => $facts['role'] }\ninclude c\n['web', 'db'].each |$role| { notice(lookup('port')) }",
        ),
    ];
    let answers = in_turn(&[(&files, &[("role", "web")]), (&files, &[("role", "db")]), (&files, &[("role", "web")])]);
    let notices = |compiled: &Compiled| {
        compiled.log.iter().map(|line| line.text.rsplit(' ').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(notices(&answers[0]), ["80", "80", "5432", "80"]);
    assert_eq!(notices(&answers[1]), ["5432", "80", "5432", "5432"]);
}

/// Case 4: what is read relative to who included first.
#[test]
fn what_depends_on_the_caller_is_asked_of_each_walk() {
    let files = [
        ("modules/a/manifests/init.pp", "class a { tag 'from_a' include c }"),
        ("modules/b/manifests/init.pp", "class b { include c }"),
        ("modules/c/manifests/init.pp", "class c { notice($caller_module_name, tagged('from_a')) notify { 'c': } }"),
        ("manifests/site.pp", "include $facts['first']\ninclude a, b"),
    ];
    let answers = in_turn(&[(&files, &[("first", "a")]), (&files, &[("first", "b")]), (&files, &[("first", "a")])]);
    assert!(said(&answers[0]).contains("Notice: Scope(Class[C]): a true"));
    assert!(said(&answers[1]).contains("Notice: Scope(Class[C]): b false"));
}

/// Case 5: a class that is included by another in its middle sees the first half of it.
#[test]
fn a_half_done_class_has_half_of_its_variables() {
    let code = "class a { $early = $facts['x'] include b $late = 1 }\n\
                class b { notice($a::early, getvar('a::late')) }\nif $facts['order'] == 'b' { include b }\ninclude a";
    let files = [("manifests/site.pp", code)];
    let of = |x: &'static str| [("x", x), ("order", "a")];
    let answers = in_turn(&[(&files, &of("1")), (&files, &of("2")), (&files, &of("1"))]);
    assert!(said(&answers[1]).contains("Notice: Scope(Class[B]): 2 "));
}

/// Case 7: the parameters of a defined type are those it has when the queue reaches it.
#[test]
fn a_defined_type_is_run_with_what_collectors_have_made_of_it() {
    let code = "define d($x) { notice($x) }\n@d { 'a': x => 1 }\nD <| |> { x => $facts['x'] }";
    let files = [("manifests/site.pp", code)];
    let answers = in_turn(&[(&files, &[("x", "one")]), (&files, &[("x", "two")])]);
    assert!(said(&answers[0]).contains("Scope(D[a]): one") && said(&answers[1]).contains("Scope(D[a]): two"));
}

/// Case 8: what is warned of once is warned of for each node, and so is what the parser says.
#[test]
fn each_node_has_its_own_warnings() {
    let code = "class a { hiera('nothing', 1) hiera('nothing', 1) $x = \"\\q\" }";
    let files = [("modules/a/manifests/init.pp", code), ("manifests/site.pp", "include a")];
    let answers = in_turn(&[(&files, &[]), (&files, &[])]);
    for answer in &answers {
        let count = |what| said(answer).matches(what).count();
        assert_eq!((count("The function 'hiera' is deprecated"), count("Unrecognized escape sequence")), (1, 1));
    }
}

/// Case 9: secrets.
#[test]
fn a_secret_parameter_is_in_no_debug_output() {
    let code = "class a(Sensitive $s) { file { '/x': content => $s } }\nclass { 'a': s => Sensitive('hunter2') }";
    let files = [("manifests/site.pp", code)];
    let traces = traces();
    let compiled = compile(&files, &[], Some(&traces));
    assert!(
        said(&compiled).contains(r#""content":"hunter2""#)
            && said(&compiled).contains(r#""sensitive_parameters":["content"]"#)
    );
    assert!(!format!("{traces:?}").contains("hunter2"));
}

#[test]
fn an_edit_of_one_class_runs_that_class_alone() {
    let of = |body: &'static str| {
        [
            ("modules/a/manifests/init.pp", body),
            ("modules/b/manifests/init.pp", "class b { notify { 'b': } }"),
            ("manifests/site.pp", "include a, b"),
        ]
    };
    let (before, after) = (of("class a { notify { 'a': } }"), of("class a { notify { 'a2': } }"));
    let answers = in_turn(&[(&before, &[]), (&after, &[]), (&before, &[])]);
    assert_eq!(ran(&answers[1]), ["a"]);
    assert_eq!(ran(&answers[2]), Vec::<&str>::new());
}
