//! Little programs: bodies whose way depends on what they are told.

use pantin_values::Value;

use super::{export, failure, notice, unit};
use crate::trace::{Answer, Effect, Failure, Host, Include, Outcome, Question};

pub(super) type Program = Vec<Op>;

#[derive(Clone, Debug)]
pub(super) enum Op {
    /// Asks, and mixes the answer into the number that the program carries along.
    Ask(Ask),
    Do(Do),
    /// By the remainder of the number.
    Branch {
        by: i64,
        ways: Vec<Program>,
    },
    Repeat(usize, Program),
    /// By the remainder of the number: whether to end here.
    Fail {
        by: i64,
    },
}

#[derive(Clone, Debug)]
pub(super) enum Ask {
    Variable(&'static str),
    Part(&'static str),
    Whole,
    /// Which one depends on the number.
    VariableByNumber,
    DefinedByNumber,
    Now,
}

#[derive(Clone, Debug)]
pub(super) enum Do {
    Log,
    Export(&'static str),
    /// Declares a title that depends on the number; a duplicate fails the body unless it is rescued.
    Declare {
        rescued: bool,
    },
    Include(&'static str),
}

pub(super) fn run(program: &Program, host: &mut dyn Host) -> Result<Value, Failure> {
    let mut number = 0;
    steps(program, host, &mut number)?;
    Ok(Value::Integer(number))
}

fn steps(program: &Program, host: &mut dyn Host, number: &mut i64) -> Result<(), Failure> {
    for op in program {
        match op {
            Op::Ask(ask) => mix(number, &host.ask(&question(ask, *number))),
            Op::Do(what) => apply(what, host, number)?,
            Op::Branch { by, ways } => {
                if let Some(way) = ways.get(number.rem_euclid(*by) as usize) {
                    steps(way, host, number)?;
                }
            }
            Op::Repeat(times, inner) => {
                for _ in 0..*times {
                    steps(inner, host, number)?;
                }
            }
            Op::Fail { by } if number.rem_euclid(*by) == 0 => return Err(failure(&format!("failed at {number}"))),
            Op::Fail { .. } => {}
        }
    }
    Ok(())
}

fn question(ask: &Ask, number: i64) -> Question {
    let by_number = |names: &[&'static str]| names[number.rem_euclid(names.len() as i64) as usize];
    match ask {
        Ask::Variable(name) => super::variable(name),
        Ask::Part(key) => super::part("h", &[key]),
        Ask::Whole => super::whole("h"),
        Ask::VariableByNumber => super::variable(by_number(&["x", "y", "c1::e", "c2::e", "e"])),
        Ask::DefinedByNumber => Question::Defined(by_number(&["t0", "t1", "t2", "t3"]).into()),
        Ask::Now => Question::Now,
    }
}

fn mix(number: &mut i64, answer: &Answer) {
    let told = match answer {
        Answer::Value(Value::Integer(value)) => *value,
        Answer::Value(Value::Boolean(value)) => i64::from(*value) + 5,
        Answer::Value(Value::Hash(entries)) => {
            entries.values().fold(9, |sum, value| sum * 3 + if let Value::Integer(value) = value { *value } else { 1 })
        }
        Answer::Absent => 3,
        Answer::Fault(_) => 4,
        _ => 2,
    };
    *number = (*number * 7 + told) % 1009;
}

fn apply(what: &Do, host: &mut dyn Host, number: &mut i64) -> Result<(), Failure> {
    let effect = match what {
        Do::Log => notice(&format!("at {number}")),
        Do::Export(name) => export(name, *number % 4),
        Do::Declare { .. } => Effect::Tag([format!("t{}", number.rem_euclid(4)).into()].into()),
        Do::Include(class) => Effect::Include {
            how: Include::Include,
            classes: [(*class).into()].into(),
            at: super::at(&unit("program", 1)),
        },
    };
    match (host.apply(&effect), what) {
        (Outcome::Failed(_), Do::Declare { rescued: true }) => *number += 100,
        (Outcome::Failed(failure), _) => return Err(*failure),
        _ => {}
    }
    Ok(())
}
