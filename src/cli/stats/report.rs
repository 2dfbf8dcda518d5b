//! The summary of a run, for a person and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::sums::{ChangedRead, FileCost, Stats, Totals};
use crate::print::counting::count;

pub(super) fn text(stats: &Stats, limit: usize) -> String {
    let mut out = String::new();
    let (all, kept) = (stats.nodes.len(), stats.reused_count());
    let threads = count(stats.threads.max(1), "thread");
    let _ = writeln!(out, "{} in {:.1} ms on {}", count(all, "node"), stats.milliseconds, threads);
    if all > 0 {
        let share = kept as f64 * 100.0 / all as f64;
        let _ = writeln!(out, "{kept} answered from the cache ({share:.0}%), {} compiled", all - kept);
    }
    if let Some((run, replayed)) = stats.body_counts() {
        let all = run + replayed;
        let share = replayed as f64 * 100.0 / all as f64;
        let _ = writeln!(
            out,
            "Of {all} bodies (classes, defined types, node blocks) {run} were run, and {replayed} replayed ({share:.0}%)"
        );
    }
    let phases = by_time(&stats.phases, usize::MAX, |own| own.milliseconds);
    own_lines(&mut out, "Phases, of all threads together", &phases);
    let bodies = by_time(&stats.bodies, limit, |own| own.milliseconds);
    own_lines(&mut out, "Classes and defined types whose code took longest", &bodies);
    file_lines(&mut out, &by_time(&stats.files, limit, FileCost::milliseconds));
    let reads = most(stats.reads.iter().map(|(read, times)| (read, *times)), limit);
    read_lines(&mut out, "What bodies read for the first time, and ran again for", "times", &reads);
    let anew = most(stats.recompile_reasons.iter().map(|(read, nodes)| (read, nodes.len())), limit);
    read_lines(&mut out, "Why nodes were compiled and not answered from the cache", "nodes", &anew);
    if all > 0 {
        let _ = writeln!(out, "\nSlowest nodes");
    }
    for node in stats.nodes.iter().take(limit) {
        let how = if node.is_kept { " (from the cache)" } else { "" };
        let _ = writeln!(out, "{:>10.1} ms  {}{how}", node.milliseconds, node.name);
    }
    out
}

pub(super) fn json(stats: &Stats, limit: usize) -> Value {
    let nodes = stats.nodes.iter().take(limit);
    let nodes = nodes.map(|node| json!({"name": node.name, "milliseconds": node.milliseconds, "kept": node.is_kept}));
    let own =
        |(name, own): (&String, &Totals)| json!({"name": name, "times": own.times, "milliseconds": own.milliseconds});
    let file = |(name, file): (&String, &FileCost)| {
        json!({
            "file": name,
            "milliseconds": file.milliseconds(),
            "parsing": file.parsing,
            "times": file.code.times,
        })
    };
    let read = |read: &ChangedRead, key: &str, value: Value| {
        let mut object = json!({"asked": read.question, "old": read.old, "new": read.new});
        object[key] = value;
        if let Some(body) = &read.body {
            object["body"] = body.as_str().into();
        }
        object
    };
    let reads = most(stats.reads.iter().map(|(read, times)| (read, *times)), limit);
    let anew = most(stats.recompile_reasons.iter().map(|(read, nodes)| (read, nodes.len())), limit);
    let anew =
        anew.into_iter().filter_map(|(one, _)| Some(read(one, "nodes", json!(stats.recompile_reasons.get(one)?))));
    json!({
        "milliseconds": stats.milliseconds,
        "threads": stats.threads.max(1),
        "nodes": stats.nodes.len(),
        "kept": stats.reused_count(),
        "run": stats.about,
        "phases": by_time(&stats.phases, usize::MAX, |own| own.milliseconds).into_iter().map(own).collect::<Vec<_>>(),
        "bodies": by_time(&stats.bodies, limit, |own| own.milliseconds).into_iter().map(own).collect::<Vec<_>>(),
        "files": by_time(&stats.files, limit, FileCost::milliseconds).into_iter().map(file).collect::<Vec<_>>(),
        "reads": reads.into_iter().map(|(one, times)| read(one, "times", times.into())).collect::<Vec<_>>(),
        "anew": anew.collect::<Vec<_>>(),
        "slowest": nodes.collect::<Vec<_>>(),
    })
}

/// Returns the longest first.
fn by_time<T>(all: &BTreeMap<String, T>, limit: usize, time: impl Fn(&T) -> f64) -> Vec<(&String, &T)> {
    let mut all: Vec<_> = all.iter().collect();
    all.sort_by(|(_, one), (_, other)| time(other).total_cmp(&time(one)));
    all.truncate(limit);
    all
}

/// What is there most often first.
fn most<'r>(all: impl Iterator<Item = (&'r ChangedRead, usize)>, limit: usize) -> Vec<(&'r ChangedRead, usize)> {
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all.truncate(limit);
    all
}

fn own_lines(out: &mut String, heading: &str, times: &[(&String, &Totals)]) {
    if !times.is_empty() {
        let _ = writeln!(out, "\n{heading}");
    }
    for (name, own) in times {
        let _ = writeln!(out, "{:>10.1} ms {:>7} times  {name}", own.milliseconds, own.times);
    }
}

fn file_lines(out: &mut String, files: &[(&String, &FileCost)]) {
    if !files.is_empty() {
        let _ = writeln!(out, "\nFiles that took longest, with what of it was parsing");
    }
    for (name, file) in files {
        let _ = writeln!(out, "{:>10.1} ms {:>7.1} ms     {name}", file.milliseconds(), file.parsing);
    }
}

fn read_lines(out: &mut String, heading: &str, of: &str, reads: &[(&ChangedRead, usize)]) {
    if !reads.is_empty() {
        let _ = writeln!(out, "\n{heading}");
    }
    for (ChangedRead { body, question: asked, old, new }, count) in reads {
        let body = body.as_ref().map(|body| format!("{body}: ")).unwrap_or_default();
        let told = old.as_ref().zip(new.as_ref()).map(|(old, new)| format!(": {old} → {new}")).unwrap_or_default();
        let _ = writeln!(out, "{count:>7} {of}  {body}{asked}{told}");
    }
}
