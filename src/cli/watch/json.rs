//! The changes of an edit as JSON lines, for editors.

use std::sync::Arc;
use std::time::Duration;

use pantin_model::catalog::diff::{Change, ResourceChange};
use pantin_repository::query::Answer;
use pantin_repository::watch::{CheckChanges, EnvironmentChange, NodeGroup, Round, Verdict};
use serde_json::{Value, json};

use super::applying::AppliedRun;
use crate::diff::json::parameter;
use crate::print::message_json::group_json;
use crate::print::printable::escaped_json;

pub(super) fn first_json(answers: &[Arc<Answer>], verdict: &Verdict, took: Duration) -> String {
    let failed = answers.iter().filter_map(|answer| {
        let failed = answer.result.as_ref().err()?;
        Some(json!({"node": answer.node.as_str(), "error": failed.text()}))
    });
    line(&json!({
        "event": "ready",
        "seconds": took.as_secs_f64(),
        "nodes": answers.len(),
        "compiled": answers.iter().filter(|answer| answer.result.is_ok()).count(),
        "ok": verdict.ok,
        "stored": verdict.stored,
        "failed": failed.collect::<Vec<_>>(),
        "messages": verdict.groups.iter().map(group_json).collect::<Vec<_>>(),
    }))
}

pub(super) fn round_json(round: &Round, answers: &[Arc<Answer>]) -> String {
    let names = |names: &[pantin_values::Str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    line(&json!({
        "event": "edit",
        "seconds": round.took.as_secs_f64(),
        "edited": round.edited.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
        "bindings": round.bindings,
        "nodes": round.nodes,
        "lines_alone": round.moves_lines_alone,
        "affected": round.counts.affected(),
        "patched": round.counts.patched,
        "restored": round.counts.restored,
        "walked": round.counts.walked,
        "compiled": round.counts.compiled,
        "not_patched": round.not_patched.iter().map(|group| {
            json!({
                "reason": group.what.code(),
                "text": group.what.words(),
                "count": group.nodes.len(),
                "nodes": names(&group.nodes),
            })
        }).collect::<Vec<_>>(),
        "bodies_run": round.bodies_run,
        "changed": names(&round.changed),
        "changes": round.changes.iter().flat_map(|group| &group.what).map(change).collect::<Vec<_>>(),
        "errors": round.broken.iter().map(group_json).collect::<Vec<_>>(),
        "failed": answers.iter().filter(|answer| answer.result.is_err()).map(|answer| answer.node.as_str()).collect::<Vec<_>>(),
        "mended": names(&round.mended),
        "lost": names(&round.lost),
        "appeared": names(&round.appeared),
        "gone": names(&round.gone),
        "environments": round.moved.iter().map(|group| {
            let EnvironmentChange { from, to } = &group.what;
            json!({"from": from.as_str(), "to": to.as_str(), "nodes": names(&group.nodes)})
        }).collect::<Vec<_>>(),
        "log": round.said.iter().map(|group| {
            json!({"level": group.what.level.label(), "text": group.what.text, "nodes": names(&group.nodes)})
        }).collect::<Vec<_>>(),
    }))
}

/// Returns what the check of relationships found after an edit.
pub(super) fn graph_json(changes: &CheckChanges) -> String {
    line(&json!({
        "event": "graph",
        "seconds": changes.took.as_secs_f64(),
        "checked": changes.checked,
        "errors": changes.broken.iter().map(group_json).collect::<Vec<_>>(),
        "mended": changes.mended.iter().map(group_json).collect::<Vec<_>>(),
    }))
}

pub(super) fn applied_json(run: &AppliedRun) -> String {
    line(&json!({
        "event": "applied",
        "seconds": run.took.as_secs_f64(),
        "node": run.node.as_str(),
        "full": run.is_full,
        "noop": run.is_noop,
        "exit": run.code,
        "log": run.log,
        "errors": run.errors,
    }))
}

fn line(value: &Value) -> String {
    escaped_json(value.to_string()) + "\n"
}

/// As `pantin diff --format json` tells it, but for relationships and served files, which an edit does not tell apart here.
fn change(group: &NodeGroup<ResourceChange>) -> Value {
    let ResourceChange { reference, change, place } = &group.what;
    let (action, parameters) = match change {
        Change::Added => ("added", Vec::new()),
        Change::Removed => ("removed", Vec::new()),
        Change::Changed(parameters) => ("changed", parameters.iter().map(parameter).collect()),
    };
    json!({
        "resource": reference,
        "action": action,
        "parameters": parameters,
        "file": place.as_ref().map(|place| place.file.to_string()),
        "line": place.as_ref().map(|place| place.line),
        "nodes": group.nodes.iter().map(|name| name.to_string()).collect::<Vec<_>>(),
    })
}
