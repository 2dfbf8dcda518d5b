//! An explanation as text: a table of what became of each binding.

use pantin_bindings::{Candidate, LeadsTo};

use super::NodeAnswer;

/// One table for each key of each node.
pub(super) fn explanation(answers: &[NodeAnswer<'_>]) -> String {
    let mut text = String::new();
    for answer in answers {
        for injection in &answer.answer.injections {
            if !text.is_empty() {
                text.push('\n');
            }
            let explanation = &injection.explanation;
            let key = &explanation.key;
            match &explanation.value {
                Ok(Some(value)) => text.push_str(&format!("{key} = {}\n", answer.literal(value))),
                Ok(None) => text.push_str(&format!("{key} has no value\n")),
                Err(fault) => text.push_str(&format!("{key}: {}\n", fault.message)),
            }
            text.push_str(&format!("  on {} in {}: {}\n", answer.node, answer.environment, state(answer)));
            let mut rows = Vec::new();
            add_rows(&explanation.candidates, 0, answer, &mut rows);
            if !explanation.fragments.is_empty() {
                rows.push(vec!["  contributions".to_owned()]);
                add_rows(&explanation.fragments, 1, answer, &mut rows);
            }
            text.push_str(&table(&rows));
            for (number, giver) in injection.sources.iter().enumerate() {
                text.push_str(&format!("  {} {}: {}\n", number + 1, giver.who, giver.said));
            }
        }
    }
    text
}

fn state(answer: &NodeAnswer<'_>) -> String {
    let state = &answer.answer.state;
    let parts = state.categories.iter().map(|category| {
        let number = state.number(&category.name).unwrap_or_default();
        match &category.value {
            Some(value) => format!("{}={value} {number}", category.name),
            None => format!("{} does not apply {number}", category.name),
        }
    });
    parts.chain(["common 1".to_owned()]).collect::<Vec<_>>().join(", ")
}

fn add_rows(candidates: &[Candidate], depth: usize, answer: &NodeAnswer<'_>, rows: &mut Vec<Vec<String>>) {
    for candidate in candidates {
        let indent = "  ".repeat(depth + 1);
        let vector: Vec<String> = candidate.vector.iter().map(u32::to_string).collect();
        let is_mismatch = candidate.condition.iter().any(|part| !part.holds);
        let remark: Vec<String> = candidate
            .flags
            .iter()
            .map(|flag| (*flag).to_owned())
            .chain(candidate.name.iter().map(|name| format!("'{name}'")))
            .chain(candidate.value.iter().map(|value| format!("= {}", answer.literal(value))))
            .chain(candidate.because.clone().filter(|_| !is_mismatch))
            .collect();
        rows.push(vec![
            format!("{indent}{}", candidate.verdict.text()),
            candidate.layer.to_string(),
            format!("[{}]", vector.join(",")),
            condition(candidate),
            candidate.uri.to_string(),
            candidate.place.as_ref().map(pantin_bindings::Place::at).unwrap_or_default(),
            remark.join(", "),
        ]);
        for led in &candidate.leads_to {
            let indent = "  ".repeat(depth + 2);
            match led {
                LeadsTo::Key(key, candidates) => {
                    rows.push(vec![format!("{indent}leads to {key}")]);
                    add_rows(candidates, depth + 2, answer, rows);
                }
                LeadsTo::Subject(subject) => rows.push(vec![format!("{indent}leads to {subject}")]),
                LeadsTo::Resource { certname, reference } => {
                    rows.push(vec![format!("{indent}leads to {reference} of {certname}")]);
                }
            }
        }
    }
}

/// `node=kermit.example.com, virtual`, with what a category that does not match has in its place.
fn condition(candidate: &Candidate) -> String {
    let parts = candidate.condition.iter().map(|part| {
        let values: Vec<&str> = part.values.iter().map(pantin_values::Str::as_str).collect();
        let wanted = match values.as_slice() {
            ["true"] => part.category.to_string(),
            values => format!("{}={}", part.category, values.join("|")),
        };
        match &part.actual {
            _ if part.holds => wanted,
            Some(actual) => format!("{wanted} (is {actual})"),
            None => format!("{wanted} (does not apply)"),
        }
    });
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { "common".to_owned() } else { parts.join(", ") }
}

/// Lines whose columns stand below each other; a row of one cell is a line of its own.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = rows.iter().filter(|row| row.len() > 1).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            match row.len() {
                1 => line.push_str(cell),
                _ => line.push_str(&format!("{cell:width$}  ")),
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
