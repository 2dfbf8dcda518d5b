//! The cases in which a naive replay would be wrong, by name.

use std::sync::Arc;

use super::program::{Ask, Do, Op};
use super::world::World;
use super::*;
use crate::trace::{
    Answer, Code, Declaration, DeclaredBody, Definition, Host, Outcome, Parameters, Recorder, Tree, WalkResult,
    Written, run_or_replay,
};

type Ran = Result<Value, Failure>;

fn walk(tree: &mut Tree, world: &mut dyn Host, run: impl FnOnce(&mut dyn Host) -> Ran) -> WalkResult {
    run_or_replay(tree, &secrets(), body("class a"), world, run)
}

fn no_code(_: &mut dyn Host) -> Ran {
    panic!("code was run")
}

#[derive(Debug)]
struct Function(Arc<Unit>);

impl Code for Function {
    fn unit(&self) -> Option<&Arc<Unit>> {
        Some(&self.0)
    }
}

/// Knows one function, keeps what is applied, and fails what is included.
struct Places {
    function: Arc<Unit>,
    included: Arc<Unit>,
    applied: Vec<Effect>,
}

impl Host for Places {
    fn ask(&mut self, _: &Question) -> Answer {
        let code = Arc::new(Function(Arc::clone(&self.function)));
        Answer::Definition(Definition { digest: Digest::from_text("function f"), code })
    }

    fn apply(&mut self, effect: &Effect) -> Outcome {
        self.applied.push(effect.clone());
        match effect {
            Effect::Include { .. } => {
                Outcome::Failed(Box::new(Failure { at: Some(at(&self.included)), ..failure("it is broken") }))
            }
            _ => Outcome::Done,
        }
    }
}

fn declaration(own: &Arc<Unit>, function: &Arc<Unit>) -> Effect {
    let written = Written { name: "ensure".into(), append: false, at: at(function) };
    let parameters = Parameters::new([written].into(), vec!["file".into()]);
    let body = DeclaredBody { titles: ["t".into()].into(), are_texts: true, parameters, node: at(own).node };
    let form = crate::trace::ResourceForm::Regular;
    Effect::Declare(Arc::new(Declaration {
        form,
        type_name: "file".into(),
        bodies: [body].into(),
        by_function: false,
        at: at(own),
    }))
}

#[test]
fn case_1_positions() {
    let run = |own: Arc<Unit>| {
        move |host: &mut dyn Host| {
            let Answer::Definition(definition) =
                host.ask(&Question::function(&"f".into(), &crate::trace::FunctionCaller::Environment))
            else {
                unreachable!()
            };
            let function = Arc::clone(definition.code.unit().unwrap());
            host.apply(&declaration(&own, &function));
            let how = crate::trace::Include::Include;
            match host.apply(&Effect::Include { how, classes: ["b".into()].into(), at: at(&own) }) {
                Outcome::Failed(failure) => Err(Failure { calls: vec![at(&function), at(&own)], ..*failure }),
                other => panic!("{other:?}"),
            }
        }
    };
    let places = |from: usize| {
        let (function, included) = (unit("function f", from + 1), unit("class b", from + 2));
        (unit("class a", from), Places { function, included, applied: Vec::new() })
    };
    let secrets = secrets();
    let mut tree = Tree::default();
    let (own, mut host) = places(1);
    let fresh = Body { name: "class a", unit: Some(&own) };
    assert_eq!(run_or_replay(&mut tree, &secrets, fresh, &mut host, run(Arc::clone(&own))).how, WalkKind::Fresh);
    // All three files had ten lines put before what counts.
    let (own, mut host) = places(11);
    let moved = Body { name: "class a", unit: Some(&own) };
    let walked = run_or_replay(&mut tree, &secrets, moved, &mut host, no_code);
    assert_eq!(walked.how, WalkKind::Replayed);
    let failure = walked.result.unwrap_err();
    assert_eq!(line(failure.at.as_ref().unwrap()), 13, "in the included class");
    assert_eq!(failure.calls.iter().map(line).collect::<Vec<_>>(), [12, 11]);
    let Effect::Declare(declared) = &host.applied[0] else { panic!() };
    assert_eq!((line(&declared.at), line(&declared.body_place(&declared.bodies[0]))), (11, 11));
    assert_eq!(line(&declared.bodies[0].parameters.written()[0].at), 12, "the function's");
}

#[test]
fn case_2_effects_fail_and_answer() {
    let declare = |host: &mut dyn Host| match host.apply(&Effect::Tag(["t1".into()].into())) {
        Outcome::Failed(failure) => Err(*failure),
        Outcome::Value(references) => Ok(references),
        Outcome::Done => unreachable!(),
    };
    let mut tree = Tree::default();
    let taken = || World { declared: ["t1".into()].into(), ..World::default() };
    let references = Value::array(["t1".into()]);
    assert_eq!(walk(&mut tree, &mut World::default(), declare).result, Ok(references.clone()));
    let walked = walk(&mut tree, &mut taken(), declare);
    assert_eq!((walked.how, walked.result), (WalkKind::Resumed { at: 0 }, Err(failure("Duplicate declaration"))));
    assert_eq!(walk(&mut tree, &mut World::default(), no_code).result, Ok(references));
    assert_eq!(walk(&mut tree, &mut taken(), no_code).result, Err(failure("Duplicate declaration")));
}

#[test]
fn case_3_a_look_up_reads_the_callers_locals() {
    // The local is made of what was read, and its value stands in the question.
    let run = |host: &mut dyn Host| {
        let Answer::Value(Value::String(role)) = host.ask(&variable("role")) else { unreachable!() };
        match host.ask(&lookup(format!("{role}.yaml/port").into(), Value::Undef)) {
            Answer::Value(port) => Ok(port),
            other => panic!("{other:?}"),
        }
    };
    let world = |role: &str, web: i64| {
        World::from_variables(&[
            ("role", role.into()),
            ("data web.yaml/port", web.into()),
            ("data db.yaml/port", 5432.into()),
        ])
    };
    let mut tree = Tree::default();
    assert_eq!(walk(&mut tree, &mut world("web", 80), run).result, Ok(80.into()));
    assert_eq!(walk(&mut tree, &mut world("db", 80), run).result, Ok(5432.into()));
    assert_eq!(walk(&mut tree, &mut world("web", 81), run).how, WalkKind::Resumed { at: 1 });
    assert_eq!(walk(&mut tree, &mut world("db", 81), no_code).result, Ok(5432.into()));
}

#[test]
fn case_4_reads_relative_to_the_frame() {
    let run = |host: &mut dyn Host| match host.ask(&Question::Frame("caller_module_name".into())) {
        Answer::Value(name) => Ok(name),
        other => panic!("{other:?}"),
    };
    let from = |module: &str| {
        let frame = [("caller_module_name".into(), module.into())].into();
        World { frame, ..World::default() }
    };
    let mut tree = Tree::default();
    assert_eq!(walk(&mut tree, &mut from("apache"), run).result, Ok("apache".into()));
    assert_eq!(walk(&mut tree, &mut from("nginx"), run).result, Ok("nginx".into()));
    assert_eq!(walk(&mut tree, &mut from("apache"), no_code).result, Ok("apache".into()));
}

#[test]
fn case_5_half_done_classes() {
    let a = vec![Op::Do(Do::Export("early")), Op::Do(Do::Include("b")), Op::Do(Do::Export("late"))];
    let b =
        vec![Op::Ask(Ask::Variable("a::early")), Op::Do(Do::Log), Op::Ask(Ask::Variable("a::late")), Op::Do(Do::Log)];
    let traces = Arc::new(traces());
    let classes = Arc::new([("a".into(), a.clone()), ("b".into(), b)].into());
    let world = |traces: Option<&Arc<_>>| World {
        traces: traces.cloned(),
        classes: Arc::clone(&classes),
        scope: "a".into(),
        ..World::default()
    };
    let mut plain = world(None);
    plain.evaluate("a", &a).unwrap();
    assert!(plain.variables.contains_key("a::late"));
    for runs in [2, 0] {
        let mut walked = world(Some(&traces));
        walked.evaluate("a", &a).unwrap();
        assert_eq!(walked.state(), plain.state());
        // `early` is 0 and `late` is absent, which counts as 3.
        assert_eq!((walked.runs, walked.log.as_slice()), (runs, ["at 0".into(), "at 3".into()].as_slice()));
    }
}

#[test]
fn case_6_whole_containers() {
    let facts = |ip: &str, uptime: i64| {
        let networking = Value::hash([("ip".into(), ip.into()), ("mtu".into(), 1500.into())]);
        World::from_variables(&[(
            "facts",
            Value::hash([("networking".into(), networking), ("uptime".into(), uptime.into())]),
        )])
    };
    let leaf = |host: &mut dyn Host| {
        assert!(matches!(host.ask(&variable("facts")), Answer::View(_)));
        match host.ask(&part("facts", &["networking", "ip"])) {
            Answer::Value(ip) => Ok(ip),
            other => panic!("{other:?}"),
        }
    };
    let mut tree = Tree::default();
    walk(&mut tree, &mut facts("10.0.0.1", 1), leaf);
    assert_eq!(walk(&mut tree, &mut facts("10.0.0.1", 2), no_code).result, Ok("10.0.0.1".into()));
    assert_eq!(walk(&mut tree, &mut facts("10.0.0.2", 2), leaf).result, Ok("10.0.0.2".into()));

    let all = |host: &mut dyn Host| {
        let Answer::Value(whole) = host.ask(&whole("facts")) else { unreachable!() };
        // Whoever has seen all of it has seen its parts.
        assert!(matches!(host.ask(&part("facts", &["networking"])), Answer::View(_)));
        assert!(matches!(host.ask(&part("facts", &["none"])), Answer::Absent));
        let networking = Question::Whole { variable: "facts".into(), path: ["networking".into()].into() };
        assert!(matches!(host.ask(&networking), Answer::Value(Value::Hash(_))));
        Ok(whole)
    };
    let mut tree = Tree::default();
    let mut world = facts("10.0.0.1", 1);
    walk(&mut tree, &mut world, all);
    assert_eq!((world.asked.len(), tree.len()), (1, 2), "one read, one end");
    assert_eq!(walk(&mut tree, &mut facts("10.0.0.1", 1), no_code).how, WalkKind::Replayed);
    assert_eq!(walk(&mut tree, &mut facts("10.0.0.1", 2), all).how, WalkKind::Resumed { at: 0 });
}

#[test]
fn case_7_a_defines_key_is_its_parameters() {
    let traces = traces();
    let declared = Value::hash([("mode".into(), "0644".into())]);
    let overridden = Value::hash([("mode".into(), "0600".into())]);
    let run = |parameters: &Value, run: fn(&mut dyn Host) -> Ran| {
        let key = traces.key(Digest::from_text("define d"), parameters.digest());
        let walked = traces.walk(&key, body("define d"), &mut World::default(), run);
        (walked.how, walked.result.unwrap())
    };
    assert_eq!(run(&declared, |_| Ok("0644".into())), (WalkKind::Fresh, "0644".into()));
    assert_eq!(run(&overridden, |_| Ok("0600".into())), (WalkKind::Fresh, "0600".into()));
    assert_eq!(run(&declared, no_code), (WalkKind::Replayed, "0644".into()));
    assert_eq!(run(&overridden, no_code), (WalkKind::Replayed, "0600".into()));
}

#[test]
fn case_8_warn_once() {
    let warns = |host: &mut dyn Host| {
        let Effect::Log(mut log) = notice("it is deprecated") else { unreachable!() };
        log.once = Some("deprecated".into());
        host.apply(&Effect::Log(log));
        Ok(Value::Undef)
    };
    let (mut one, mut other) = (Tree::default(), Tree::default());
    let mut first = World::default();
    walk(&mut one, &mut first, warns);
    walk(&mut other, &mut first, warns);
    assert_eq!(first.log.len(), 1);
    // On another node the other body may come first, or alone.
    let mut second = World::default();
    walk(&mut other, &mut second, no_code);
    walk(&mut one, &mut second, no_code);
    assert_eq!(second.log.len(), 1);
}

#[test]
fn case_9_secrets() {
    const SECRET: &str = "hunter2";
    let secret = || Value::array([Value::sensitive(SECRET.into())]);
    let run = |host: &mut dyn Host| {
        let Answer::Value(password) = host.ask(&whole("password")) else { unreachable!() };
        host.ask(&lookup("key".into(), Value::sensitive(SECRET.into())));
        host.apply(&export("password", password.clone()));
        match host.apply(&Effect::Realize { references: vec![password], at: at(&unit("class a", 1)) }) {
            Outcome::Value(value) => Ok(value),
            other => panic!("{other:?}"),
        }
    };
    let record = |key: [u8; 32]| {
        let mut world = World::from_variables(&[("password", secret())]);
        let secrets = Secrets::new(key);
        let mut recorder = Recorder::new(&mut world, &secrets, "class a");
        let result = run(&mut recorder);
        recorder.finish(result).trace.unwrap()
    };
    let (one, other) = (record([1; 32]), record([2; 32]));
    assert!(one.end.secret);
    for step in [0, 3] {
        assert!(!one.steps[step].digest().is_secret() && one.steps[step].digest() != secret().digest(), "it is sealed");
        assert_ne!(one.steps[step].digest(), other.steps[step].digest(), "each key gives another name");
        assert_eq!(one.steps[step].digest(), record([1; 32]).steps[step].digest());
    }
    let mut tree = Tree::default();
    walk(&mut tree, &mut World::from_variables(&[("password", secret())]), run);
    assert_eq!(
        walk(&mut tree, &mut World::from_variables(&[("password", secret())]), no_code).result,
        Ok(Value::array([secret()]))
    );
    let changed = Value::array([Value::sensitive("hunter3".into())]);
    assert!(!is_replayed(walk(&mut tree, &mut World::from_variables(&[("password", changed)]), run).how));
    for shown in [one.dump(), format!("{one:?}"), tree.dump(), format!("{tree:?}"), format!("{:?}", secrets())] {
        assert!(!shown.contains(SECRET) && !shown.contains("7, 7"), "{shown}");
    }
    let traces = traces();
    let key = traces.key(Digest::from_text("define d"), secret().digest());
    assert!(!key.parameters.is_secret() && key.parameters != secret().digest());
}

#[test]
fn case_10_build_identity() {
    let key = |build: &str| {
        Traces::new(Digest::from_text(build), secrets()).key(Digest::from_text("class a"), Digest::from_text(""))
    };
    assert_eq!(key("one"), key("one"));
    assert_ne!(key("one"), key("other"));
}
