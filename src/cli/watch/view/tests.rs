//! What keys do, and what is drawn, at 80 columns and without colours.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pantin_apply::NodeSystem;
use pantin_base::Language;
use pantin_model::catalog::diff::{Change, ParameterChange, ResourceChange, ShownValue};
use pantin_model::catalog::{Catalog, Place, Resource, ResourceTypeKind};
use pantin_repository::catalog_check::{CatalogFindings, Finding};
use pantin_repository::messages::{About, FilePlace, Group};
use pantin_repository::query::{Answer, AnswerCounts, AnswerFailure, NodeCatalog};
use pantin_repository::watch::{CheckChanges, GroupedChanges, NodeGroup, Round};
use pantin_values::{Str, Value};

use super::draw::lines;
use super::state::{Key, KeyAction, View};
use crate::watch::applying::AppliedRun;

const HERE: &str = "/repo";

fn resource(title: &str, content: &str, sensitive: &[&str]) -> Arc<Resource> {
    Arc::new(Resource {
        type_name: "File".into(),
        title: title.into(),
        kind: ResourceTypeKind::Native,
        exported: false,
        says_exported_late: false,
        tags: Default::default(),
        place: Some(Place { file: "/repo/site.pp".into(), line: 3 }),
        parameters: vec![("content".into(), Value::from(content))].into(),
        sensitive: sensitive.iter().map(|name| Str::from(*name)).collect(),
        rendered: Default::default(),
    })
}

fn answer(node: &str, resources: Result<Vec<Arc<Resource>>, &str>) -> Arc<Answer> {
    let result = match resources {
        Ok(resources) => Ok(Arc::new(Catalog { resources, ..Catalog::default() })),
        Err(reason) => Err(AnswerFailure::Reading(reason.to_owned())),
    };
    let (remarks, log, bodies_run, how, exchange) = Default::default();
    Arc::new(Answer {
        environment: Some("production".into()),
        node: node.into(),
        remarks,
        log,
        result: result.map(NodeCatalog::Compiled),
        bodies_run,
        not_patched: None,
        how,
        exchange,
        own_words: Default::default(),
        decrypted: Default::default(),
        findings: Default::default(),
        system: NodeSystem::unknown(Language::default()),
        ready: None,
    })
}

fn answers() -> Vec<Arc<Answer>> {
    let web = || Ok(vec![resource("/w", "81", &[]), resource("/key", "swordfish", &["content"])]);
    vec![answer("db1", Err("no such class")), answer("web1", web()), answer("web2", web())]
}

fn names(names: &[&str]) -> Vec<Str> {
    names.iter().map(|name| Str::from(*name)).collect()
}

fn alike(what: GroupedChanges) -> NodeGroup<GroupedChanges> {
    let nodes = what.iter().flat_map(|way| way.nodes.clone()).collect();
    NodeGroup { what, nodes }
}

fn round() -> Round {
    let text = |text: &str| ShownValue::Value(Value::from(text));
    let parameters = vec![
        ParameterChange { name: "content".into(), old: text("80"), new: text("81") },
        ParameterChange { name: "key".into(), old: ShownValue::Secret, new: ShownValue::Secret },
    ];
    let place = Some(Place { file: "/repo/site.pp".into(), line: 3 });
    let changed = ResourceChange { reference: "File[/w]".to_owned(), change: Change::Changed(parameters), place };
    let added = ResourceChange {
        reference: "Notify[a title of more than eighty columns, which has to be cut somewhere before its end]"
            .to_owned(),
        change: Change::Added,
        place: None,
    };
    Round {
        took: Duration::from_millis(12),
        edited: vec![Path::new("/repo/data/common.yaml").into()],
        nodes: 3,
        counts: AnswerCounts { compiled: 2, ..AnswerCounts::default() },
        bodies_run: 1,
        changed: names(&["web1", "web2"]),
        changes: vec![
            alike(vec![NodeGroup { what: changed, nodes: names(&["web1", "web2"]) }]),
            alike(vec![NodeGroup { what: added, nodes: names(&["web1"]) }]),
        ],
        broken: vec![error(About::Failure, "no such class", &["db1"])],
        ..Round::default()
    }
}

fn error(about: About, text: &str, nodes: &[&str]) -> Group {
    Group { about, text: text.to_owned(), place: None, help: None, nodes: names(nodes), count: nodes.len() }
}

fn view() -> View {
    let mut view = View::new(80, 10);
    view.first(&answers(), Duration::from_millis(40), Path::new(HERE));
    view.round(&round(), &answers(), Path::new(HERE));
    view
}

fn drawn(view: &View) -> Vec<String> {
    let lines: Vec<String> = lines(view).iter().map(|line| line.text()).collect();
    assert_eq!(lines.len(), view.height);
    for line in &lines {
        assert!(console::measure_text_width(line) <= view.width, "{line}");
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

fn type_in(view: &mut View, text: &str) {
    text.chars().for_each(|letter| assert_eq!(view.press(Key::Letter(letter)), KeyAction::Nothing));
}

const KEYS: &str = "↑↓ move  Enter expand  e all  c catalog  n nodes  / filter  r look again  q quit";

#[test]
fn changes_are_listed_and_expanded() {
    let mut view = view();
    let heading = "data/common.yaml · 2 of 3 nodes affected, 2 changed · 12 ms";
    let cut = " ▸+ Notify[a title of more than eighty columns, which has to be cut som…  1 node";
    let page = [
        heading,
        "changes of the last edit",
        ">▸✗ no such class  1 node",
        " ▸~ File[/w]  2 nodes",
        cut,
        "",
        "",
        "",
        "",
        KEYS,
    ];
    assert_eq!(drawn(&view), page);
    view.press(Key::Down);
    view.press(Key::Open);
    let page = [
        heading,
        "changes of the last edit · 2/8",
        " ▸✗ no such class  1 node",
        ">▾~ File[/w]  2 nodes",
        "      content: '80' → '81'",
        "      key: another secret",
        "      at /repo/site.pp:3",
        "      on web1",
        "      on web2",
        KEYS,
    ];
    assert_eq!(drawn(&view), page);
    // The cursor stays in sight, and comes back to what it closes.
    view.press(Key::Last);
    assert_eq!(drawn(&view)[8], format!(">{}", &cut[1..]));
    view.press(Key::Up);
    view.press(Key::Close);
    assert_eq!(drawn(&view)[3], ">▸~ File[/w]  2 nodes");
    view.press(Key::Letter('e'));
    assert_eq!(drawn(&view)[1], "changes of the last edit · 3/10");
    view.press(Key::Letter('e'));
    assert_eq!(drawn(&view)[4], cut);
}

#[test]
fn each_way_of_a_change_is_there_when_it_is_expanded() {
    let way = |node: &str| {
        let text = |text: &str| ShownValue::Value(Value::from(format!("{node} {text}").as_str()));
        let parameter = ParameterChange { name: "content".into(), old: text("80"), new: text("81") };
        let change = Change::Changed(vec![parameter]);
        let what = ResourceChange { reference: "File[/w]".to_owned(), change, place: None };
        NodeGroup { what, nodes: names(&[node]) }
    };
    let mut view = View::new(80, 10);
    let round = Round { changes: vec![alike(vec![way("web1"), way("web2")])], ..Round::default() };
    view.round(&round, &answers(), Path::new(HERE));
    assert_eq!(drawn(&view)[2..4], [">▸~ File[/w]  2 nodes", ""]);
    view.press(Key::Open);
    let ways = ["content: 'web1 80' → 'web1 81'", "on web1", "content: 'web2 80' → 'web2 81'", "on web2"];
    assert_eq!(drawn(&view)[3..7], ways.map(|line| format!("      {line}")));
    assert_eq!(drawn(&view)[7..9], ["      on web1", "      on web2"]);
}

#[test]
fn nodes_are_looked_at_by_the_page_and_the_cursor() {
    let mut view = view();
    assert_eq!(view.visible_nodes(), names(&["db1"]));
    view.press(Key::Down);
    assert_eq!(view.visible_nodes(), names(&["web1", "web2"]));
    view.press(Key::Open);
    type_in(&mut view, "G");
    view.press(Key::Up);
    assert_eq!(view.visible_nodes(), names(&["web2"]));
    view.press(Key::Open);
    assert_eq!((view.visible_nodes(), drawn(&view)[1].as_str()), (names(&["web2"]), "catalog of web2"));
    view.press(Key::Escape);
    type_in(&mut view, "nG");
    assert_eq!(view.visible_nodes(), names(&["web2"]));
    type_in(&mut view, "/nobody");
    assert_eq!(view.visible_nodes(), names(&[]));
}

#[test]
fn what_is_looked_at_is_shown_before_all_are_asked() {
    let mut view = view();
    type_in(&mut view, "nGc");
    let early = Round {
        counts: AnswerCounts { compiled: 1, ..AnswerCounts::default() },
        changes: Vec::new(),
        broken: Vec::new(),
        ..round()
    };
    view.early(&early, &[answer("web2", Ok(vec![resource("/new", "", &[])]))], Path::new(HERE));
    let page = drawn(&view);
    assert_eq!(page[0], "data/common.yaml · 1 of 3 nodes affected, 2 changed · 12 ms");
    assert_eq!(
        (page[1..4].join("|").as_str(), page[9].as_str()),
        ("catalog of web2|>▸  File[/new]|", "the other nodes are being asked")
    );
    // The others are what they were, until all are told.
    view.press(Key::Escape);
    assert_eq!(drawn(&view)[2..5], [" ▸✗ db1  no such class", " ▸✓ web1  2 resources", ">▸✓ web2  1 resource"]);
    view.round(&round(), &answers(), Path::new(HERE));
    assert_eq!((drawn(&view)[4].as_str(), view.message.as_str()), (">▸✓ web2  2 resources", ""));
}

#[test]
fn a_filter_leaves_what_has_its_text() {
    let mut view = view();
    type_in(&mut view, "/WEB2");
    let page = drawn(&view);
    assert_eq!(page[1..4], ["changes of the last edit, with 'WEB2'", ">▸~ File[/w]  2 nodes", ""]);
    assert_eq!(page[9], "/WEB2_   Enter keeps the filter, Esc drops it");
    type_in(&mut view, "q");
    assert_eq!(drawn(&view)[2], "  nothing that passes the filter");
    view.press(Key::Rubout);
    view.press(Key::Open);
    assert_eq!(drawn(&view)[9], KEYS);
    // It is there for the next edit, too.
    view.round(&round(), &answers(), Path::new(HERE));
    assert_eq!(drawn(&view)[2..4], [">▸~ File[/w]  2 nodes", ""]);
    view.press(Key::Escape);
    assert_eq!(drawn(&view)[4].chars().next(), Some(' '));
    assert!(drawn(&view)[2].starts_with(">▸✗"));
}

#[test]
fn a_catalog_is_shown_without_secrets() {
    let mut view = view();
    type_in(&mut view, "njc");
    let page = drawn(&view);
    assert_eq!(page[1..4], ["catalog of web1", ">▸  File[/w]", " ▸  File[/key]"]);
    type_in(&mut view, "e");
    let page = drawn(&view);
    assert_eq!(
        page[2..8],
        [
            ">▾  File[/w]",
            "      content => '81'",
            "      at /repo/site.pp:3",
            " ▾  File[/key]",
            "      content => a secret",
            "      at /repo/site.pp:3"
        ]
    );
    // What is looked at is what the node is answered now.
    view.round(&round(), &[answer("web1", Ok(vec![resource("/new", "", &[])]))], Path::new(HERE));
    assert_eq!(drawn(&view)[1..4], ["catalog of web1", ">▸  File[/new]", ""]);
    view.round(&round(), &[], Path::new(HERE));
    assert_eq!(drawn(&view)[2], "  the node is no more");
    view.press(Key::Escape);
    assert_eq!(drawn(&view)[1..3], ["nodes: 0", "  no nodes"]);
}

#[test]
fn nodes_are_listed_with_what_is_wrong() {
    let mut view = view();
    type_in(&mut view, "n");
    let page = drawn(&view);
    assert_eq!(page[1..5], ["nodes: 3", ">▸✗ db1  no such class", " ▸✓ web1  2 resources", " ▸✓ web2  2 resources"]);
    view.press(Key::Open);
    assert_eq!(drawn(&view)[1..4], ["catalog of db1", ">▾✗ it has no catalog", "      no such class"]);
}

#[test]
fn what_is_wrong_with_graphs_stands_first_and_with_the_nodes() {
    let mut view = view();
    view.press(Key::Down);
    let stuck = answers();
    let cycles = Finding::Cycles { message: String::new(), cycles: Vec::new() };
    let findings = CatalogFindings { findings: vec![cycles], ..CatalogFindings::default() };
    stuck[1].findings.set(0, findings.into());
    let place = Some(FilePlace { file: format!("{HERE}/none.pp"), line: 3, column: None });
    let cycle = Group { place, help: Some("cut it".to_owned()), ..error(About::Cycle, "A => B => A", &["web1"]) };
    let missing = error(About::Missing, "Could not find dependency C for D", &["web2"]);
    let changes = CheckChanges { broken: vec![cycle], mended: vec![missing], ..CheckChanges::default() };
    view.graph(&changes, &stuck, Path::new(HERE));
    let page = drawn(&view);
    assert_eq!(page[2], " ▸✗ Dependency cycle: A => B => A  1 node");
    // What stood at the cursor stays there.
    assert_eq!(page[4], ">▸~ File[/w]  2 nodes");
    assert_eq!(page[6], " ▸✓ mended: Could not find dependency C for D  1 node");
    view.press(Key::First);
    view.press(Key::Open);
    assert_eq!(drawn(&view)[3..6], ["      at none.pp:3", "      help: cut it", "      on web1"]);
    type_in(&mut view, "n");
    assert_eq!(drawn(&view)[3..5], [" ▸✗ web1  2 resources · dependency cycle", " ▸✓ web2  2 resources"]);
}

#[test]
fn before_an_edit_it_shows_what_is_wrong() {
    let mut view = View::new(80, 10);
    view.note("a cache that cannot be used");
    view.first(&answers(), Duration::from_millis(40), Path::new(HERE));
    let page = drawn(&view);
    assert_eq!(page[..2], ["3 nodes in 40 ms: 2 ok, 1 failed", "what is wrong at the start"]);
    assert_eq!(page[2..4], [">▸✗ no such class  1 node", " ▸! a cache that cannot be used"]);
}

#[test]
fn what_is_asked_for_is_told_to_whoever_runs_it() {
    let mut view = view();
    assert_eq!(view.press(Key::Letter('r')), KeyAction::LookAgain);
    assert_eq!(drawn(&view)[9], "looking at everything again");
    view.unchanged();
    assert_eq!(drawn(&view)[9], "nothing has changed since");
    view.note("what was told before stays");
    assert_eq!(drawn(&view)[9], "what was told before stays");
    assert_eq!(view.press(Key::Letter('x')), KeyAction::Nothing);
    assert_eq!((view.press(Key::Letter('q')), view.press(Key::Interrupt)), (KeyAction::Quit, KeyAction::Quit));
    // In a filter it is a letter.
    type_in(&mut view, "/q");
    assert_eq!(view.press(Key::Interrupt), KeyAction::Quit);
}

#[test]
fn it_fits_into_any_size() {
    let mut view = view();
    type_in(&mut view, "e");
    for (width, height) in [(1, 1), (2, 2), (7, 3), (20, 4), (200, 3), (80, 100)] {
        view.resize(width, height);
        drawn(&view);
        view.press(Key::Last);
        drawn(&view);
    }
}

#[test]
fn what_a_run_came_to_stands_first_and_a_key_applies_everything() {
    let run = |code, log: &str| AppliedRun {
        node: "web1".into(),
        took: Duration::from_millis(20),
        is_full: false,
        is_noop: false,
        code: Some(code),
        log: vec![log.to_owned()],
        errors: Vec::new(),
    };
    let mut view = view();
    view.press(Key::Letter('a'));
    assert_eq!(view.press(Key::Letter('a')), KeyAction::Nothing, "nothing is applied here");
    view.applies = true;
    view.press(Key::Down);
    view.applied(&run(2, "Notice: Only what changed: 1 resource of the edit, 0 that follow from it, 9 left alone"));
    let shown = drawn(&view);
    let told = " ▸⇒ applied to the machine  1 resource of the edit, 0 that follow from it";
    assert!(shown[2].starts_with(told), "{shown:?}");
    assert!(shown[4].starts_with('>'), "{shown:?}");
    view.applied(&run(1, "Error: no"));
    assert!(drawn(&view)[2].contains("⇒ not applied to the machine"));
    assert_eq!(drawn(&view).iter().filter(|line| line.contains('⇒')).count(), 1);
    assert_eq!(view.press(Key::Letter('a')), KeyAction::ApplyAll);
}
