//! Each sentence of ARCHITECTURE.md, "Patching a catalog", with the cases that would fail if it were untrue.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use pantin::model::catalog::Place;
use pantin::repository::query::{Answer, NodeCatalog, PatchRefusal};

use super::super::state::{Edit, State};
use super::reasons::{self, COMMON_YAML, base, role};
use super::{BASE_PP, LATE_PP, NOTES_PP, OWN_PP, THING_PP, Watched, replace};

/// What holds a sentence.
enum Evidence {
    /// An edit after which a node is patched.
    Patched(&'static str, Vec<Edit>, &'static str),
    /// A reason that has a case in `reasons`.
    Refused(PatchRefusal),
    Check(fn() -> Result<(), Failed>),
    /// A test elsewhere: its file, and how it begins there.
    Elsewhere(&'static str, &'static str),
}

use Evidence::{Check, Elsewhere, Patched, Refused};

fn literal() -> Evidence {
    Patched("a literal", base("'none'", "'some'"), "plain-a2")
}

fn text() -> Evidence {
    Patched("a text", vec![replace(NOTES_PP, "# One.", "# Two.")], "telling-a2")
}

fn data() -> Evidence {
    Patched("a value of data", vec![replace(COMMON_YAML, "value: 1", "value: 2")], "plain-a2")
}

fn resource_more() -> Evidence {
    Patched("a resource more", base("include base::late", "notify { 'x': }\n  include base::late"), "plain-a2")
}

fn instance() -> Evidence {
    Patched("an instance of a defined type", base("size => 1", "size => 2"), "plain-a2")
}

fn class_parameter() -> Evidence {
    Patched("a parameter of a class", base("'hello'", "'good day'"), "plain-a2")
}

/// The sentences, in the order of the chapter.
fn sentences() -> Vec<(&'static str, Vec<Evidence>)> {
    [about_all(), about_edits_and_nodes(), about_bodies(), about_catalogs(), about_soundness()]
        .into_iter()
        .flatten()
        .collect()
}

fn about_all() -> Vec<(&'static str, Vec<Evidence>)> {
    vec![
        ("After an edit, the new catalog of a node is made out of its last one where", vec![literal()]),
        ("Any other affected node is compiled.", vec![Refused(PatchRefusal::ResourceObserved)]),
        ("When a node may be patched is said by one function,", vec![Check(the_function_is_quoted)]),
        ("What refuses says why:", vec![Check(reasons_are_told_apart)]),
        (
            "`pantin watch --explain-cache` prints the reasons",
            vec![Elsewhere("tests/cli/watch_told.rs", "fn reasons_against_patching_are_told(")],
        ),
    ]
}

fn about_edits_and_nodes() -> Vec<(&'static str, Vec<Evidence>)> {
    use PatchRefusal::*;
    let lines = Patched("lines", vec![replace(LATE_PP, "class", "#\nclass")], "plain-a2");
    vec![
        (
            "There is one edit since the last answers (of a node that fails: all edits since its last good answer count as one), and",
            vec![
                literal(),
                text(),
                data(),
                lines,
                Refused(SeveralEdits),
                Refused(OtherFile),
                Refused(OtherDefinitions),
                Refused(OtherData),
            ],
        ),
        ("No definition of a manifest comes, goes, or has another head.", vec![Refused(OtherDefinitions)]),
        ("The node has a last answer with a catalog.", vec![Refused(NotCompiledBefore), Refused(FailedBefore)]),
        (
            "Its settings, facts and environment are those of that answer,",
            vec![Refused(InputsChanged), Refused(NamedInLog), Refused(WholeDataFile)],
        ),
        (
            "Bindings put nothing in the place of a type of resources;",
            vec![Refused(BindingReplacements), Elsewhere("tests/reuse/patched/bindings.rs", "fn replaced(")],
        ),
    ]
}

fn about_bodies() -> Vec<(&'static str, Vec<Evidence>)> {
    use PatchRefusal::*;
    let using = Patched("a variable that another body reads", base("from base", "of base"), "using-a2");
    let thing =
        Patched("the body of a defined type", vec![replace(THING_PP, "size ${size}", "size is ${size}")], "plain-a2");
    let unasked =
        Patched("a key that nobody asks for", vec![replace(COMMON_YAML, "other: 2", "other: 3")], "arrows-a1");
    vec![
        ("A body is affected if its own code was edited.", vec![literal()]),
        ("It is also affected if a key, a function or a text that it asked for", vec![text(), data()]),
        (
            "The injector of today is compared with that of before row by row,",
            vec![
                Elsewhere("tests/reuse/patched/bindings.rs", "fn values("),
                Refused(InjectionNotRepeatable),
                Refused(BindingProblems),
            ],
        ),
        ("A changed row that something else than a body looked at", vec![Refused(BoundOutsideBodies)]),
        (
            "Where another class comes to stand in the place of one,",
            vec![Elsewhere("tests/reuse/patched/bindings.rs", "fn replaced(")],
        ),
        ("A node for which functions provide bindings is compiled where", vec![Refused(BindingProviders)]),
        ("It has to be the body of a class or a defined type.", vec![thing, Refused(NotADefinition)]),
        ("The first nodes that an edit reaches are compiled,", vec![Refused(NothingLearnt)]),
        ("What they show is used for other nodes only if", vec![Refused(ConcernsOthers), Refused(NotPlain)]),
        ("No compiled node is compared whose inputs are new,", vec![Check(sixteen_are_compared)]),
        ("Where an edit of values or texts changes no answer of a body,", vec![unasked]),
        ("Today's code of an affected body runs on the answers of its last run,", vec![Refused(AsksAnew)]),
        (
            "The two runs may differ in declared resources,",
            vec![resource_more(), class_parameter(), Refused(OtherEffects), Refused(BodyFails), Refused(OtherBodies)],
        ),
        (
            "Whether a resource is there may be asked anew",
            vec![Elsewhere("tests/reuse/patched/sought.rs", "fn rows("), Refused(AsksAnew)],
        ),
        (
            "A body that is declared differently is affected in turn,",
            vec![instance(), using, Refused(UnknownVariable), Refused(WrongOrder)],
        ),
    ]
}

fn about_catalogs() -> Vec<(&'static str, Vec<Evidence>)> {
    use PatchRefusal::*;
    let removed = Patched("a resource that goes", base("file { '/etc/issue': content => 'none' }\n", "\n"), "plain-a2");
    vec![
        ("While a catalog is made, everything in it that code looks at is recorded", vec![Refused(ResourceObserved)]),
        (
            "A node is compiled if a change meets an observation:",
            vec![Refused(ResourceObserved), Refused(CollectedByTag), Refused(VariableObserved)],
        ),
        (
            "Whether a resource is there each body asks for itself:",
            vec![Elsewhere("tests/reuse/patched/sought.rs", "fn one_after_the_other("), Refused(ResourceObserved)],
        ),
        ("Parameters of resources of any type change,", vec![literal(), instance(), class_parameter()]),
        (
            "Only resources of native types are added or removed,",
            vec![resource_more(), Refused(OtherBodies), Refused(ResourceBound)],
        ),
        ("Names, tags, relationships and other metaparameters never change.", vec![Refused(ConcernsOthers)]),
        (
            "What is added is not there yet and needs only what is there,",
            vec![removed, Refused(AlreadyThere), Refused(NeedsMissing), Refused(StillNeeded)],
        ),
        (
            "All bodies of the node together take no more steps",
            vec![Elsewhere("tests/cli/hostile_nodes.rs", "fn a_patched_node_has_the_budget_of_a_compiled_one(")],
        ),
    ]
}

fn about_soundness() -> Vec<(&'static str, Vec<Evidence>)> {
    use PatchRefusal::*;
    let own = vec![replace(OWN_PP, "content => $host", "content => \"${host}\\n\"")];
    vec![
        ("A body sees the world and the catalog only through questions,", vec![Check(other_resources_stay)]),
        ("The change of every other body is known from its own code", vec![Refused(AsksAnew)]),
        (
            "What the rest of the catalog saw of these changes is in the observation log,",
            vec![literal(), Refused(ResourceObserved)],
        ),
        (
            "What becomes of the changed resources was seen on a compiled node",
            vec![Patched("a value of its own", own, "plain-a2"), Refused(NothingLearnt)],
        ),
        (
            "Every resource that no edited file declares and no change names is the object that it was.",
            vec![Check(other_resources_stay)],
        ),
        ("Where nodes collect what others export,", vec![Elsewhere("tests/reuse/exchange_patched.rs", "fn of_all(")]),
        (
            "A node whose collected types have changed",
            vec![Elsewhere("tests/reuse/exchange_patched.rs", "fn at_random(")],
        ),
    ]
}

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = vec![Trial::test("patched: chapter: each sentence has evidence", each_sentence_has_evidence)];
    for (sentence, evidence) in sentences() {
        for one in evidence {
            let name = format!("patched: chapter: {sentence} {}", one.name());
            trials.push(Trial::test(name, move || one.holds()));
        }
    }
    trials
}

impl Evidence {
    fn name(&self) -> String {
        match self {
            Patched(name, ..) => format!("patched: {name}"),
            Refused(refusal) => refusal.code().to_owned(),
            Check(_) => "checked".to_owned(),
            Elsewhere(_, test) => (*test).to_owned(),
        }
    }

    fn holds(&self) -> Result<(), Failed> {
        match self {
            Patched(_, edits, node) => {
                let (_, after) = answers_of(repository(), edits, node)?;
                if after.is_patched() { Ok(()) } else { Err(format!("{node}: {:?}", after.not_patched).into()) }
            }
            Refused(refusal) if reasons::has_case(*refusal) => Ok(()),
            Refused(refusal) => Err(format!("{refusal:?} has no case").into()),
            Check(check) => check(),
            Elsewhere(file, test) => {
                if read(file).contains(test) {
                    Ok(())
                } else {
                    Err(format!("{file} has no {test}").into())
                }
            }
        }
    }
}

/// With data, which the nodes of one role ask for.
fn repository() -> State {
    let mut state = super::repository();
    let asked = role("plain", "notify { 'looked': message => String(lookup('value')) }");
    reasons::data_files().into_iter().chain([asked]).for_each(|edit| state.edit(&edit));
    state
}

/// The answer of a node before edits and after them.
fn answers_of(mut state: State, edits: &[Edit], node: &str) -> Result<(Arc<Answer>, Arc<Answer>), Failed> {
    let mut watched = Watched::new(&state)?;
    let find = |answers: &[Arc<Answer>]| answers.iter().find(|answer| answer.node == node).cloned();
    let before = find(&watched.last).ok_or("there is no such node")?;
    edits.iter().for_each(|edit| state.edit(edit));
    watched.become_state(&state)?;
    Ok((before, find(&watched.last).ok_or("there is no such node now")?))
}

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap_or_default()
}

/// The part of the chapter whose sentences are held.
fn chapter() -> String {
    let text = read("ARCHITECTURE.md");
    let begun = text.split("## Patching a catalog\n").nth(1).unwrap_or_default();
    begun.split("**What is tested.**").next().unwrap_or_default().to_owned()
}

/// The sentences of the chapter, without code and the leads of paragraphs.
fn chapter_sentences() -> Vec<String> {
    let chapter = chapter();
    let prose: String = chapter.split("```").step_by(2).collect();
    let mut sentences = Vec::new();
    for paragraph in prose.split("\n\n") {
        let paragraph = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        let paragraph = match paragraph.starts_with("**") {
            true => paragraph
                .split_once(if paragraph.contains(".** ") { ".** " } else { "). " })
                .map_or("", |(_, rest)| rest),
            false => &paragraph,
        };
        let mut rest = paragraph;
        while let Some((sentence, more)) = rest.split_once(". ") {
            sentences.push(format!("{sentence}."));
            rest = more;
        }
        sentences.extend((!rest.is_empty()).then(|| rest.to_owned()));
    }
    sentences
}

fn each_sentence_has_evidence() -> Result<(), Failed> {
    let (written, held) = (chapter_sentences(), sentences());
    for (at, sentence) in written.iter().enumerate() {
        match held.get(at) {
            Some((begin, evidence)) if sentence.starts_with(begin) && !evidence.is_empty() => {}
            other => return Err(format!("{sentence:?} is held by {:?}", other.map(|(begin, _)| begin)).into()),
        }
    }
    if written.len() == held.len() { Ok(()) } else { Err("the chapter lacks sentences that are held".into()) }
}

fn the_function_is_quoted() -> Result<(), Failed> {
    let source = read("src/repository/query/patch/mod.rs");
    let begin = source.find("    pub(super) fn patch(").ok_or("there is no such function")?;
    let end = source[begin..].find("\n    }\n").ok_or("it has no end")? + begin + "\n    }".len();
    let function = source[begin..end].lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    let function = function.collect::<Vec<_>>().join("\n");
    match chapter().contains(&format!("```rust\n{function}\n```")) {
        true => Ok(()),
        false => Err(format!("ARCHITECTURE.md does not quote today's function:\n{function}").into()),
    }
}

fn reasons_are_told_apart() -> Result<(), Failed> {
    for (at, one) in PatchRefusal::ALL.iter().enumerate() {
        for other in &PatchRefusal::ALL[at + 1..] {
            if one.code() == other.code() || one.words() == other.words() {
                return Err(format!("{one:?} and {other:?} are told alike").into());
            }
        }
    }
    Ok(())
}

/// A resource that is another object after an edit stands in the edited file.
fn other_resources_stay() -> Result<(), Failed> {
    let (before, after) = answers_of(super::repository(), &base("'none'", "'some'"), "plain-a2")?;
    let (Ok(NodeCatalog::Compiled(before)), Ok(NodeCatalog::Compiled(now))) = (&before.result, &after.result) else {
        return Err("there are no catalogs".into());
    };
    let others = before.resources.iter().zip(&now.resources).filter(|(old, new)| !Arc::ptr_eq(old, new));
    let is_edited = |place: &Place| place.file.ends_with(BASE_PP);
    let (edited, unedited): (Vec<_>, Vec<_>) = others.partition(|(old, _)| old.place.as_ref().is_some_and(is_edited));
    if after.is_patched() && !edited.is_empty() && unedited.is_empty() {
        return Ok(());
    }
    Err(format!("{} resources are others, of the edited file {}", edited.len() + unedited.len(), edited.len()).into())
}

/// Of an edit that shows nothing on the first nodes, a later one is learnt from if fewer than sixteen came before it.
fn sixteen_are_compared() -> Result<(), Failed> {
    for (count, is_patched) in [(15, true), (16, false)] {
        let mut state = super::repository();
        for number in 0..count {
            let facts = format!(r#"{{"role": "plain", "kind": "x", "host": "aaa-{number}"}}"#);
            state.edit(&Edit::Write(format!("facts/aaa-{number:02}.json"), facts.into_bytes()));
            state.edit(&Edit::Write(format!("enc/aaa-{number:02}.yaml"), b"classes: {}\n".to_vec()));
        }
        let of_kind = "'some', before => $facts['kind'] ? { 'x' => Service['ntp'], default => undef }";
        let (_, after) = answers_of(state, &[replace(BASE_PP, "'none'", of_kind)], "plain-a2")?;
        if after.is_patched() != is_patched {
            return Err(format!("after {count} nodes: {:?}", after.not_patched).into());
        }
    }
    Ok(())
}
