//! A graph as one page that needs nothing else: its script lays the graph out, folds, searches and zooms.

use std::fmt::Write;

use pantin_repository::graph_view::GraphView;

use super::json;
use crate::print::counting::{count, count_text};
use crate::print::markup::escape;
use crate::print::page;

const STYLE: &str = include_str!("page.css");
const LAYOUT: &str = include_str!("layout.js");
const SCRIPT: &str = include_str!("page.js");

pub(super) fn page(view: &GraphView) -> String {
    let mut page = page::head(&format!("Graph: {}", view.node), STYLE);
    header(view, &mut page);
    page.push_str(
        "<main>\n<svg id=\"drawing\" role=\"group\" aria-label=\"The graph\"><g id=\"view\"></g></svg>\n<aside \
         id=\"panel\" aria-live=\"polite\"></aside>\n</main>\n<noscript><p>The graph is drawn by a script.</p></noscript>\n",
    );
    page::push_data(&mut page, "graph", &json::numbered(view).to_string());
    page::finish(&mut page, &format!("{LAYOUT}{SCRIPT}"));
    page
}

fn header(view: &GraphView, page: &mut String) {
    let shown = view.vertices.len();
    let resources = match shown < view.resources {
        true => format!("{shown} of {}", count(view.resources, "resource")),
        false => count(view.resources, "resource"),
    };
    let mut facts: Vec<String> = [view.environment.clone(), resources, count(view.edges.len(), "relationship")]
        .iter()
        .map(|fact| format!("<span>{}</span>", escape(fact)))
        .collect();
    let cycles = count(view.cycles.len(), "dependency cycle");
    let missing = count_text(view.missing.len(), "missing dependency", "missing dependencies");
    let bad = [(view.cycles.is_empty(), cycles), (view.missing.is_empty(), missing)];
    facts.extend(bad.iter().filter(|(is_none, _)| !is_none).map(|(_, text)| format!("<b class=\"bad\">{text}</b>")));
    // Writing to a string cannot fail.
    let _ = writeln!(
        page,
        "<header>\n<div><h1>{}</h1><p>{}</p></div>\n<div class=\"tools\"><input id=\"search\" type=\"search\" \
         placeholder=\"Find a resource\" aria-label=\"Find a resource\"><button id=\"open\">Open all</button><button \
         id=\"fold\">Fold all</button><button id=\"fit\">Fit</button><label><input id=\"automatic\" type=\"checkbox\" \
         checked> automatic</label></div>\n</header>",
        escape(&view.node),
        facts.join(" ")
    );
}
