//! The report as one JSON object. Its names may grow in number, and never change.

use std::io;

use pantin_repository::fleet::{NodeReport, Reason};
use pantin_repository::messages::Message;
use serde_json::{Value, json};

use super::FinishedRun;
use crate::print::message_json::group_json;
use crate::print::printable::escaped_json;

/// Grows when a reader of the old form would misread the new one.
const SCHEMA: u32 = 1;

pub(super) fn report(done: &FinishedRun<'_>) -> io::Result<String> {
    let summary = &done.summary;
    let object = json!({
        "schema": SCHEMA,
        "summary": {
            "nodes": summary.nodes.len(),
            "ok": summary.ok(),
            "failed": summary.failed_count(),
            "kept": summary.reused_count(),
            "seconds": done.seconds,
            "node_seconds": summary.seconds(),
            "threads": done.threads,
            "shard": done.shard.map(|shard| shard.to_string()),
            "stopped": done.ended.is_stopped,
        },
        "exported": done.exchanges.then(|| json!({
            "resources": done.ended.settled.exports,
            "rounds": done.ended.settled.rounds,
            "settled": done.ended.settled.unsettled.is_none(),
            "changing": done.ended.settled.unsettled.as_ref().map(|unsettled| &unsettled.changing),
        })),
        "explained": done.explained.json(summary),
        "messages": summary.groups.iter().map(group_json).collect::<Vec<Value>>(),
        "nodes": summary.nodes.iter().map(node).collect::<Vec<Value>>(),
    });
    let text = serde_json::to_string_pretty(&object).map_err(io::Error::other)?;
    Ok(escaped_json(text) + "\n")
}

fn node(node: &NodeReport) -> Value {
    let own = |message: &Message| json!({ "about": message.about.name(), "text": message.text });
    json!({
        "name": node.name.as_str(),
        "environment": if node.environment.is_empty() { None } else { Some(&node.environment) },
        "ok": node.is_ok(),
        "resources": node.resources,
        "seconds": node.seconds,
        "kept": node.is_kept,
        "anew": node.reasons.iter().map(|reason| &reason.text).collect::<Vec<_>>(),
        "changed": node.reasons.iter().map(Reason::to_json).collect::<Vec<_>>(),
        "failures": node.messages.iter().filter(|message| message.about.is_failing()).map(own).collect::<Vec<_>>(),
    })
}
