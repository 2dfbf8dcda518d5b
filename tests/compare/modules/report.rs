//! How much is equal, module by module, and what differs, by its cause.

use std::collections::BTreeMap;
use std::path::Path;

use super::answers::{Case, Key, Outcome};

/// Answers that are counted.
#[derive(Clone, Copy, Default)]
struct Count {
    asked: usize,
    compiled: usize,
    equal: usize,
    equal_compiled: usize,
}

impl Count {
    fn of(their: &Outcome, is_equal: bool) -> Count {
        let (compiled, equal) = (usize::from(their.is_ok()), usize::from(is_equal));
        Count { asked: 1, compiled, equal, equal_compiled: compiled * equal }
    }

    fn add(&mut self, other: Count) {
        self.asked += other.asked;
        self.compiled += other.compiled;
        self.equal += other.equal;
        self.equal_compiled += other.equal_compiled;
    }
}

/// A cause of differences: how often, and where it was met first.
struct Group {
    count: usize,
    cause: String,
    example: String,
    modules: BTreeMap<String, usize>,
}

#[derive(Default)]
pub(super) struct Report {
    modules: Vec<(String, Count)>,
    groups: BTreeMap<String, Group>,
}

impl Report {
    pub(super) fn add(
        &mut self,
        module: &str,
        cases: &[Case],
        theirs: &BTreeMap<Key, Outcome>,
        ours: &BTreeMap<Key, Outcome>,
    ) {
        let mut count = Count::default();
        for case in cases {
            for system in &case.systems {
                let key = (case.node.clone(), system.clone());
                let Some(their) = theirs.get(&key) else { continue };
                let is_equal = ours.get(&key) == Some(their);
                count.add(Count::of(their, is_equal));
                if !is_equal {
                    self.differs(module, case, system, &cause(&case.node, their, ours.get(&key)));
                }
            }
        }
        self.modules.push((module.to_owned(), count));
    }

    fn differs(&mut self, module: &str, case: &Case, system: &str, cause: &str) {
        let group = self.groups.entry(grouped(cause)).or_insert_with(|| Group {
            count: 0,
            cause: cause.to_owned(),
            example: format!("{module}: {} ({}) as {} on {system}", case.subject, case.from, case.node),
            modules: BTreeMap::new(),
        });
        group.count += 1;
        *group.modules.entry(module.to_owned()).or_default() += 1;
    }

    fn total(&self) -> Count {
        let mut total = Count::default();
        self.modules.iter().for_each(|(_, count)| total.add(*count));
        total
    }

    /// Whether enough is equal, of all and of what compiles.
    pub(super) fn agrees(&self, least: f64) -> bool {
        let total = self.total();
        total.asked > 0
            && percent(total.equal, total.asked) >= least
            && percent(total.equal_compiled, total.compiled) >= least
    }

    pub(super) fn print(&self, shown: usize, folder: &Path) {
        println!("{:<20} {:>7} {:>9} {:>16} {:>16}", "module", "cases", "compile", "equal", "of compiling");
        for (module, count) in &self.modules {
            print_count(module, *count);
        }
        let folder = format!("{}/", folder.display());
        let mut groups: Vec<&Group> = self.groups.values().collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.count));
        for group in groups.iter().take(shown) {
            let mut modules: Vec<(&String, &usize)> = group.modules.iter().collect();
            modules.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let modules: Vec<String> = modules.iter().take(5).map(|(name, count)| format!("{name} {count}")).collect();
            println!("\n{} x {}", group.count, group.cause.replace(&folder, ""));
            println!("    {} ({})", group.example, modules.join(", "));
        }
        let hidden = groups.len().saturating_sub(shown);
        if hidden > 0 {
            println!("\n{hidden} more causes; --show {} shows them", groups.len());
        }
        println!();
        print_count(&format!("{} modules", self.modules.len()), self.total());
    }
}

fn print_count(name: &str, count: Count) {
    println!(
        "{name:<20} {:>7} {:>8.1}% {:>7} {:>7.2}% {:>7} {:>7.2}%",
        count.asked,
        percent(count.compiled, count.asked),
        count.equal,
        percent(count.equal, count.asked),
        count.equal_compiled,
        percent(count.equal_compiled, count.compiled),
    );
}

fn percent(part: usize, of: usize) -> f64 {
    if of == 0 { 100.0 } else { part as f64 * 100.0 / of as f64 }
}

/// What stands for all differences of one cause: what the small Ruby lacks, or the texts without the places of a case.
fn grouped(cause: &str) -> String {
    let lacks = cause.find("Pantin: ").and_then(|at| {
        let text = &cause[at..];
        let end = text.find(" is not supported")?;
        let start = text[..end].rfind(": ")?;
        Some(text[start..].split_inclusive(')').next().unwrap_or_default().to_owned())
    });
    lacks.unwrap_or_else(|| {
        let mut parts = cause.split(" (file: ");
        let first = parts.next().unwrap_or_default().to_owned();
        let inner = parts.filter(|part| !part.contains("/environments/"));
        std::iter::once(first).chain(inner.map(str::to_owned)).collect::<Vec<_>>().join(" (file: ")
    })
}

/// What differs first, without what differs from node to node.
fn cause(node: &str, their: &Outcome, our: Option<&Outcome>) -> String {
    let short = |text: &str| text.replace(node, "NODE").chars().take(400).collect::<String>();
    match (their, our) {
        (_, None) => "no answer".to_owned(),
        (Err(their), Some(Err(our))) => format!("error\n    Puppet: {}\n    Pantin: {}", short(their), short(our)),
        (Err(their), Some(Ok(_))) => format!("an error there alone\n    Puppet: {}", short(their)),
        (Ok(_), Some(Err(our))) => format!("an error here alone\n    Pantin: {}", short(our)),
        (Ok(their), Some(Ok(our))) => {
            let (their, our) = first_apart(&their.replace(node, "NODE"), &our.replace(node, "NODE"));
            format!("catalog\n    Puppet: {their}\n    Pantin: {our}")
        }
    }
}

/// The two texts around the first byte that differs.
fn first_apart(their: &str, our: &str) -> (String, String) {
    let at = their.bytes().zip(our.bytes()).take_while(|(their, our)| their == our).count();
    let around = |text: &str| {
        let start = at.saturating_sub(60).min(text.len());
        String::from_utf8_lossy(&text.as_bytes()[start..(at + 100).min(text.len())]).into_owned()
    };
    (around(their), around(our))
}
