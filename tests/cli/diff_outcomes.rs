//! `pantin diff` says one thing in all formats: nodes of every outcome on both sides, drawn at random.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use crate::json_schema::Schema;
use crate::{Folder, Run};

/// What comes of a node on one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outcome {
    catalog: Catalog,
    /// The number of the warning in its log.
    warning: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Catalog {
    /// With a value.
    Sound(u32),
    /// With a cycle of this number.
    Cycle(u32),
    /// The compilation fails with this message.
    Failure(u32),
}

/// By kind and text.
type Messages = BTreeSet<(&'static str, String)>;

impl Outcome {
    /// `None`: there is no such node.
    fn draw(numbers: &mut Draw) -> Option<Outcome> {
        let number = numbers.below(2);
        let catalog = match numbers.below(7) {
            0 => return None,
            1 | 2 => Catalog::Sound(number),
            3 | 4 => Catalog::Cycle(number),
            _ => Catalog::Failure(number),
        };
        Some(Outcome { catalog, warning: [None, Some(0), Some(1)][numbers.below(3) as usize] })
    }

    fn code(self) -> String {
        let mut code = self.warning.map_or_else(String::new, |number| format!("warning('careful {number}') "));
        match self.catalog {
            Catalog::Sound(value) => _ = write!(code, "notify {{ 'sound': message => '{value}' }}"),
            Catalog::Failure(number) => _ = write!(code, "fail('broken {number}')"),
            Catalog::Cycle(number) => {
                let [one, other] = [format!("one {number}"), format!("other {number}")];
                _ = write!(
                    code,
                    "notify {{ ['{one}', '{other}']: }} Notify['{one}'] -> Notify['{other}'] -> Notify['{one}']"
                );
            }
        }
        code
    }

    fn is_failing(self) -> bool {
        !matches!(self.catalog, Catalog::Sound(_))
    }

    fn messages(self) -> Messages {
        let failing = match self.catalog {
            Catalog::Sound(_) => None,
            Catalog::Failure(number) => Some(("failure", format!("broken {number}"))),
            Catalog::Cycle(number) => Some(("cycle", format!("one {number}"))),
        };
        self.warning.map(|number| ("warning", format!("careful {number}"))).into_iter().chain(failing).collect()
    }
}

/// What a difference says of a node.
fn status([before, after]: [Option<Outcome>; 2]) -> &'static str {
    let failing = |outcome: Outcome| -> Messages {
        outcome.messages().into_iter().filter(|(kind, _)| *kind != "warning").collect()
    };
    match (before, after) {
        (_, None) => "removed",
        (None, Some(after)) => {
            if after.is_failing() {
                "newly_failing"
            } else {
                "added"
            }
        }
        (Some(before), Some(after)) => match (before.is_failing(), after.is_failing()) {
            (false, true) => "newly_failing",
            (true, false) => "mended",
            (true, true) if failing(before) == failing(after) => "failing",
            (true, true) => "failing_otherwise",
            (false, false) if before.catalog == after.catalog => "unchanged",
            (false, false) => "changed",
        },
    }
}

/// The state of each message of a node, by kind and text.
fn states([before, after]: [Option<Outcome>; 2]) -> BTreeMap<(&'static str, String), &'static str> {
    let messages = |outcome: Option<Outcome>| outcome.map(Outcome::messages).unwrap_or_default();
    let (old, new) = (messages(before), messages(after));
    let fails = |outcome: Option<Outcome>| outcome.is_some_and(Outcome::is_failing);
    let mut states = BTreeMap::new();
    for message in old.union(&new) {
        let is_warning = message.0 == "warning";
        let state = match (old.contains(message), new.contains(message)) {
            (true, true) if is_warning => continue,
            (true, true) => "same",
            (false, _) if fails(before) && !is_warning => "otherwise",
            (false, _) => "new",
            (true, false) if after.is_none() || fails(after) => "before",
            (true, false) => "mended",
        };
        states.insert(message.clone(), state);
    }
    states
}

/// A generator of numbers.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % end
    }
}

const NODES: [&str; 4] = ["n1", "n2", "n3", "n4"];

type Outcomes = [[Option<Outcome>; 2]; NODES.len()];

/// Two folders, and facts of the nodes of each.
fn repository(outcomes: &Outcomes) -> Folder {
    let folder = Folder::with(&[]);
    for (at, side) in ["before", "after"].into_iter().enumerate() {
        folder.write(&format!("{side}/environment.conf"), "modulepath = modules\n");
        folder.write(&format!("{side}-facts/none.txt"), "");
        let mut site = String::new();
        for (node, outcome) in NODES.iter().zip(outcomes) {
            if let Some(outcome) = outcome[at] {
                _ = writeln!(site, "node '{node}' {{ {} }}", outcome.code());
                folder.write(&format!("{side}-facts/{node}.json"), "{}");
            }
        }
        folder.write(&format!("{side}/manifests/site.pp"), &site);
    }
    folder
}

fn diff(folder: &Folder, format: &str) -> Run {
    let run = folder.run(&[
        "diff",
        "./before",
        "./after",
        "--from-facts",
        "before-facts",
        "--facts",
        "after-facts",
        "--quiet",
        "--exit-code",
        "--format",
        format,
    ]);
    assert!(matches!(run.code, Some(0 | 2 | 3)), "{}{}", run.out, run.err);
    run
}

fn names(value: &Value) -> BTreeSet<String> {
    value.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// What JSON says of a comparison, for the other formats to say the same.
struct Told {
    statuses: BTreeMap<String, String>,
    /// The nodes that each section names.
    sections: BTreeMap<&'static str, BTreeSet<String>>,
    verdict: String,
}

impl Told {
    fn from_json(json: &Value) -> Told {
        let nodes = json["nodes"].as_array().unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let statuses: BTreeMap<String, String> =
            nodes.iter().map(|node| (text(&node["name"]), text(&node["status"]))).collect();
        let mut sections: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
        for message in json["errors"].as_array().unwrap() {
            let title = match (message["state"].as_str().unwrap(), message["kind"].as_str().unwrap()) {
                ("new", "failure") => "Fails newly",
                ("new", "cycle") => "New dependency cycles",
                ("new", _) => "New warnings",
                ("otherwise", _) => "Fails otherwise",
                ("mended", _) => "Mended",
                ("same", _) => "Fails on both sides",
                _ => "Before, on nodes that fail now or are gone",
            };
            sections.entry(title).or_default().extend(names(&message["nodes"]));
        }
        for change in json["changes"].as_array().unwrap() {
            let title = match change["action"].as_str().unwrap() {
                "added" => "Added",
                "removed" => "Removed",
                _ if change["parameters"].as_array().unwrap().is_empty() => "Order and relationships",
                _ => "Changed",
            };
            sections.entry(title).or_default().extend(names(&change["nodes"]));
        }
        for (status, title) in [("added", "New nodes"), ("removed", "Nodes that are no more")] {
            let nodes = statuses.iter().filter(|(_, one)| *one == status).map(|(node, _)| node.clone());
            let nodes: BTreeSet<String> = nodes.collect();
            if !nodes.is_empty() {
                sections.insert(title, nodes);
            }
        }
        Told { statuses, sections, verdict: text(&json["verdict"]) }
    }

    fn count(&self, status: &str) -> usize {
        self.statuses.values().filter(|one| *one == status).count()
    }

    /// Checks that a headline counts what the nodes are.
    fn check_headline(&self, headline: &str) {
        let counts = [
            ("newly_failing", "fails newly", "fail newly"),
            ("failing_otherwise", "fails otherwise", "fail otherwise"),
            ("failing", "fails on both sides", "fail on both sides"),
            ("mended", "no longer fails", "no longer fail"),
            ("added", "is new", "are new"),
            ("removed", "is gone", "are gone"),
        ];
        for (status, one, many) in counts {
            let part = match self.count(status) {
                0 => {
                    assert!(!headline.contains(one) && !headline.contains(many), "{headline}: {:?}", self.statuses);
                    continue;
                }
                1 => format!("1 {one}"),
                number => format!("{number} {many}"),
            };
            assert!(headline.contains(&part), "{headline} lacks {part}");
        }
    }
}

/// The sections of a text, with the nodes that each names.
fn sections_of_text(text: &str) -> BTreeMap<&str, BTreeSet<String>> {
    let mut sections: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut title = None;
    for (line, before) in text.lines().skip(2).zip(text.lines().skip(1)) {
        if before.is_empty() && !line.starts_with(' ') {
            title = (!line.starts_with("Compared ")).then_some(line);
        } else if let Some((title, nodes)) =
            title.zip(line.trim().strip_prefix("on ").or(line.trim().strip_prefix("with other values on ")))
        {
            let nodes = nodes.split_once(" nodes: ").map_or(nodes, |(_, nodes)| nodes);
            sections.entry(title).or_default().extend(nodes.split(", ").map(str::to_owned));
        }
    }
    sections
}

fn check(outcomes: &Outcomes, schema: &Schema) {
    let folder = repository(outcomes);
    let run = diff(&folder, "json");
    let json: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(schema.violations(&json), Vec::<String>::new());
    let told = Told::from_json(&json);
    let mut expected = BTreeMap::new();
    for (node, outcome) in NODES.iter().zip(outcomes).filter(|(_, [before, after])| before.is_some() || after.is_some())
    {
        assert_eq!(told.statuses.get(*node).map(String::as_str), Some(status(*outcome)), "{node}: {outcome:?}");
        for ((kind, text), state) in states(*outcome) {
            expected.insert((*node, kind, text), state);
        }
    }
    let mut found = 0;
    for message in json["errors"].as_array().unwrap() {
        for node in names(&message["nodes"]) {
            found += 1;
            let is_it = |((of, kind, text), _): &(&(&str, &str, String), &&str)| {
                *of == node && message["kind"] == **kind && message["message"].as_str().unwrap().contains(text.as_str())
            };
            let state = expected.iter().find(is_it).map(|(_, state)| *state);
            assert_eq!(message["state"].as_str(), state, "{node}: {message}");
        }
    }
    assert_eq!(found, expected.len(), "{json:#}");

    let fails = told.count("newly_failing") > 0;
    let differs = told.statuses.values().any(|status| status != "unchanged" && status != "failing")
        || expected.values().any(|state| *state != "same")
        || !json["changes"].as_array().unwrap().is_empty();
    let (verdict, code) = if fails {
        ("fails_newly", 3)
    } else if differs {
        ("differs", 2)
    } else if told.count("failing") > 0 {
        // Nobody knows what changes behind the error.
        ("unsure", 2)
    } else {
        ("same", 0)
    };
    assert_eq!((told.verdict.as_str(), run.code), (verdict, Some(code)), "{outcomes:?}");
    check_formats(&folder, &told, code);
}

fn check_formats(folder: &Folder, told: &Told, code: i32) {
    let runs = ["text", "markdown", "html", "junit"].map(|format| diff(folder, format));
    for run in &runs {
        assert_eq!(run.code, Some(code), "{}", run.out);
    }
    let [text, markdown, html, junit] = runs.map(|run| run.out);
    let headline = text.lines().nth(1).unwrap();
    told.check_headline(headline);
    let sections: BTreeMap<&str, BTreeSet<String>> = told.sections.clone().into_iter().collect();
    assert_eq!(sections_of_text(&text), sections, "{text}");

    let sign = match code {
        0 => "✅",
        2 => "🔶",
        _ => "❌",
    };
    assert!(markdown.starts_with(&format!("## {sign} {headline}\n")), "{markdown}");
    let state = match code {
        0 => "good",
        2 => "odd",
        _ => "bad",
    };
    assert!(html.contains(&format!("<header class=\"{state}\">\n<h1>{headline}</h1>")), "{html}");
    assert!(junit.contains(&format!("<testsuite name=\"{headline}\"")), "{junit}");
    for title in sections.keys() {
        assert!(markdown.contains(&format!("\n### {title}\n")), "{title}: {markdown}");
        let is_of_nodes = ["New nodes", "Nodes that are no more"].contains(title);
        assert!(is_of_nodes || html.contains(&format!("\"title\":\"{title}\"")), "{title}: {html}");
    }
    assert_eq!(markdown.matches("\n### ").count(), sections.len(), "{markdown}");
    let failures = junit.matches("<failure ").count();
    assert_eq!(failures, told.count("newly_failing"), "{junit}");
    assert!(junit.contains(&format!("failures=\"{failures}\"")), "{junit}");
}

#[test]
fn all_formats_say_the_same_of_random_outcomes() {
    let schema = Schema::read("diff.schema.json");
    let mut numbers = Draw(55);
    for _ in 0..12 {
        let mut outcomes: Outcomes = NODES.map(|_| [Outcome::draw(&mut numbers), Outcome::draw(&mut numbers)]);
        // A node in the same state on both sides is rare otherwise.
        outcomes[3][1] = outcomes[3][0];
        // A side without nodes is an error.
        outcomes[0] =
            outcomes[0].map(|outcome| outcome.or(Some(Outcome { catalog: Catalog::Sound(0), warning: None })));
        check(&outcomes, &schema);
    }
}

/// The outcomes of one node, by themselves: nothing that another node has to say hides a contradiction.
#[test]
fn all_formats_say_the_same_of_one_node() {
    let schema = Schema::read("diff.schema.json");
    let failure = |number| Some(Outcome { catalog: Catalog::Failure(number), warning: None });
    let sound = |warning| Some(Outcome { catalog: Catalog::Sound(0), warning });
    let cases = [
        [failure(0), failure(1)],
        [failure(0), failure(0)],
        [failure(0), Some(Outcome { catalog: Catalog::Cycle(0), warning: None })],
        [sound(Some(0)), failure(0)],
        [sound(Some(0)), sound(None)],
        [sound(None), sound(Some(0))],
        [failure(0), sound(None)],
        [sound(None), sound(None)],
    ];
    for case in cases {
        let mut outcomes: Outcomes = [[None; 2]; NODES.len()];
        outcomes[0] = case;
        check(&outcomes, &schema);
    }
}
