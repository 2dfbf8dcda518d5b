//! A plan as JSON.

use pantin_apply::{Plan, PlannedResource};
use serde_json::{Value, json};

use crate::apply::Differences;

pub(super) fn render(plan: &Plan, differences: &Differences) -> String {
    let listed = |resources: &[PlannedResource], reason: &str| -> Vec<Value> {
        resources.iter().map(|one| json!({ "resource": one.resource, reason: one.because })).collect()
    };
    let changes: Vec<Value> = plan
        .changes
        .iter()
        .map(|change| {
            let mut shown = json!({
                "resource": change.resource,
                "property": change.property,
                "is": change.is,
                "should": change.should,
            });
            if let Some(difference) = differences.get(&change.resource).filter(|_| change.property == "content") {
                shown["diff"] = json!(difference);
            }
            shown
        })
        .collect();
    let document = json!({
        "version": 1,
        "seeds": listed(&plan.seeds, "reason"),
        "looked_at": listed(&plan.looked_at, "because"),
        "changes": changes,
        "left_alone": plan.left_alone,
        "removed": plan.removed,
        "unknown": listed(&plan.unknown, "because"),
        "checks_run": plan.checks_run,
    });
    format!("{document:#}\n")
}

#[cfg(test)]
mod tests {
    use pantin_apply::PlannedChange;

    use super::*;

    #[test]
    fn all_keys_are_there() {
        let one = |because: &str| PlannedResource { resource: "File[/a]".to_owned(), because: because.to_owned() };
        let plan = Plan {
            seeds: vec![one("changed")],
            looked_at: vec![one("it waits for File[/b]")],
            changes: vec![PlannedChange {
                resource: "File[/a]".to_owned(),
                property: "mode".to_owned(),
                is: "0644".to_owned(),
                should: "0600".to_owned(),
            }],
            left_alone: 3,
            removed: vec!["File[/c]".to_owned()],
            ..Plan::default()
        };
        let document: Value = serde_json::from_str(&render(&plan, &Differences::new())).unwrap_or_default();
        assert_eq!(
            document,
            json!({
                "version": 1,
                "seeds": [{"resource": "File[/a]", "reason": "changed"}],
                "looked_at": [{"resource": "File[/a]", "because": "it waits for File[/b]"}],
                "changes": [{"resource": "File[/a]", "property": "mode", "is": "0644", "should": "0600"}],
                "left_alone": 3,
                "removed": ["File[/c]"],
                "unknown": [],
                "checks_run": [],
            })
        );
    }
}
