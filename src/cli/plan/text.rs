//! A plan as a tree for people.

use std::fmt::Write;

use pantin_apply::{Plan, PlannedResource};

use crate::apply::Differences;

pub(super) fn render(plan: &Plan, differences: &Differences) -> String {
    let of_changes = Changes { plan, differences };
    let mut out = String::new();
    if let Some(reason) = &plan.full_because {
        let _ = writeln!(out, "All resources would be applied: {reason}");
    }
    push_resources(&mut out, of_changes, "Because of the edit:", &plan.seeds);
    push_resources(&mut out, of_changes, "What follows from it:", &plan.looked_at);
    let named = |resource: &str| plan.seeds.iter().chain(&plan.looked_at).any(|one| one.resource == resource);
    let others: Vec<PlannedResource> = plan
        .changes
        .iter()
        .filter(|change| !named(&change.resource))
        .map(|change| PlannedResource { resource: change.resource.clone(), because: String::new() })
        .collect();
    push_resources(&mut out, of_changes, "Would be changed:", &distinct(others));
    push_plain(&mut out, "Unknown until it is applied:", &plan.unknown);
    if !plan.checks_run.is_empty() {
        let _ = writeln!(out, "Checks were run of: {}", plan.checks_run.join(", "));
    }
    for (title, names) in [
        ("Would be removed:", &plan.pruned),
        ("Changed by others:", &plan.drifted),
        ("No longer in the catalog:", &plan.removed),
    ] {
        if !names.is_empty() {
            let _ = writeln!(out, "{title}");
            names.iter().for_each(|name| out.push_str(&format!("  {name}\n")));
        }
    }
    let _ = match plan.has_changes() {
        true => writeln!(out, "{} left alone", plan.left_alone),
        false => writeln!(out, "Nothing to do: {} left alone", plan.left_alone),
    };
    out
}

/// What would be changed, and how differences of files are shown.
#[derive(Clone, Copy)]
struct Changes<'p> {
    plan: &'p Plan,
    differences: &'p Differences,
}

fn distinct(mut resources: Vec<PlannedResource>) -> Vec<PlannedResource> {
    resources.dedup();
    resources
}

/// Adds resources, each with its reason and, below it, what would be changed.
fn push_resources(
    out: &mut String,
    Changes { plan, differences }: Changes<'_>,
    title: &str,
    resources: &[PlannedResource],
) {
    if resources.is_empty() {
        return;
    }
    let _ = writeln!(out, "{title}");
    for (at, one) in resources.iter().enumerate() {
        let is_last = at + 1 == resources.len();
        let (branch, trunk) = if is_last { ("└─", "  ") } else { ("├─", "│ ") };
        let because = if one.because.is_empty() { String::new() } else { format!("  ({})", one.because) };
        let _ = writeln!(out, "{branch} {}{because}", one.resource);
        for change in plan.changes.iter().filter(|change| change.resource == one.resource) {
            let (is, should) = (one_line(&change.is), one_line(&change.should));
            match differences.get(&one.resource).filter(|_| change.property == "content") {
                Some(difference) => {
                    let _ = writeln!(out, "{trunk}   {}:", change.property);
                    difference.lines().for_each(|line| out.push_str(&format!("{trunk}     {line}\n")));
                }
                None => {
                    let _ = writeln!(out, "{trunk}   {}: {is} → {should}", change.property);
                }
            }
        }
    }
}

fn push_plain(out: &mut String, title: &str, resources: &[PlannedResource]) {
    if resources.is_empty() {
        return;
    }
    let _ = writeln!(out, "{title}");
    for one in resources {
        let _ = writeln!(out, "  {}  ({})", one.resource, one.because);
    }
}

/// Shows a value on one line.
fn one_line(value: &str) -> String {
    match value {
        "" => "nothing".to_owned(),
        value => value.replace('\n', "\\n"),
    }
}

#[cfg(test)]
mod tests {
    use pantin_apply::PlannedChange;

    use super::*;

    #[test]
    fn a_plan_is_a_tree_with_reasons() {
        let one =
            |name: &str, because: &str| PlannedResource { resource: name.to_owned(), because: because.to_owned() };
        let plan = Plan {
            seeds: vec![one("File[/a]", "changed"), one("File[/b]", "added")],
            looked_at: vec![one("Exec[reload]", "an event of this run refreshes it")],
            changes: vec![PlannedChange {
                resource: "File[/a]".to_owned(),
                property: "mode".to_owned(),
                is: "0644".to_owned(),
                should: "0600".to_owned(),
            }],
            left_alone: 3,
            ..Plan::default()
        };
        let expected = "\
Because of the edit:
├─ File[/a]  (changed)
│    mode: 0644 → 0600
└─ File[/b]  (added)
What follows from it:
└─ Exec[reload]  (an event of this run refreshes it)
3 left alone
";
        assert_eq!(render(&plan, &Differences::new()), expected);
        let nothing = Plan { left_alone: 1, ..Plan::default() };
        assert_eq!(render(&nothing, &Differences::new()), "Nothing to do: 1 left alone\n");
        let differences = Differences::from([("File[/a]".to_owned(), "-old\n+new\n".to_owned())]);
        let change = PlannedChange { property: "content".to_owned(), ..plan.changes[0].clone() };
        let shown = render(&Plan { changes: vec![change], ..plan }, &differences);
        assert!(shown.contains("│    content:\n│      -old\n│      +new\n"), "{shown}");
    }
}
