//! The differences as JUnit's XML: a test case for each node, which fails where the node fails newly.

use std::collections::HashMap;
use std::fmt::Write;

use pantin_model::catalog::diff::Change;
use pantin_repository::comparison::{
    ComparedNode, DataDifferences, MessageGroup, MessageState, NodeStatus, ResourceDifference,
};

use super::Compared;
use super::text::{MODULES, MODULES_HELP, REVIEW, data_file, key_lines, lines_of, module_lines, unreadable, verdict};
use crate::print::counting::count;
use crate::print::markup::escape;
use crate::print::repository_path::repository_path;
use pantin_repository::node_groups::NodeGroup;

/// So many resources are told of each node; a fleet in which a thousand change on each node would be no report.
const RESOURCES: usize = 50;

pub(super) fn report(compared: &Compared<'_>) -> String {
    let nodes = &compared.comparison.nodes;
    let modules = module_lines(compared);
    let others = usize::from(!modules.is_empty()) + usize::from(!compared.review.is_empty());
    let failures = nodes.iter().filter(|node| is_failure(node.status)).count() + others;
    let skipped = nodes.iter().filter(|node| node.status == NodeStatus::Removed).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"0\" time=\"{:.3}\"",
        nodes.len() + others,
        compared.seconds
    );
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pantin diff\" {counts}>\n  <testsuite name=\"{}\" \
         skipped=\"{skipped}\" {counts}>\n",
        escape(&verdict(compared))
    );
    if !modules.is_empty() {
        let _ = writeln!(
            xml,
            "    <testcase name=\"modules\" classname=\"modules\" time=\"0\">\n      <failure message=\"{MODULES}\" type=\"modules\">{}</failure>\n    </testcase>",
            escape(&format!("{}\n{MODULES_HELP}", modules.join("\n")))
        );
    }
    if !compared.review.is_empty() {
        let _ = writeln!(
            xml,
            "    <testcase name=\"review\" classname=\"review\" time=\"0\">\n      <failure message=\"{REVIEW}\">{}</failure>\n    \
             </testcase>",
            escape(&compared.review.join("\n"))
        );
    }
    let details = Details::new(compared);
    nodes.iter().for_each(|node| case(node, &details, &mut xml));
    if let Some(data) = &compared.data {
        let _ = writeln!(
            xml,
            "    <testcase name=\"data\" classname=\"data\" time=\"0\">\n      <system-out>{}</system-out>\n    </testcase>",
            escape(&data_text(data))
        );
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn data_text(data: &DataDifferences) -> String {
    let mut text = String::new();
    for file in &data.files {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "~ {}", data_file(file));
        for line in file.keys.iter().flat_map(key_lines) {
            let _ = writeln!(text, "    {}{}", line.sign.text(), line.text);
        }
    }
    data.unreadable.iter().for_each(|one| text.push_str(&format!("{}\n", unreadable(one))));
    if text.is_empty() { "no key differs\n".to_owned() } else { text }
}

/// What is told of each node, by its name.
struct Details<'c> {
    messages: HashMap<&'c str, Vec<&'c MessageGroup>>,
    resources: HashMap<&'c str, Vec<&'c ResourceDifference>>,
}

impl<'c> Details<'c> {
    fn new(compared: &'c Compared<'_>) -> Details<'c> {
        let mut details = Details { messages: HashMap::new(), resources: HashMap::new() };
        for group in &compared.comparison.messages {
            for name in &group.group.nodes {
                details.messages.entry(name.as_str()).or_default().push(group);
            }
        }
        for NodeGroup { what: difference, nodes: names } in
            compared.comparison.differences.iter().flat_map(|group| &group.ways)
        {
            for name in names {
                details.resources.entry(name.as_str()).or_default().push(difference);
            }
        }
        details
    }
}

/// Returns true if a node is told as a test that fails: it fails newly, or nobody knows.
fn is_failure(status: NodeStatus) -> bool {
    matches!(status, NodeStatus::NewlyFailing | NodeStatus::Unknown)
}

fn case(node: &ComparedNode, details: &Details<'_>, xml: &mut String) {
    let name = node.name.as_str();
    // Writing to a string cannot fail.
    let _ = write!(xml, "    <testcase name=\"{}\" classname=\"{}\" time=\"0\">", escape(name), node.status.name());
    let messages = details.messages.get(name).map_or(&[][..], Vec::as_slice);
    if is_failure(node.status) {
        let new = messages.iter().filter(|one| one.state == MessageState::New && one.group.about.is_failing());
        let new: Vec<&MessageGroup> = new.copied().collect();
        let first = new.first().map(|one| headline(one)).unwrap_or_default();
        let kind = new.first().map_or("failure", |one| one.group.about.name());
        let all: Vec<String> = new.iter().map(|one| full(one)).collect();
        let _ = write!(
            xml,
            "\n      <failure message=\"{}\" type=\"{kind}\">{}</failure>",
            escape(&first),
            escape(&all.join("\n\n"))
        );
    }
    if node.status == NodeStatus::Removed {
        xml.push_str("\n      <skipped message=\"the node is gone\"/>");
    }
    let resources = details.resources.get(name).map_or(&[][..], Vec::as_slice);
    if !resources.is_empty() {
        let _ = write!(xml, "\n      <system-out>{}</system-out>", escape(&changes(resources)));
    }
    let others = messages.iter().filter(|one| !matches!(one.state, MessageState::Mended | MessageState::Before));
    let others = others.filter(|one| !is_failure(node.status) || !one.group.about.is_failing());
    let others: Vec<String> = others.map(|one| full(one)).collect();
    if !others.is_empty() {
        let _ = write!(xml, "\n      <system-err>{}</system-err>", escape(&others.join("\n\n")));
    }
    xml.push_str("\n    </testcase>\n");
}

/// Returns the message in one line, with its place in front, as tables of failures show it.
fn headline(MessageGroup { group, .. }: &MessageGroup) -> String {
    let text = group.text.split_whitespace().collect::<Vec<_>>().join(" ");
    match &group.place {
        Some(place) => format!("{}:{}: {text}", repository_path(&place.file), place.line),
        None => text,
    }
}

fn full(message: &MessageGroup) -> String {
    let group = &message.group;
    let place = group.place.as_ref().map(|place| format!("\n{}:{}", repository_path(&place.file), place.line));
    let help = group.help.as_ref().map(|help| format!("\nhelp: {help}"));
    format!("{}{}{}", group.text, place.unwrap_or_default(), help.unwrap_or_default())
}

fn changes(resources: &[&ResourceDifference]) -> String {
    let mut text = String::new();
    for difference in resources.iter().take(RESOURCES) {
        let sign = match difference.change {
            Change::Added => "+",
            Change::Removed => "-",
            Change::Changed(_) => "~",
        };
        let _ = writeln!(text, "{sign} {}", difference.reference);
        for line in lines_of(difference) {
            let _ = writeln!(text, "    {}{}", line.sign.text(), line.text);
        }
    }
    if resources.len() > RESOURCES {
        let _ = writeln!(text, "and {}", count(resources.len() - RESOURCES, "more resource"));
    }
    text
}
