//! An explanation as text, as `puppet lookup --explain` prints it.

use std::fmt::{Display, Formatter, Result};

use pantin_base::stack;
use pantin_values::{Hash, Value, sprintf};

use super::{Explainer, Node, Origin, Outcome, Step};

impl Display for Explainer {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut out = String::new();
        if let Some(whole) = self.open.first() {
            branches(&mut out, whole, 0);
            texts(&mut out, whole, 0);
        }
        f.write_str(&out)
    }
}

fn line(out: &mut String, indent: usize, text: &str) {
    push_indent(out, indent);
    out.push_str(text);
    out.push('\n');
}

fn push_indent(out: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n("  ", indent));
}

fn branches(out: &mut String, node: &Node, indent: usize) {
    stack::with_room(|| node.branches.iter().for_each(|branch| push_node(out, branch, indent)));
}

fn texts(out: &mut String, node: &Node, indent: usize) {
    node.texts.iter().for_each(|text| line(out, indent, text));
}

fn push_node(out: &mut String, node: &Node, indent: usize) {
    let inside = |out: &mut String| branches(out, node, indent + 1);
    match &node.step {
        Step::Whole => branches(out, node, indent),
        Step::Key(key) => {
            line(out, indent, &format!("Searching for \"{key}\""));
            inside(out);
        }
        Step::InvalidKey(key) => line(out, indent, &format!("Invalid key \"{key}\"")),
        Step::MergeSource => line(out, indent, "Using merge options from \"lookup_options\" hash"),
        Step::Provider { name, config, .. } => {
            line(out, indent, name);
            if let Some(config) = config {
                line(out, indent + 1, &format!("Using configuration \"{}\"", config.display()));
            }
            inside(out);
            outcome(out, node, indent + 1);
        }
        Step::Location { is_uri, resolved, original } => {
            let (kind, small) = if *is_uri { ("URI", "uri") } else { ("Path", "path") };
            line(out, indent, &format!("{kind} \"{resolved}\""));
            line(out, indent + 1, &format!("Original {small}: \"{original}\""));
            inside(out);
            if matches!(node.outcome, Outcome::NoLocation) {
                line(out, indent + 1, &format!("{kind} not found"));
            }
            outcome(out, node, indent + 1);
        }
        Step::Merge { strategy, options } => merge(out, node, strategy, options.as_ref(), indent),
        Step::Interpolation(subject) => {
            line(out, indent, &format!("Interpolation on \"{subject}\""));
            inside(out);
        }
        Step::Scope(name) => {
            line(out, indent, name);
            inside(out);
            outcome(out, node, indent + 1);
        }
        Step::SubKey(key) => {
            line(out, indent, &format!("Sub key: \"{key}\""));
            inside(out);
            outcome(out, node, indent + 1);
        }
        Step::Segment => outcome(out, node, indent),
        Step::NoModule(name) => line(out, indent, &format!("Module \"{name}\" not found")),
        Step::NoModuleProvider(name) => {
            line(out, indent, &format!("Module data provider for module \"{name}\" not found"));
        }
    }
}

fn merge(out: &mut String, node: &Node, strategy: &str, options: Option<&Hash>, indent: usize) {
    match node.branches.as_slice() {
        [] => {}
        // A merge of one value says nothing.
        [only] => push_node(out, only, indent),
        _ => {
            line(out, indent, &format!("Merge strategy {strategy}"));
            if let Some(options) = options {
                push_indent(out, indent + 1);
                out.push_str("Options: ");
                push_value(out, &Value::Hash(options.clone()), indent + 1);
                out.push('\n');
            }
            branches(out, node, indent + 1);
            if let Outcome::Merged(value) = &node.outcome {
                push_indent(out, indent + 1);
                out.push_str("Merged result: ");
                push_value(out, value, indent + 1);
                out.push('\n');
            }
        }
    }
}

fn outcome(out: &mut String, node: &Node, indent: usize) {
    match &node.outcome {
        Outcome::NotFound(key) => line(out, indent, &format!("No such key: \"{key}\"")),
        Outcome::Found { key, value, origin } => {
            push_indent(out, indent);
            out.push_str(&format!("Found key: \"{key}\" value: "));
            push_value(out, value, indent);
            out.push_str(match origin {
                Origin::Data => "\n",
                Origin::Overrides => " in overrides\n",
                Origin::Defaults => " in defaults\n",
            });
        }
        Outcome::None | Outcome::Merged(_) | Outcome::NoLocation => {}
    }
    texts(out, node, indent);
}

fn push_value(out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Hash(entries) => stack::with_room(|| {
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                out.push_str(if index > 0 { ",\n" } else { "\n" });
                push_indent(out, indent + 1);
                push_value(out, key, indent + 1);
                out.push_str(" => ");
                push_value(out, value, indent + 1);
            }
            close(out, entries.is_empty(), indent, '}');
        }),
        Value::Array(items) => stack::with_room(|| {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ",\n" } else { "\n" });
                push_indent(out, indent + 1);
                push_value(out, item, indent + 1);
            }
            close(out, items.is_empty(), indent, ']');
        }),
        other => sprintf::push_inspect(out, other),
    }
}

fn close(out: &mut String, is_empty: bool, indent: usize, bracket: char) {
    if !is_empty {
        out.push('\n');
        push_indent(out, indent);
    }
    out.push(bracket);
}
