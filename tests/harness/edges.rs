//! Every core function has a spec that ends with an error of it, and one for each edge of the values that it takes.

use std::collections::BTreeSet;

use libtest_mimic::{Failed, Trial};
use pantin::eval::{RegisteredFunction, builtins};
use pantin::values::{Hash, Value};

use super::calls::{Call, Edge, calls};
use super::document::{By, Document, Mode, Section};

/// Functions without an example of the one or the other, as `name: error` or `name: Edge`, and why. May only shrink.
const WITHOUT: [(&str, &str); 12] = [
    ("contain: EmptyHash", WITHIN_RUBY),
    ("contain: Negative", WITHIN_RUBY),
    ("include: EmptyHash", WITHIN_RUBY),
    ("include: Negative", WITHIN_RUBY),
    ("inline_template: EmptyArray", WITHIN_RUBY),
    ("inline_template: EmptyHash", WITHIN_RUBY),
    ("inline_template: Negative", WITHIN_RUBY),
    ("require: EmptyHash", WITHIN_RUBY),
    ("require: Negative", WITHIN_RUBY),
    ("template: EmptyArray", WITHIN_RUBY),
    ("template: EmptyHash", WITHIN_RUBY),
    ("template: Negative", WITHIN_RUBY),
];

const WITHIN_RUBY: &str = "the real one fails within Ruby, and shows the line of its code";

const EDGES: [Edge; 6] =
    [Edge::EmptyText, Edge::EmptyArray, Edge::EmptyHash, Edge::Undef, Edge::Negative, Edge::Unicode];

/// Looks at documents alone, and runs nothing: that an example holds is its own trial.
pub(super) fn trial(documents: &'static [Document]) -> Trial {
    Trial::test("coverage: a spec has an error and the edges of every core function", || {
        let examples = documents.iter().flat_map(Document::examples);
        let shown: BTreeSet<String> = examples.filter(|section| is_confirmed(section)).flat_map(shown).collect();
        let wanted: Vec<String> = builtins::all().all().into_iter().flat_map(wanted).collect();
        let missing: Vec<&String> = wanted.iter().filter(|what| !shown.contains(*what) && !is_excused(what)).collect();
        if !missing.is_empty() {
            let list: Vec<&str> = missing.iter().map(|what| what.as_str()).collect();
            return Err(Failed::from(format!(
                "{} of {} have no spec that the real Puppet confirmed:\n{}",
                missing.len(),
                wanted.len(),
                list.join("\n")
            )));
        }
        let needless = WITHOUT.iter().map(|(what, _)| *what);
        let needless: Vec<&str> =
            needless.filter(|&what| shown.contains(what) || !wanted.iter().any(|one| one == what)).collect();
        if needless.is_empty() {
            return Ok(());
        }
        Err(Failed::from(format!("take these from WITHOUT in tests/harness/edges.rs: {}", needless.join(", "))))
    })
}

fn is_excused(what: &str) -> bool {
    WITHOUT.iter().any(|(excused, _)| *excused == what)
}

fn is_confirmed(section: &Section) -> bool {
    let by_oracle = section.confirmation.as_ref().is_some_and(|confirmation| matches!(confirmation.by, By::Oracle(_)));
    by_oracle && matches!(section.mode, Mode::Evaluate | Mode::Compile)
}

/// An error, and the edges that a signature takes.
fn wanted(known: &RegisteredFunction) -> Vec<String> {
    let name = known.declared.name;
    let signatures = known.signatures().unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
    let params: Vec<_> = signatures.iter().flat_map(|signature| &signature.params).collect();
    let takes = |edge: &Edge| {
        let values = samples(*edge);
        params.iter().any(|param| values.iter().any(|value| param.param_type.accepts(value).unwrap()))
    };
    let edges = EDGES.iter().filter(|edge| takes(edge)).map(|edge| format!("{name}: {edge:?}"));
    std::iter::once(format!("{name}: error")).chain(edges).collect()
}

/// The edge by itself, and within what a function may want instead.
fn samples(edge: Edge) -> Vec<Value> {
    let values = match edge {
        Edge::EmptyText => vec!["".into()],
        Edge::EmptyArray => vec![Value::Array(Vec::new().into())],
        Edge::EmptyHash => vec![Value::Hash(Hash::default())],
        Edge::Undef => vec![Value::Undef],
        Edge::Negative => vec![(-1).into(), (-1.5).into()],
        Edge::Unicode => vec!["é".into()],
    };
    let within = values.iter().flat_map(|value| {
        let array = Value::Array(vec![value.clone()].into());
        [array, Value::Hash([(value.clone(), value.clone())].into_iter().collect())]
    });
    within.chain(values.clone()).collect()
}

/// What one example shows, in the words of [`wanted`].
fn shown(section: &Section) -> Vec<String> {
    let errors: Vec<&str> =
        section.blocks.iter().filter(|block| block.kind == "error").map(|block| block.text.as_str()).collect();
    let calls = calls(section);
    let mut shown = Vec::new();
    for call in &calls {
        let ends = errors.iter().any(|error| is_of(error, call) || (calls.len() == 1 && places(error).count() == 0));
        if ends {
            shown.push(format!("{}: error", call.function));
        }
        let is_taken = ends && !errors.iter().any(|error| is_of_count(error, &call.function));
        if is_taken || errors.iter().all(|error| is_reached_before(error, call)) {
            shown.extend(call.edges.iter().map(|edge| format!("{}: {edge:?}", call.function)));
        }
    }
    shown
}

/// Whether it is a call's own error: it names the function, or the place of the call.
fn is_of(error: &str, call: &Call) -> bool {
    let name = &call.function;
    let quoted = ["parameter", "expects", "block", "does not expect", "was called"];
    quoted.iter().any(|after| error.contains(&format!("'{name}' {after}")))
        || error.contains(&format!(" {name}(): "))
        || error.contains(&format!("Function {name}() "))
        || places(error).any(|place| is_in(call, place.0) && (place.1, place.2) == (call.line, call.column))
}

/// Whether the number of arguments is wrong, so that nobody looked at them.
fn is_of_count(error: &str, name: &str) -> bool {
    let (_, expected) = error.split_once(&format!("'{name}' expects ")).unwrap_or_default();
    let expected = expected.split(", got").next().unwrap_or_default();
    ["argument", "arguments"].iter().any(|end| expected.ends_with(end))
        || error.contains(&format!("{name}(): Wrong number of arguments"))
}

/// A call after the place of an error may never have been made.
fn is_reached_before(error: &str, call: &Call) -> bool {
    places(error).any(|place| is_in(call, place.0) && call.line < place.1)
}

fn is_in(call: &Call, file: Option<&str>) -> bool {
    match (&call.file, file) {
        (None, None) => true,
        (Some(path), Some(file)) => file.ends_with(path.as_str()),
        _ => false,
    }
}

/// Each place that an error tells: its file, line and column.
fn places(error: &str) -> impl Iterator<Item = (Option<&str>, u32, u32)> {
    error.split("line: ").zip(error.split("line: ").skip(1)).filter_map(|(before, after)| {
        let file = before.rsplit_once("(file: ").and_then(|(_, file)| file.strip_suffix(", "));
        let (line, rest) = after.split_once(", column: ")?;
        let column = rest.split(')').next()?;
        Some((file, line.parse().ok()?, column.parse().ok()?))
    })
}
