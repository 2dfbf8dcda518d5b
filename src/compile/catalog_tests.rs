//! The cases of the design in which a naive replay of a catalog would be wrong, and what follows an edit.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pantin_base::Language;
use pantin_eval::{Settings, builtins};
use pantin_model::catalog::Sent;
use pantin_model::trace::{Secrets, Traces, WalkKind};
use pantin_values::{Digest, Hash, Timestamp, Value};
use pantin_world::environment::{Environment, Manifest};
use pantin_world::load::Modules;
use pantin_world::node::NodeData;
use pantin_world::table_disk::TableDisk;
use pantin_world::{LeafId, LeafKind, Leaves, TrackedDisk};

use super::NodeRequest;
use super::catalog::{Compilation, EnvironmentMemos, Site};

fn traces() -> Traces {
    Traces::new(Digest::from_text("tests"), Secrets::new([1; 32]))
}

/// Returns what a node is told: log, then the catalog's JSON or the error.
fn said(compiled: &Compilation) -> String {
    let mut said: Vec<String> = compiled.log.iter().map(|line| line.text.clone()).collect();
    said.push(match &compiled.result {
        Ok(catalog) => serde_json::to_string(&Sent { catalog, uuid: "" }).unwrap(),
        Err(ended) => ended.text.clone(),
    });
    said.join("\n")
}

fn compile(files: &[(&str, &str)], facts: &[(&str, &str)], traces: Option<&Traces>) -> Compilation {
    World::new(files).compile(facts, traces)
}

/// An environment that is ready, with the questions that were put to its disk.
struct World {
    site: Site,
    environment: Arc<Environment>,
    leaves: Arc<Leaves>,
}

impl World {
    fn new(files: &[(&str, &str)]) -> World {
        let files: Vec<(String, &str)> = files.iter().map(|(path, text)| (format!("/env/{path}"), *text)).collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let disk = TrackedDisk::from(Arc::new(TableDisk::from_files(&files)));
        let leaves = Arc::clone(disk.leaves());
        let environment = Environment {
            name: "production".to_owned(),
            folder: Some("/env".into()),
            modulepath: vec!["/env/modules".into()],
            manifest: Manifest::Path("/env/manifests".into()),
            rich_data: true,
            settings: [(Value::from("hiera_config"), Value::from("/none/hiera.yaml"))].into_iter().collect(),
            ..Environment::default()
        };
        let settings = Settings::from_language(Language::Puppet8);
        let folder = environment.folder.as_deref();
        let (modules, _) =
            Modules::list(disk, &environment.modulepath, folder, settings.strict, settings.language).unwrap();
        let site = Site::load(&environment, modules, settings, false, builtins::all(), &EnvironmentMemos::default());
        World { site, environment: Arc::new(environment), leaves }
    }

    fn with_read_ahead(self, threads: usize) -> World {
        World { site: self.site.with_read_ahead(threads), ..self }
    }

    fn compile(&self, facts: &[(&str, &str)], traces: Option<&Traces>) -> Compilation {
        let facts: Hash = facts.iter().map(|(name, value)| (Value::from(*name), Value::from(*value))).collect();
        let request = NodeRequest {
            node: Arc::new(NodeData { name: "n.example.org".to_owned(), facts, ..NodeData::default() }),
            environment: Arc::clone(&self.environment),
            now: Timestamp::from_seconds(0),
            version: Value::Integer(1),
            collects_exported: false,
            answers: Arc::default(),
            exports: Arc::default(),
            seconds: pantin_base::limits::NODE_SECONDS,
        };
        self.site.compile(&request, traces)
    }

    /// Returns what an answer depends on.
    fn dependencies(&self, compiled: &Compilation) -> BTreeSet<(LeafKind, PathBuf, Digest)> {
        let dependencies = compiled.dependencies();
        let leaf = |(id, digest): &(LeafId, Digest)| {
            let leaf = self.leaves.leaf(*id).unwrap();
            (leaf.kind, leaf.path.to_path_buf(), *digest)
        };
        dependencies.iter().map(leaf).collect()
    }
}

type Pairs<'p> = &'p [(&'p str, &'p str)];

/// One after the other, each with what the ones before have left; each must come to what a fresh run comes to.
fn in_turn(requests: &[(Pairs<'_>, Pairs<'_>)]) -> Vec<Compilation> {
    let traces = traces();
    let walked = requests.iter().map(|(files, facts)| {
        let walked = compile(files, facts, Some(&traces));
        assert_eq!(said(&walked), said(&compile(files, facts, None)));
        walked
    });
    walked.collect()
}

fn how(compiled: &Compilation, body: &str) -> Option<WalkKind> {
    compiled.walks.iter().find(|walk| walk.name == body).map(|walk| walk.how)
}

fn ran(compiled: &Compilation) -> Vec<&str> {
    compiled.walks.iter().filter(|walk| walk.how != WalkKind::Replayed).map(|walk| walk.name.as_str()).collect()
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
    assert!(matches!(how(&answers[1], "a"), Some(WalkKind::Resumed { .. })));
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
    let notices = |compiled: &Compilation| {
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

/// Code of which a part is never reached, and what is wrong with that.
const WITH_ANOTHER_BRANCH: [(&str, &str); 7] = [
    ("manifests/site.pp", "if $facts['kind'] == 'odd' { include odd }\ninclude \"a::${facts['which']}\""),
    ("modules/odd/manifests/init.pp", "class odd { include odd::deeper $x = \"\\q\" }"),
    ("modules/odd/manifests/deeper.pp", "class odd::deeper { this is no code"),
    ("modules/a/manifests/one.pp", "class a::one(A::Size $size = 1) inherits a { b { 'x': text => a::text($size) } }"),
    ("modules/a/manifests/init.pp", "class a { $y = \"\\w\" }"),
    ("modules/a/types/size.pp", "type A::Size = Integer[1]"),
    ("modules/b/manifests/init.pp", "define b($text) { notify { $text: message => epp('b/t.epp') } }"),
];

/// It is asked for by code, not by files of code that are read ahead of it.
const ELSEWHERE: [(&str, &str); 2] = [
    ("modules/a/functions/text.pp", "function a::text($of) { \"text ${of}\" }"),
    ("modules/b/templates/t.epp", "text"),
];

#[test]
fn what_is_read_ahead_is_no_part_of_an_answer() {
    let files = [&WITH_ANOTHER_BRANCH[..], &ELSEWHERE[..]].concat();
    let (alone, ahead) = (World::new(&files), World::new(&files).with_read_ahead(2));
    wait_for(&ahead.leaves, "/env/modules/odd/manifests/deeper.pp");
    for facts in [[("kind", "plain"), ("which", "one")], [("kind", "odd"), ("which", "one")]] {
        let (one, other) = (alone.compile(&facts, None), ahead.compile(&facts, None));
        assert_eq!(said(&one), said(&other));
        assert_eq!(alone.dependencies(&one), ahead.dependencies(&other));
        assert_eq!(said(&other).contains("Syntax error"), facts[0].1 == "odd", "{}", said(&other));
    }
}

#[test]
fn what_a_node_loads_says_what_is_read_next() {
    let named_by_a_fact = [("manifests/site.pp", "include $facts['first']\ninclude $facts['wrong']")];
    let loaded = [
        ("modules/a/manifests/init.pp", "class a { if false { include b } }"),
        ("modules/b/manifests/init.pp", "class b { }"),
    ];
    let world = World::new(&[named_by_a_fact.as_slice(), &loaded].concat()).with_read_ahead(1);
    let answer = world.compile(&[("first", "a"), ("wrong", "nothing")], None);
    assert!(said(&answer).contains("Could not find class ::nothing"), "{}", said(&answer));
    wait_for(&world.leaves, "/env/modules/b/manifests/init.pp");
}

/// Until a file was asked for, by whomever.
fn wait_for(leaves: &Leaves, path: &str) {
    let is_asked = || leaves.new_paths(&mut 0).iter().any(|asked| **asked == *Path::new(path));
    for _ in 0..10_000_000 {
        if is_asked() {
            return;
        }
        std::thread::yield_now();
    }
    panic!("nobody asks for {path}");
}
