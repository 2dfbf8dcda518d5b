//! Operators on literals, held against what the real Puppet answers (see `vectors.txt`).

use std::sync::Arc;

use pantin_base::{Language, Source, Strict};
use pantin_regex::Options;
use pantin_syntax::ast::{Ast, BinaryOp, Node, NodeId, UnaryOp};
use pantin_syntax::{Settings, SourceKind, parse};

use super::{Blame, OperandFault, arithmetic, compare, includes, index, match_operator, negate, option_matches};
use crate::scalar::BinaryFormat;
use crate::types::{access, built_in_type};
use crate::{Binary, BuiltInOnly, FaultKind, Regexp, SemVer, SemVerRange, Timespan, Timestamp, Type, Value};

struct Evaluator<'a> {
    ast: &'a Ast,
    settings: Settings,
    warnings: Vec<String>,
}

impl Evaluator<'_> {
    fn eval(&mut self, id: NodeId) -> Result<Value, OperandFault> {
        let ast = self.ast;
        Ok(match ast.node(id) {
            Node::Undef => Value::Undef,
            Node::Default => Value::Default,
            Node::Boolean(value) => value.into(),
            Node::Integer { value, .. } => value.into(),
            Node::Float(value) => value.into(),
            Node::String(text) => ast.text(text).into(),
            Node::Regex(text) => Value::Regexp(Arc::new(Regexp::new(ast.text(text), Options::default()))),
            Node::TypeName(name) => built_in_type(ast.text(name)).expect("a built-in type").into(),
            Node::Array(items) => Value::array(self.all(ast.list(items))?),
            Node::Hash(entries) => {
                let mut hash = Vec::new();
                for &entry in ast.list(entries) {
                    if let Node::Entry { key, value } = ast.node(entry) {
                        hash.push((self.eval(key)?, self.eval(value)?));
                    }
                }
                Value::hash(hash)
            }
            Node::Unary { op: UnaryOp::Paren, operand } => self.eval(operand)?,
            Node::Unary { op: UnaryOp::Minus, operand } => {
                let value = self.eval(operand)?;
                self.coercing(|settings, coerced| negate(&value, settings, coerced))?
            }
            Node::Binary { op, left, right } => {
                let (left, right) = (self.eval(left)?, self.eval(right)?);
                self.binary(op, left, right)?
            }
            Node::Access { left, keys } => {
                let (left, keys) = (self.eval(left)?, self.all(ast.list(keys))?);
                match left {
                    Value::Type(of) => access(&of, &keys, &mut BuiltInOnly)?,
                    _ => self.coercing(|settings, coerced| index(&left, &keys, settings, coerced))?,
                }
            }
            Node::Selector { left, entries } => {
                let value = self.eval(left)?;
                for &entry in ast.list(entries) {
                    if let Node::SelectorEntry { matching, value: chosen } = ast.node(entry) {
                        let option = self.eval(matching)?;
                        if option_matches(&value, &option)?.matched {
                            return self.eval(chosen);
                        }
                    }
                }
                Value::Undef
            }
            Node::Call { functor, args, .. } => {
                let Node::TypeName(name) = ast.node(functor) else { panic!("not of a type") };
                construct(ast.text(name), &self.all(ast.list(args))?)
            }
            node => panic!("not for these tests: {node:?}"),
        })
    }

    fn all(&mut self, ids: &[NodeId]) -> Result<Vec<Value>, OperandFault> {
        ids.iter().map(|&id| self.eval(id)).collect()
    }

    fn coercing<T>(
        &mut self,
        run: impl FnOnce(&Settings, &mut Vec<super::Coercion>) -> Result<T, OperandFault>,
    ) -> Result<T, OperandFault> {
        let mut coerced = Vec::new();
        let result = run(&self.settings, &mut coerced);
        self.warnings.extend(coerced.into_iter().map(|coercion| coercion.message));
        result
    }

    fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Result<Value, OperandFault> {
        Ok(match op {
            BinaryOp::Match => match_operator(&left, &right)?.matched.into(),
            BinaryOp::In => includes(&right, &left)?.matched.into(),
            _ if op as u8 >= BinaryOp::Equal as u8 => compare(op, &left, &right)?.into(),
            _ => self.coercing(|settings, coerced| arithmetic(op, left, right, settings, coerced))?,
        })
    }
}

fn construct(name: &str, args: &[Value]) -> Value {
    let text = args[0].as_str().unwrap_or_default();
    let seconds = match args[0] {
        Value::Integer(seconds) => seconds as f64,
        Value::Float(seconds) => seconds,
        _ => 0.0,
    };
    match name {
        "Sensitive" => Value::sensitive(args[0].clone()),
        "Timespan" => Value::Timespan(Timespan::from_float_seconds(seconds).expect("a length of time")),
        "Timestamp" => Value::Timestamp(Timestamp::from_float_seconds(seconds).expect("a time")),
        "SemVer" => Value::SemVer(Arc::new(SemVer::parse(text).expect("a version"))),
        "SemVerRange" => Value::SemVerRange(Arc::new(SemVerRange::parse(text).expect("a range"))),
        "Binary" => Value::Binary(Binary::parse(text, BinaryFormat::new("%B").expect("a format")).expect("base 64")),
        _ => panic!("no {name} in these tests"),
    }
}

/// Returns what an expression makes, and what it warns of.
fn evaluate(text: &str, language: Language, strict: Strict) -> (Result<Value, OperandFault>, Vec<String>) {
    let settings = Settings { strict, ..Settings::from_language(language) };
    let source = Source::new(None, format!("$x = ({text})")).expect("a source");
    let ast = parse(Arc::new(source), SourceKind::Manifest, settings).result.expect("an expression");
    let Node::Assign { right, .. } = ast.node(ast.root()) else { panic!("one expression only: {text}") };
    let mut evaluator = Evaluator { ast: &ast, settings, warnings: Vec::new() };
    (evaluator.eval(right), evaluator.warnings)
}

/// `L CODE: message`
fn shown(blamed: &OperandFault) -> String {
    let blame = match blamed.blame {
        Blame::Whole => 'W',
        Blame::Left => 'L',
        Blame::Right => 'R',
        Blame::Key(_) => 'K',
    };
    match blamed.fault.kind {
        FaultKind::Issue(code) => format!("{blame} {code}: {}", blamed.fault),
        FaultKind::Plain => format!("{blame} PLAIN: {}", blamed.fault),
        FaultKind::Limit | FaultKind::Located | FaultKind::Logged => format!("{blame} LIMIT: {}", blamed.fault),
    }
}

#[test]
fn operators_answer_as_the_real_ones() {
    let mut wrong = Vec::new();
    for line in include_str!("vectors.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (expression, expected) = line.split_once("  =>  ").expect("an arrow");
        let answer = match evaluate(expression, Language::Puppet8, Strict::Off).0 {
            Err(blamed) => shown(&blamed),
            Ok(value) => {
                let is_fault = expected.as_bytes().get(1) == Some(&b' ') && "WLRK".contains(&expected[..1]);
                if !is_fault && evaluate(expected, Language::Puppet8, Strict::Off).0.as_ref() == Ok(&value) {
                    continue;
                }
                format!("{value:?}")
            }
        };
        if answer != expected {
            wrong.push(format!("{expression}\n  expected {expected}\n  answered {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_string_for_a_number_is_minded_as_the_settings_say() {
    let message = "The string '1' was automatically coerced to the numerical value 1";
    let (value, warnings) = evaluate("'1' + 2", Language::Puppet8, Strict::Warning);
    assert_eq!((value, warnings), (Ok(Value::Integer(3)), vec![message.to_owned()]));
    let (value, warnings) = evaluate("2 - '1'", Language::Puppet8, Strict::Error);
    assert_eq!(value.map_err(|blamed| shown(&blamed)), Err(format!("R NUMERIC_COERCION: {message}")));
    assert!(warnings.is_empty());
    // The first operand was coerced before the second turned out to be wrong.
    let (value, warnings) = evaluate("'1' + true", Language::Puppet8, Strict::Warning);
    assert!(value.is_err());
    assert_eq!(warnings, [message]);
    assert_eq!(evaluate("'1' + '2'", Language::Puppet8, Strict::Off).1, Vec::<String>::new());
}

#[test]
fn pairs_of_other_lengths_depend_on_the_version() {
    let seven = |text| evaluate(text, Language::Puppet7, Strict::Off).0;
    assert_eq!(seven("{'a'=>1} + [[1]]"), seven("{'a'=>1,1=>undef}"));
    let error = seven("{'a'=>1} + [[1,2,3]]").map_err(|blamed| shown(&blamed));
    assert_eq!(error, Err("W PLAIN: invalid number of elements (3 for 1..2)".to_owned()));
}

#[test]
fn captures_are_those_of_the_last_match() {
    let regexp = |source: &str| Value::Regexp(Arc::new(Regexp::new(source, Options::default())));
    let found = match_operator(&"xäbc".into(), &"(b)(z)?".into()).expect("a match");
    let data = found.captured.expect("captures");
    let groups: Vec<_> = (0..4).map(|number| data.group(number)).collect();
    assert_eq!(groups, ["b".into(), "b".into(), Value::Undef, Value::Undef]);
    // Set also where the whole does not match.
    let options = Value::array([regexp("a"), regexp("x")]);
    let found = option_matches(&Value::array(["cat".into(), "dog".into()]), &options).expect("no fault");
    assert!(!found.matched);
    assert_eq!(found.captured.map(|data| data.group(0)), Some("a".into()));
    let found = includes(&Value::array([regexp("A"), regexp("(.)b")]), &"ab".into()).expect("no fault");
    assert_eq!(found.captured.map(|data| data.group(1)), Some("a".into()));
}

#[test]
fn what_is_nested_deep_is_compared() {
    let nested = || (0..100_000).fold(Value::from(1), |inner, _| Value::array([inner]));
    let (a, b) = (nested(), nested());
    assert!(super::equals(&a, &b));
    assert!(option_matches(&a, &b).expect("no fault").matched);
    assert!(super::to_s(&a).starts_with("[[["));
    // To drop them is not what is tested here.
    std::mem::forget((a, b));
}

#[test]
fn types_label_themselves() {
    assert_eq!(crate::label::a_an_uc(&Value::Type(Type::Any)), "An Any-Type");
    assert_eq!(
        crate::label::a_an(&Value::Type(Type::resource("File", Some("a".into())))),
        "a File['a'] Resource-Reference"
    );
}
