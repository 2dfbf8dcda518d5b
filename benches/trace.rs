//! What a body costs whose trace is known: ten reads and ten effects, on a host that really looks up and appends.
//!
//! `cargo bench --bench trace`. Beside it stands the host alone, asked and told the same without a tree.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use indexmap::IndexMap;
use pantin::base::{Source, Span};
use pantin::model::trace::{
    Answer, At, Body, Container, Declaration, DeclaredBody, Effect, Failure, Host, Level, Log, LogSource, Outcome,
    Parameters, Question, ResourceForm, Secrets, Traces, Unit, Written,
};
use pantin::values::types::ResourceType;
use pantin::values::{Digest, Str, Type, Value};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

struct World {
    variables: FxHashMap<Str, Value>,
    log: Vec<Log>,
    resources: IndexMap<Str, Arc<Declaration>, FxBuildHasher>,
    exported: FxHashMap<Str, Value>,
}

impl World {
    fn new() -> World {
        let os = Value::hash([
            ("family".into(), "RedHat".into()),
            ("name".into(), "Rocky".into()),
            ("release".into(), Value::hash([("major".into(), "9".into()), ("full".into(), "9.4".into())])),
        ]);
        let networking = Value::hash([
            ("ip".into(), "10.20.30.40".into()),
            ("fqdn".into(), "web-0042.rack-7.datacenter.example.com".into()),
        ]);
        let facts = Value::hash([("os".into(), os), ("networking".into(), networking)]);
        let mut variables = FxHashMap::default();
        variables.insert("facts".into(), facts);
        for index in 0..200 {
            variables.insert(format!("profile::base::setting_{index}").into(), Value::Integer(index));
        }
        World { variables, log: Vec::new(), resources: IndexMap::default(), exported: FxHashMap::default() }
    }

    /// For the next node.
    fn clear(&mut self) {
        self.log.clear();
        self.resources.clear();
        self.exported.clear();
    }

    fn find(&self, name: &str, path: &[Value]) -> Answer {
        let found = path.iter().try_fold(self.variables.get(name), |value, key| match value? {
            Value::Hash(entries) => Some(entries.get(key)),
            _ => None,
        });
        match found.flatten() {
            None => Answer::Absent,
            Some(Value::Hash(_)) => Answer::View(Container::Hash),
            Some(Value::Array(_)) => Answer::View(Container::Array),
            Some(value) => Answer::Value(value.clone()),
        }
    }
}

impl Host for World {
    fn ask(&mut self, question: &Question) -> Answer {
        match question {
            Question::Variable(name) => self.find(name.written(), &[]),
            Question::Part { variable, path } => self.find(variable.written(), path),
            _ => Answer::Absent,
        }
    }

    fn apply(&mut self, effect: &Effect) -> Outcome {
        match effect {
            Effect::Log(log) => self.log.push((**log).clone()),
            Effect::Export { name, value } => {
                self.exported.insert(name.clone(), value.clone());
            }
            Effect::Declare(declaration) => {
                let mut references = Vec::with_capacity(1);
                for title in declaration.bodies.iter().flat_map(|body| &body.titles) {
                    self.resources.insert(title.clone(), Arc::clone(declaration));
                    let reference =
                        ResourceType { type_name: declaration.type_name.clone(), title: Some(title.clone()) };
                    references.push(Value::Type(Type::Resource(Some(Arc::new(reference)))));
                }
                return Outcome::Value(Value::array(references));
            }
            _ => {}
        }
        Outcome::Done
    }
}

enum Step {
    Ask(Question),
    Apply(Effect),
}

/// A class as they are: facts, settings of other classes, four files, variables, lines of the log.
fn steps(unit: &Arc<Unit>) -> Vec<Step> {
    let at = || At { unit: Arc::clone(unit), node: 0 };
    let fact = |path: &[&str]| Question::Part {
        variable: "facts".into(),
        path: path.iter().map(|key| Value::from(*key)).collect(),
    };
    let mut steps: Vec<Step> = vec![
        Step::Ask(Question::Variable("facts".into())),
        Step::Ask(fact(&["os", "family"])),
        Step::Ask(fact(&["os", "release", "major"])),
        Step::Ask(fact(&["networking", "ip"])),
        Step::Ask(fact(&["networking", "fqdn"])),
        Step::Ask(fact(&["missing"])),
    ];
    for index in 0..10 {
        steps.push(Step::Apply(match index % 5 {
            0 => Effect::Log(Box::new(Log {
                level: Level::Notice,
                source: LogSource::Scope,
                message: format!("configuring part {index} of the service").into(),
                at: Some(at()),
                once: None,
            })),
            1 | 2 => {
                let name = format!("setting_{index}").into();
                Effect::Export { name, value: "some value of this class".into() }
            }
            _ => {
                let written = |name: &str| Written { name: name.into(), append: false, at: at() };
                let written = ["ensure", "owner", "group", "mode", "content"].map(written);
                let parameters = Parameters::new(written.into(), vec!["x".into(); 5]);
                let titles = [format!("/etc/service/conf.d/{index}.conf").into()].into();
                let bodies = [DeclaredBody { titles, are_texts: true, parameters, node: at().node }].into();
                let type_name = "file".into();
                Effect::Declare(Arc::new(Declaration {
                    form: ResourceForm::Regular,
                    type_name,
                    bodies,
                    by_function: false,
                    at: at(),
                }))
            }
        }));
        if index % 3 == 1 || index == 9 {
            steps.push(Step::Ask(Question::Variable(format!("profile::base::setting_{index}").as_str().into())));
        }
    }
    steps
}

fn run(steps: &[Step], host: &mut dyn Host) -> Result<Value, Failure> {
    for step in steps {
        match step {
            Step::Ask(question) => {
                black_box(host.ask(question));
            }
            Step::Apply(effect) => {
                black_box(host.apply(effect));
            }
        }
    }
    Ok(Value::Undef)
}

fn trace(criterion: &mut Criterion) {
    let source = Source::new(Some("init.pp"), "class a { }").ok().map(Arc::new);
    let Some(source) = source else { return };
    let unit = Arc::new(Unit { key: "class a".into(), source, spans: vec![Span::new(0, 5)], ..Unit::default() });
    let steps = steps(&unit);
    let reads = steps.iter().filter(|step| matches!(step, Step::Ask(_))).count();
    assert_eq!((reads, steps.len()), (10, 20));
    let mut world = World::new();
    let traces = Traces::new(Digest::from_text("build"), Secrets::new([1; 32]));
    let key = traces.key(Digest::from_text("class a"), Digest::from_text(""));
    let body = Body { name: "class a", unit: Some(&unit) };

    let mut group = criterion.benchmark_group("trace");
    group.bench_function("the host alone", |bencher| {
        bencher.iter(|| {
            world.clear();
            run(&steps, &mut world)
        });
    });
    group.bench_function("replay of ten reads and ten effects", |bencher| {
        bencher.iter(|| {
            world.clear();
            black_box(traces.walk(&key, body, &mut world, |host| run(&steps, host)))
        });
    });
    group.bench_function("a first run, recorded", |bencher| {
        bencher.iter(|| {
            world.clear();
            let traces = Traces::new(Digest::from_text("build"), Secrets::new([1; 32]));
            black_box(traces.walk(&key, body, &mut world, |host| run(&steps, host)))
        });
    });
    let mut major = 0;
    group.bench_function("a new answer midway", |bencher| {
        bencher.iter(|| {
            world.clear();
            major += 1;
            world.variables.insert("profile::base::setting_4".into(), Value::Integer(major));
            black_box(traces.walk(&key, body, &mut world, |host| run(&steps, host)))
        });
    });
    group.finish();
}

criterion_group!(benches, trace);
criterion_main!(benches);
