//! What a request reads, and when it must run again: traces of whole programs.

use std::sync::Arc;

use pantin_base::{Language, Source, Strict};
use pantin_eval::{Limits, Settings, builtins};
use pantin_model::trace::{Secrets, Traces, WalkKind};
use pantin_syntax::SourceKind;
use pantin_values::{Digest, Hash, Timestamp, Value};
use pantin_world::load::Modules;
use pantin_world::table_disk::TableDisk;

use super::{ProgramOutput, Request};

fn facts(ip: &str, mac: &str) -> Hash {
    let networking = Value::hash([("ip".into(), ip.into()), ("mac".into(), mac.into())]);
    [(Value::from("networking"), networking)].into_iter().collect()
}

fn request(code: &str, facts: Hash, files: &[(&str, &str)]) -> Request {
    let (modules, _) = Modules::list(
        Arc::new(TableDisk::from_files(files)),
        &["/modules".into()],
        None,
        Strict::Error,
        Language::Puppet8,
    )
    .expect("modules");
    Request {
        source: Arc::new(Source::new(None, code).expect("text")),
        kind: SourceKind::Manifest,
        settings: Settings::from_language(Language::Puppet8),
        tasks: false,
        facts,
        trusted_extensions: Hash::default(),
        node: "node.example.org".to_owned(),
        environment: "production".to_owned(),
        server_version: "8.10.0".to_owned(),
        modules,
        now: Timestamp::from_seconds(0),
        params: Hash::default(),
        own_ruby: None,
        ruby_reads: Vec::new(),
        context: None,
    }
}

fn traces() -> Traces {
    Traces::new(Digest::from_text("tests"), Secrets::new([1; 32]))
}

/// Answers, with how the main code came to its result.
fn answer_through(request: &Request, traces: &Traces) -> (ProgramOutput, Option<WalkKind>) {
    let (answered, walks) = request.answer_through(traces, builtins::all());
    (answered, walks.last().map(|walk| walk.how))
}

fn texts(answered: &ProgramOutput) -> Vec<String> {
    let end = answered.result.as_ref().err().map(|ended| ended.text.clone());
    answered.log.iter().map(|line| line.text.clone()).chain(end).collect()
}

/// Runs the code for one node, then for one with another address of the card, then with another IP address.
fn reads_the_ip_alone(code: &str, files: &[(&str, &str)]) {
    let traces = traces();
    let run = |facts| answer_through(&request(code, facts, files), &traces);
    let (first, how) = run(facts("10.0.0.1", "aa"));
    assert_eq!(how, Some(WalkKind::Fresh));
    let (same, how) = run(facts("10.0.0.1", "bb"));
    assert_eq!(how, Some(WalkKind::Replayed), "{code}: the card's address was never looked at");
    assert_eq!(texts(&same), texts(&first));
    let (other, how) = run(facts("10.0.0.2", "bb"));
    assert!(matches!(how, Some(WalkKind::Resumed { .. })), "{code}: {how:?}");
    assert_eq!(texts(&other), ["Notice: Scope(Class[main]): 10.0.0.2"]);
}

#[test]
fn a_part_of_a_fact_is_all_that_is_read() {
    reads_the_ip_alone("notice($facts['networking']['ip'])", &[]);
}

#[test]
fn a_part_reached_by_a_variable_is_all_that_is_read() {
    reads_the_ip_alone("$n = $facts['networking']\nnotice($n['ip'])", &[]);
    reads_the_ip_alone("$f = $facts\n$n = $f['networking']\nnotice(\"${n['ip']}\")", &[]);
}

#[test]
fn a_part_reached_by_an_argument_is_all_that_is_read() {
    reads_the_ip_alone("function f($n) { $n['ip'] }\nnotice(f($facts['networking']))", &[]);
}

#[test]
fn a_part_reached_by_a_template_is_all_that_is_read() {
    let template = ("/modules/m/templates/a.epp", "<%= $facts['networking']['ip'] %>");
    reads_the_ip_alone("notice(epp('m/a.epp'))", &[template]);
}

#[test]
fn what_goes_through_a_container_reads_all_of_it() {
    let traces = traces();
    let code = "$facts['networking'].each |$k, $v| { notice($k) }";
    let run = |facts| answer_through(&request(code, facts, &[]), &traces);
    run(facts("10.0.0.1", "aa"));
    let (_, how) = run(facts("10.0.0.1", "bb"));
    assert!(matches!(how, Some(WalkKind::Resumed { .. })), "{how:?}");
}

/// Case 1 of the design: positions.
#[test]
fn a_comment_above_moves_the_places_and_runs_nothing() {
    let traces = traces();
    let run = |code: &str| answer_through(&request(code, Hash::default(), &[]), &traces);
    let code = "function f($a) { $a + 'x' }\nf(1)";
    let (first, _) = run(code);
    assert_eq!(
        texts(&first),
        [
            "Evaluation Error: The value 'x' cannot be converted to Numeric. (line: 1, column: 23) on node node.example.org"
        ]
    );
    let (moved, how) = run(&format!("# a comment\n\n{code}"));
    assert_eq!(how, Some(WalkKind::Replayed));
    assert_eq!(
        texts(&moved),
        [
            "Evaluation Error: The value 'x' cannot be converted to Numeric. (line: 3, column: 23) on node node.example.org"
        ]
    );
}

/// The definition of a function is an answer too.
#[test]
fn an_edit_of_a_function_runs_its_callers_again() {
    let traces = traces();
    let run = |body: &str| {
        let file = format!("function m::f() {{ {body} }}");
        answer_through(&request("notice(m::f())", Hash::default(), &[("/modules/m/functions/f.pp", &file)]), &traces)
    };
    run("1");
    let (same, how) = run("1 /* the same */");
    assert_eq!((texts(&same), how), (vec!["Notice: Scope(Class[main]): 1".to_owned()], Some(WalkKind::Replayed)));
    let (edited, how) = run("2");
    assert_eq!(texts(&edited), ["Notice: Scope(Class[main]): 2"]);
    assert!(matches!(how, Some(WalkKind::Resumed { .. })), "{how:?}");
}

/// So is that of a type, and of the types it depends on.
#[test]
fn an_edit_of_a_type_below_runs_what_rests_on_it_again() {
    let traces = traces();
    let run = |below: &str| {
        let files = [("/modules/m/types/a.pp", "type M::A = Array[M::B]"), ("/modules/m/types/b.pp", below)];
        answer_through(&request("notice([5] =~ M::A)", Hash::default(), &files), &traces).0
    };
    assert_eq!(texts(&run("type M::B = Integer")), ["Notice: Scope(Class[main]): true"]);
    assert_eq!(texts(&run("type M::B = String")), ["Notice: Scope(Class[main]): false"]);
}

/// What is missing is an answer too.
#[test]
fn a_file_that_appears_is_another_answer() {
    let traces = traces();
    let run = |files: &[(&str, &str)]| {
        answer_through(&request("notice(find_file('m/a'))", Hash::default(), files), &traces).0
    };
    assert_eq!(texts(&run(&[])), ["Notice: Scope(Class[main]): "]);
    assert_eq!(texts(&run(&[("/modules/m/files/a", "x")])), ["Notice: Scope(Class[main]): /modules/m/files/a"]);
}

/// Case 9 of the design: secrets.
#[test]
fn a_secret_is_in_no_log_error_or_trace() {
    let traces = traces();
    let code = "$s = Sensitive('hunter2')\nnotice($s, [$s], \"${s}\")\nwarning($s)\nassert_type(Integer, $s)";
    let (answered, _) = answer_through(&request(code, Hash::default(), &[]), &traces);
    let said = texts(&answered).join("\n");
    assert!(!said.contains("hunter2"), "{said}");
    assert!(!format!("{traces:?} {answered:?}").contains("hunter2"));
}

/// The last line of what a program with small limits says.
fn limited(code: &str) -> String {
    let mut request = request(code, Hash::default(), &[]);
    request.settings.limits = Limits { depth: 50, calls: 1000, ..Limits::default() };
    texts(&request.answer(builtins::all())).pop().unwrap_or_default()
}

#[test]
fn what_has_no_end_ends_at_a_limit() {
    let depth = "Calls are nested more than 50 deep; the setting max_depth raises the limit";
    assert!(limited("function f($n) { f($n + 1) }\nf(1)").contains(depth));
    assert!(limited("function f($a = f()) { $a }\nf()").contains(depth));
    let calls = "More than 1000 calls of functions and blocks; the setting max_calls raises the limit";
    assert!(limited("Integer[1, 9000000000].each |$x| { }").contains(calls));
    assert!(limited("[1, 2].each |$a| { Integer[1, 600].each |$b| { } }").contains(calls));
    assert!(limited("function f() { }\nInteger[1, 600].each |$x| { f() }").contains(calls));
    assert_eq!(limited("function f() { }\nInteger[1, 400].each |$x| { f() }"), "");
}

#[test]
fn what_grows_without_end_ends_at_a_limit() {
    let text = "Integer[1, 40].reduce('0123456789abcdef') |$m, $x| { \"${m}${m}\" }";
    assert!(limited(text).contains("A text may have 268435456 bytes at most"));
    let array = "$half = Array(Integer[0, 10000000])\n$whole =\n  $half + $half";
    assert!(limited(array).contains("An array or hash may have 20000000 elements at most; the setting max_elements raises the limit (line: 3, column: 9)"));
    assert!(limited("sprintf('%999999999d', 1)").contains("limited to"));
    assert!(limited("Array(9000000000)").contains("elements are more than the"));
    assert!(limited("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab' =~ /^(a|a)*\\1\\1c$/").contains("takes too many steps"));
}
