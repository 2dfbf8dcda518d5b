//! The report as JUnit's XML: a test case for each node.

use std::fmt::Write;

use pantin_repository::fleet::NodeReport;
use pantin_repository::messages::{About, Message};

use super::FinishedRun;
use crate::print::markup::escape;
use crate::print::repository_path::repository_path;

pub(super) fn report(done: &FinishedRun<'_>) -> String {
    let summary = &done.summary;
    let unsettled = done.ended.settled.unsettled.as_ref();
    let tests = summary.nodes.len() + usize::from(unsettled.is_some());
    let failures = summary.failed_count() + usize::from(unsettled.is_some());
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" time=\"{:.3}\"", done.seconds);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pantin fleet\" {counts}>\n  <testsuite \
         name=\"nodes\" skipped=\"0\" {counts}>\n"
    );
    summary.nodes.iter().for_each(|node| case(node, &mut xml));
    if let Some(unsettled) = unsettled {
        let text = escape(&unsettled.to_string());
        // Writing to a string cannot fail.
        let _ = writeln!(
            xml,
            "    <testcase name=\"exported resources settle\" classname=\"fleet\" time=\"0\">\n      <failure \
             message=\"{text}\" type=\"unsettled\">{text}</failure>\n    </testcase>"
        );
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn case(node: &NodeReport, xml: &mut String) {
    let environment = if node.environment.is_empty() { "unknown" } else { &node.environment };
    let _ = write!(
        xml,
        "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3}\"",
        escape(&node.name),
        escape(environment),
        node.seconds
    );
    if node.messages.is_empty() {
        xml.push_str("/>\n");
        return;
    }
    xml.push_str(">\n");
    // Most readers show the first failure of a test case alone.
    let failures: Vec<&Message> = node.messages.iter().filter(|message| message.about.is_failing()).collect();
    if let Some(first) = failures.first() {
        let more = failures.len() - 1;
        let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
        let all: Vec<String> = failures.iter().map(|message| full(message)).collect();
        let _ = writeln!(
            xml,
            "      <failure message=\"{}{more}\" type=\"{}\">{}</failure>",
            escape(&headline(first)),
            first.about.name(),
            escape(&all.join("\n\n"))
        );
    }
    let (errors, warnings): (Vec<&Message>, Vec<&Message>) =
        node.messages.iter().filter(|message| !message.about.is_failing()).partition(|said| said.about == About::Error);
    for (stream, said) in [("system-out", warnings), ("system-err", errors)] {
        if !said.is_empty() {
            let lines: Vec<String> = said.iter().map(|message| full(message)).collect();
            let _ = writeln!(xml, "      <{stream}>{}</{stream}>", escape(&lines.join("\n")));
        }
    }
    xml.push_str("    </testcase>\n");
}

/// Returns the message in one line, with its place in front, as tables of failures show it.
fn headline(message: &Message) -> String {
    let text = message.text.split_whitespace().collect::<Vec<_>>().join(" ");
    match &message.place {
        Some(place) => format!("{}:{}: {text}", repository_path(&place.file), place.line),
        None => text,
    }
}

fn help(message: &Message) -> String {
    message.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default()
}

fn full(message: &Message) -> String {
    match &message.place {
        Some(place) => {
            let column = place.column.map(|column| format!(":{column}")).unwrap_or_default();
            let place = format!("{}:{}{column}", repository_path(&place.file), place.line);
            format!("{}\n{place}{}", message.text, help(message))
        }
        None => format!("{}{}", message.text, help(message)),
    }
}
