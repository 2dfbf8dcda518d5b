//! `pantin graph`: what is drawn of a catalog, and that the page does what a person asks of it, in a browser.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::query::{encrypted, run_with_keys};
use crate::{Folder, Run, finish};

const CODE: &str = "class web {
  package { 'editor': name => 'vim' }
  file { '/etc/web': ensure => directory, require => Package['vim'] }
  file { '/etc/web/<b>': content => 'x' }
  service { 'web': subscribe => File['/etc/web'] }
  contain web::site
}
class web::site { web::page { 'one': } }
define web::page { file { \"/srv/${title}\": } }
class loop {
  notify { 'a': require => Notify['b'] }
  notify { 'b': require => Notify['a'] }
}
class far { notify { 'far': } }
include web, loop, far
Class['web::site'] -> Notify['far']
";

fn graph(arguments: &[&str]) -> Run {
    let folder = Folder::with(&[]);
    folder.run(&[&["graph", "--os", "debian-12", "-e", CODE], arguments].concat())
}

fn as_json(arguments: &[&str]) -> Value {
    let run = graph(&[arguments, &["--format", "json"]].concat());
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}{}", run.out, run.err))
}

fn names(graph: &Value) -> Vec<&str> {
    let mut names: Vec<&str> =
        graph["vertices"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    names
}

fn vertex<'g>(graph: &'g Value, name: &str) -> &'g Value {
    graph["vertices"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap()
}

fn edge(graph: &Value, earlier: &str, later: &str) -> Value {
    let edges = graph["edges"].as_array().unwrap();
    let found = edges.iter().find(|one| one["earlier"] == earlier && one["later"] == later);
    found.map_or(Value::Null, |one| json!([one["kinds"], one["in_cycle"]]))
}

#[test]
fn what_comes_first_what_contains_what_and_what_is_wrong() {
    let graph = as_json(&[]);
    assert_eq!(edge(&graph, "File[/etc/web]", "Service[web]"), json!([["subscribe"], false]));
    assert_eq!(edge(&graph, "File[/etc/web]", "File[/etc/web/<b>]"), json!([["automatic"], false]));
    assert_eq!(edge(&graph, "Class[Web::Site]", "Notify[far]"), json!([["before"], false]));
    assert_eq!(edge(&graph, "Notify[a]", "Notify[b]"), json!([["require"], true]));
    assert_eq!(edge(&graph, "Package[vim]", "File[/etc/web]"), json!([["require"], false]));
    assert_eq!(vertex(&graph, "Package[vim]")["kind"], "missing");
    let site = vertex(&graph, "Class[Web::Site]");
    assert_eq!((&site["container"], &site["kind"]), (&json!("Class[Web]"), &json!("class")));
    assert_eq!(vertex(&graph, "Service[web]")["line"], 5);
    assert_eq!(vertex(&graph, "File[/srv/one]")["container"], "Web::Page[one]");
    assert_eq!((&vertex(&graph, "Notify[a]")["in_cycle"], &site["in_cycle"]), (&json!(true), &json!(false)));
    assert_eq!(graph["cycles"][0].as_array().unwrap().len(), 2);
    assert_eq!(graph["missing"][0]["message"], "Could not find dependency Package[vim] for File[/etc/web]");
}

#[test]
fn a_part_is_chosen_by_resource_class_and_depth() {
    let part = |arguments: &[&str]| as_json(arguments);
    let around = part(&["--around", "service[web]", "--depth", "0"]);
    assert_eq!(names(&around), ["Class[Web]", "Service[web]", "Stage[main]"]);
    let around = part(&["--around", "Service[web]"]);
    assert_eq!(names(&around), ["Class[Web]", "File[/etc/web]", "Service[web]", "Stage[main]"]);
    let around = part(&["--around", "Service[web]", "--depth", "2"]);
    assert!(names(&around).contains(&"File[/etc/web/<b>]") && names(&around).contains(&"Package[vim]"));
    assert_eq!(around["resources"], as_json(&[])["resources"]);
    // A relationship of its class is one of its own.
    let class = part(&["--class", "web::site"]);
    let expected = [
        "Class[Far]",
        "Class[Web::Site]",
        "Class[Web]",
        "File[/srv/one]",
        "Notify[far]",
        "Stage[main]",
        "Web::Page[one]",
    ];
    assert_eq!(names(&class), expected);
    assert!(names(&part(&["--around", "File[/srv/one]"])).contains(&"Notify[far]"));
    for (arguments, near) in [
        (["--around", "Service[wep]"], "did you mean Service[web]?"),
        (["--around", "web"], "did you mean Service[web]?"),
        (["--class", "web::sites"], "did you mean Class[Web::Site]?"),
    ] {
        let run = graph(&arguments);
        assert_eq!((run.out.as_str(), run.code), ("", Some(1)), "{arguments:?}");
        assert!(run.err.contains("the catalog of debian-12 has no ") && run.err.contains(near), "{}", run.err);
    }
}

#[test]
fn a_drawing_for_graphviz_has_containers_as_clusters() {
    let run = graph(&[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let dot = &run.out;
    let number = |label: &str| {
        let line = dot.lines().find(|line| line.contains(&format!("[label = \"{label}\""))).unwrap();
        line.trim().split(' ').next().unwrap().to_owned()
    };
    let (a, b, vim, file) =
        (number("Notify[a]"), number("Notify[b]"), number("Package[vim]"), number("File[/etc/web]"));
    let edge = |from: &str, to: &str| dot.lines().find(|line| line.contains(&format!("{from} -> {to} "))).unwrap();
    assert!(edge(&a, &b).contains("color = \"#b3362b\", penwidth = 2") && edge(&b, &a).contains("penwidth = 2"));
    assert!(edge(&vim, &file).contains("style = dashed"), "{dot}");
    assert!(dot.contains("label = \"Class[Web::Site]\"\n") && dot.contains("ltail = cluster_"), "{dot}");
    assert_eq!(dot.matches('{').count(), dot.matches('}').count());
}

#[test]
fn nothing_is_drawn_for_several_nodes_or_a_failing_one() {
    let folder = Folder::with(&[("facts/a.json", "{}"), ("facts/b.json", "{}")]);
    let run = folder.run(&["graph", "--facts", "facts", "--node", "*", "-e", ""]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(2)));
    assert!(run.err.contains("the graph of one node is drawn, and --node means 2 of them"), "{}", run.err);
    let run = folder.run(&["graph", "--facts", "facts", "--node", "a", "-e", "fail('broken')"]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(1)));
    assert!(run.err.contains("broken"), "{}", run.err);
}

#[test]
fn what_eyaml_decrypted_is_in_no_drawing() {
    let folder = encrypted();
    for format in ["dot", "json", "html"] {
        let run = run_with_keys(&folder, &["graph", "--format", format]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(
            run.out.contains("Notify[[decrypted by eyaml]]") && !run.out.contains("hunter2"),
            "{format}: {}",
            run.out
        );
    }
}

// ---- the page ----

#[test]
fn the_page_needs_nothing_else() {
    let page = graph(&["--format", "html"]).out;
    for foreign in ["src=", "<link", "url(h", "@import", "import(", "fetch("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let addresses = page.matches("http").count();
    assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count() + page.matches("http-equiv").count());
    // A title ends no element.
    assert!(!page.contains("<b>]") && page.contains("/etc/web/\\u003cb>"));
}

/// The names that Chromium goes by.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// What the page is after a script has worked on it. `None`: there is no browser.
fn in_browser(page: &str, script: &str, anchor: &str) -> Option<String> {
    let is_there = |name: &&&str| {
        let mut command = Command::new(name);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|ended| ended.success())
    };
    let browser = BROWSERS.iter().find(is_there)?;
    let folder = Folder::with(&[]);
    folder.write("page.html", page.replace("</body>", &format!("<script>{script}</script></body>")));
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=1400,900",
        "--virtual-time-budget=3000",
    ]);
    command.arg(format!("--user-data-dir={}", folder.path().join("browser").display())).arg("--dump-dom");
    command.arg(format!("file://{}/page.html{anchor}", folder.real_path()));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Some(finish(command.spawn().unwrap()).out)
}

/// What a person does, and what is seen then; the results stand in the attribute `data-seen` of the body.
const HANDS: &str = r##"
const seen = {};
const shown = () => [...document.querySelectorAll("#view g")].map((one) => one.dataset.name);
const at = (name) => [...document.querySelectorAll("#view g")].find((one) => one.dataset.name === name);
const click = (target) => target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
const type = (text) => { search.value = text; search.dispatchEvent(new Event("input", { bubbles: true })); };
const key = (name) => search.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
seen.start = shown();
seen.findings = panel.textContent;
seen.cycle = document.querySelectorAll("#view path.cycle").length;
seen.lost = document.querySelectorAll("#view path.lost").length;
click(document.getElementById("fold"));
seen.folded = shown();
type("srv");
seen.matches = [...document.querySelectorAll("#matches a")].map((one) => one.textContent);
seen.marked = [...document.querySelectorAll("#view g.match")].map((one) => one.dataset.name);
key("Enter");
seen.chosen = document.querySelector("#chosen").textContent;
seen.selected = document.querySelector("#view g.selected").dataset.name;
seen.opened = shown();
seen.panel = panel.textContent;
click(at("Class[Web]"));
seen.closed = shown();
click(at("Class[Web]"));
type("nothing like it");
seen.nothing = panel.textContent;
key("Escape");
const scale = camera.scale;
drawing.dispatchEvent(new WheelEvent("wheel", { deltaY: -300, clientX: 300, clientY: 300, bubbles: true }));
seen.zoomed = camera.scale > scale && view.getAttribute("transform").includes(`scale(${camera.scale})`);
const rects = [...document.querySelectorAll("#view g.item")].map((one) => one.getBoundingClientRect());
seen.overlaps = rects.filter((a, i) => rects.some((b, j) => i < j && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
document.body.dataset.seen = JSON.stringify(seen);
"##;

fn attribute(dom: &str) -> Value {
    let text = dom.split_once("data-seen=\"").and_then(|(_, rest)| rest.split_once('"')).map(|(text, _)| text);
    let text = text.unwrap_or_else(|| panic!("the script has failed: {dom}"));
    let text = text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&text).unwrap()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect()
}

#[test]
fn the_page_is_searched_folded_and_zoomed() {
    let page = graph(&["--format", "html"]).out;
    let Some(dom) = in_browser(&page, HANDS, "") else {
        println!("skipped: no Chromium is installed (apt-get install chromium)");
        return;
    };
    let seen = attribute(&dom);
    // A small graph is open, but for the stage that is no box.
    for name in ["Class[Web]", "Class[Web::Site]", "File[/srv/one]", "File[/etc/web/<b>]", "Package[vim]"] {
        assert!(texts(&seen["start"]).contains(&name), "{name}: {seen}");
    }
    assert!(!texts(&seen["start"]).contains(&"Stage[main]"), "{seen}");
    assert_eq!((&seen["cycle"], &seen["lost"], &seen["overlaps"]), (&json!(2), &json!(1), &json!(0)));
    let findings = seen["findings"].as_str().unwrap();
    assert!(findings.contains("Dependency cycle") && findings.contains("which requires it"), "{findings}");
    assert!(findings.contains("Could not find dependency Package[vim] for File[/etc/web]"), "{findings}");
    let folded = texts(&seen["folded"]);
    assert!(folded.contains(&"Class[Web]") && !folded.contains(&"Service[web]"), "{folded:?}");
    // What is folded away is found, and where it is is marked.
    assert_eq!((&seen["matches"], &seen["marked"]), (&json!(["File[/srv/one]"]), &json!(["Class[Web]"])));
    assert_eq!((&seen["chosen"], &seen["selected"]), (&json!("File[/srv/one]"), &json!("File[/srv/one]")));
    assert!(texts(&seen["opened"]).contains(&"Web::Page[one]") && !texts(&seen["opened"]).contains(&"Notify[a]"));
    assert!(seen["panel"].as_str().unwrap().contains("Comes beforeNotify[far]before, by Class[Web::Site]"), "{seen}");
    assert!(texts(&seen["closed"]).contains(&"Class[Web]") && !texts(&seen["closed"]).contains(&"Web::Page[one]"));
    assert_eq!((&seen["nothing"], &seen["zoomed"]), (&json!("Nothing found"), &json!(true)));
}

#[test]
fn a_link_to_a_resource_leads_to_it() {
    let page = graph(&["--format", "html"]).out;
    let script = "document.body.dataset.seen = JSON.stringify(document.querySelector('#chosen').textContent)";
    let Some(dom) = in_browser(&page, script, "#Notify%5Bfar%5D") else {
        println!("skipped: no Chromium is installed (apt-get install chromium)");
        return;
    };
    assert_eq!(attribute(&dom), "Notify[far]");
}
