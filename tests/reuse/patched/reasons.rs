//! Each reason why a node is compiled and not patched, with an edit and a node that it holds for.

use std::collections::BTreeSet;

use libtest_mimic::{Failed, Trial};
use pantin::repository::query::PatchRefusal;

use super::super::state::{Edit, State};
use super::{BASE_PP, LATE_PP, NOTES_PP, OWN_PP, SITE_PP, THING_PP, Watched, replace};

/// An edit, a node, and why it is not patched after the edit.
pub(super) struct Case {
    name: &'static str,
    /// Changes of the repository of `patched` before anything is watched.
    before: Vec<Edit>,
    edits: Vec<Edit>,
    node: &'static str,
    reason: PatchRefusal,
}

/// Reasons whose cases are tests of their own: below, in `exchange_patched`, and in `tests/cli/hostile_nodes.rs`.
const CASES_ELSEWHERE: [PatchRefusal; 4] =
    [PatchRefusal::SeveralEdits, PatchRefusal::MissedEdit, PatchRefusal::ExportsChanged, PatchRefusal::TooManySteps];

/// No edit that is known provokes these. A compiled catalog that is not the patched one would show that patching is wrong.
const WITHOUT_CASE: [PatchRefusal; 3] =
    [PatchRefusal::FileNotRepeatable, PatchRefusal::NotRecorded, PatchRefusal::PatchDiffers];

fn case(reason: PatchRefusal, name: &'static str, node: &'static str, edits: Vec<Edit>) -> Case {
    Case { name, before: Vec::new(), edits, node, reason }
}

fn write(path: &str, text: &str) -> Edit {
    Edit::Write(path.to_owned(), text.as_bytes().to_vec())
}

/// A case in which the repository is another one before the edit.
fn after(before: Vec<Edit>, case: Case) -> Case {
    Case { before, ..case }
}

/// More statements of the nodes of a role, behind `include base`.
pub(super) fn role(name: &str, statements: &str) -> Edit {
    let path = format!("modules/role/manifests/{name}.pp");
    replace(&path, "include base", &format!("include base\n  {statements}"))
}

pub(super) fn base(old: &str, new: &str) -> Vec<Edit> {
    vec![replace(BASE_PP, old, new)]
}

/// Of the node's last answer.
fn of_answers() -> Vec<Case> {
    use PatchRefusal::*;
    let edited = || base("'none'", "'some'");
    let new = vec![write("facts/plain-a3.json", NEW_NODE), write("enc/plain-a3.yaml", "classes: {}\n")];
    let mended = vec![replace("modules/role/manifests/plain.pp", "fail('no')", "notice('yes')")];
    let notes = || vec![replace(NOTES_PP, "# One.", "# Two.")];
    vec![
        case(NotCompiledBefore, "a new node", "plain-a3", new),
        after(vec![role("plain", "fail('no')")], case(FailedBefore, "a node that failed", "plain-a2", mended)),
        after(
            vec![role("plain", "notify { \"in ${Timestamp().strftime('%Y')}\": }")],
            case(Volatile, "a catalog with the time", "plain-a2", edited()),
        ),
        case(
            OtherFile,
            "the first bindings",
            "plain-a2",
            vec![write("modules/base/bindings/default.pp", "bindings base::default {\n  bind 'y' to 1\n}\n")],
        ),
        case(InputsChanged, "an environment with other lines", "plain-a2", vec![replace(SITE_PP, "node", "#\nnode")]),
        after(
            vec![role("telling", "notice(find_file('base/notes.pp'))")],
            case(NamedInLog, "a log with a path", "telling-a2", notes()),
        ),
        case(Unreadable, "facts that are none", "plain-a2", vec![write("facts/plain-a2.json", "{")]),
    ]
}

/// With bindings of the environment, beside an edit of a body or of one of them.
fn with_bindings(items: &str, more: Vec<Edit>, case: Case) -> Case {
    let own = write(OWN_BINDINGS, &format!("bindings default {{\n  {items}\n}}\n"));
    after([vec![own], more].concat(), case)
}

const OWN_BINDINGS: &str = "bindings/default.pp";

/// The reasons that have to do with bindings.
fn binding_cases() -> Vec<Case> {
    use PatchRefusal::*;
    let literal = || base("'none'", "'some'");
    let bound = |old: &str, new: &str| vec![replace(OWN_BINDINGS, old, new)];
    let other = write("modules/base/manifests/other.pp", "define base::other($size) {\n  notify { $title: }\n}\n");
    let provided = vec![
        write("modules/base/functions/provided.pp", "function base::provided($in, $out) {\n  []\n}\n"),
        write(
            "bindings/site.pp",
            "site { bindings => [ layer { 'own': include => 'env:/default' }, layer { 'more': include => 'own:/x' } ] }\n",
        ),
    ];
    let asking = || vec![role("plain", "notify { 'asked': message => inject('n') }")];
    vec![
        with_bindings(
            "bind 'own' to 'base::provided' in 'bindings_providers'",
            provided,
            case(BindingProviders, "another function for a scheme", "plain-a2", bound("base::provided", "base::other")),
        ),
        with_bindings(
            "bind Base::Thing to Base::Other",
            vec![other],
            case(BindingReplacements, "a type in the place of another", "plain-a2", literal()),
        ),
        with_bindings(
            "bind 'n' to 1",
            Vec::new(),
            case(BindingProblems, "a file of bindings that is broken", "plain-a2", bound("'n' to 1", "'n to 1")),
        ),
        with_bindings(
            "bind variables to { n => 1 }",
            Vec::new(),
            case(BoundOutsideBodies, "a variable that is bound", "plain-a2", bound("n => 1", "n => 2")),
        ),
        with_bindings(
            "bind 'n' to 'x'",
            asking(),
            case(InjectionNotRepeatable, "code that is new", "plain-a2", bound("'x'", "$facts['kind']")),
        ),
        with_bindings(
            "when node 'plain-a2' { bind parameters File['/etc/issue'] to { owner => 'x' } }",
            Vec::new(),
            case(ResourceBound, "a parameter of one file", "plain-a2", literal()),
        ),
    ]
}

const NEW_NODE: &str = r#"{"role": "plain", "kind": "a", "host": "plain-a3"}"#;

const HIERA: &str =
    "version: 5\nhierarchy:\n  - { name: all, path: common.yaml, data_hash: yaml_data, datadir: data }\n";

pub(super) const COMMON_YAML: &str = "data/common.yaml";

/// With data that nodes of the role `plain` ask for.
fn with_data(asked: &str, case: Case) -> Case {
    after(data_files().into_iter().chain([role("plain", asked)]).collect(), case)
}

/// The files of data.
pub(super) fn data_files() -> Vec<Edit> {
    let common = "value: 1\nother: 2\nhost: 'on %{facts.kind}'\nown: \"%{base::own}\"\n";
    vec![write("hiera.yaml", HIERA), write(COMMON_YAML, common)]
}

/// With a data file that is read by keys, and as a whole where it is said to be JSON.
fn with_whole_data(case: Case) -> Case {
    let hiera = format!("{HIERA}  - {{ name: again, path: common.yaml, data_hash: json_data, datadir: data }}\n");
    let asked = role("plain", "notify { 'looked': message => String(lookup('value', { 'merge' => 'unique' })) }");
    after(vec![write("hiera.yaml", &hiera), write(COMMON_YAML, "{ \"value\": 1 }\n"), asked], case)
}

/// True if an edit shows that a node is compiled for this reason.
pub(super) fn has_case(reason: PatchRefusal) -> bool {
    CASES_ELSEWHERE.contains(&reason) || cases().iter().any(|case| case.reason == reason)
}

/// With data that a function of a module reads from a file.
fn with_function(asked: &str, case: Case) -> Case {
    let function = "function kept::data($options, $context) {\n  { 'kept::of_file' => file('base/notes.pp') }\n}\n";
    let before = vec![
        write("modules/kept/hiera.yaml", "version: 5\nhierarchy:\n  - { name: own, data_hash: kept::data }\n"),
        write("modules/kept/functions/data.pp", function),
        role("plain", asked),
    ];
    after(before, case)
}

/// Of the kind of the edit, and of the files that a node depends on.
fn of_edits() -> Vec<Case> {
    use PatchRefusal::*;
    let parent = "class base::late inherits base::tools {\n  notify { 'late': }\n}\n";
    let notes = || vec![replace(NOTES_PP, "# One.", "# Two.")];
    let facts = r#"{"role": "plain", "kind": "a", "host": "elsewhere"}"#;
    vec![
        case(OtherFile, "a file that goes", "plain-a2", vec![Edit::Remove(LATE_PP.to_owned())]),
        case(OtherFile, "other facts", "plain-a2", vec![write("facts/plain-a2.json", facts)]),
        case(OtherDefinitions, "a class with a parent", "plain-a2", vec![write(LATE_PP, parent)]),
        with_data(
            "notify { 'looked': message => String(lookup('value')) }",
            case(OtherData, "data that is no hash", "plain-a2", vec![write(COMMON_YAML, "- value\n")]),
        ),
        with_data(
            "notice(lookup('value'))\n  include base::late",
            case(
                LookupNotRepeatable,
                "a value that asks for other facts",
                "plain-a2",
                vec![replace(COMMON_YAML, "value: 1", "value: \"%{facts.host}\"")],
            ),
        ),
        with_whole_data(case(
            WholeDataFile,
            "data that is read as a whole",
            "plain-a2",
            vec![replace(COMMON_YAML, "1", "2")],
        )),
        with_function(
            "notify { 'kept': message => lookup('kept::of_file') }",
            case(ReadByOthers, "a text that data reads", "plain-a2", notes()),
        ),
        after(
            vec![replace(SITE_PP, "node default", "$top = file('base/notes.pp')\nnode default")],
            case(NotADefinition, "a text that the site's manifest reads", "plain-a2", notes()),
        ),
    ]
}

/// Of what affected bodies do.
fn of_bodies() -> Vec<Case> {
    use PatchRefusal::*;
    let instance = "base::thing { 'two': size => 3 }\n  base::thing { 'one'";
    vec![
        case(NothingLearnt, "the first node", "arrows-a1", base("'none'", "'some'")),
        case(AsksAnew, "a fact that was not asked for", "plain-a2", base("'none'", "\"${facts['host']}\"")),
        case(BodyFails, "an error", "plain-a2", base("$own =", "fail('no')\n  $own =")),
        case(OtherEffects, "a log line", "plain-a2", base("$own =", "notice('new')\n  $own =")),
        case(
            OtherEffects,
            "a log line of a defined type",
            "plain-a2",
            vec![replace(THING_PP, "file {", "notice('x')\n  file {")],
        ),
        case(OtherBodies, "a class more", "plain-a2", base("include base::late", "include base::late, base::more")),
        case(OtherBodies, "an instance more", "plain-a2", base("base::thing { 'one'", instance)),
        after(
            vec![role("using", "notify { \"more ${getvar('base::more')}\": }")],
            case(
                UnknownVariable,
                "a variable more that somebody reads",
                "using-a2",
                base("$own =", "$more = 1\n  $own ="),
            ),
        ),
        after(
            vec![role("using", "notify { 'mine': message => $base::own }")],
            case(
                WrongOrder,
                "a body that is edited and reads a variable",
                "using-a2",
                vec![
                    replace("modules/role/manifests/using.pp", "{ 'mine'", "{ 'yours'"),
                    replace(BASE_PP, "from base", "of base"),
                ],
            ),
        ),
    ]
}

/// A function of the older kind in a module. Of several with one name the first that is loaded is that of all.
fn rival(module: &str) -> Edit {
    let text = format!(
        "module Puppet::Parser::Functions\n  newfunction(:rival, type: :rvalue) do |args|\n    '{module}'\n  end\nend\n"
    );
    write(&format!("modules/{module}/lib/puppet/parser/functions/rival.rb"), &text)
}

const MOTD: &str = "file { '/etc/motd': ";
const MORE: &str = "file { '/etc/new': }\n  file { '/etc/motd': ";

/// Of what code looks at.
fn of_observations() -> Vec<Case> {
    use PatchRefusal::*;
    let collector = "notify { 'end': }\n  File <| tag == 'base' |> -> Notify['end']";
    vec![
        case(ResourceObserved, "a parameter that is read", "reading-a2", base("'0644'", "'0600'")),
        case(ResourceObserved, "a parameter that is overridden", "overriding-a2", base("'0644'", "'0600'")),
        case(ResourceObserved, "a parameter that a collector sees", "collecting-a2", base("'0644'", "'0600'")),
        case(ResourceObserved, "a resource that is asked for", "asking-a2", base(MOTD, MORE)),
        after(
            vec![role("using", collector)],
            case(CollectedByTag, "a collector of tags", "using-a2", base(MOTD, MORE)),
        ),
        after(
            vec![rival("one"), rival("two"), role("using", "notify { 'rival': message => rival() }")],
            case(LoadOrderObserved, "a function of which there are two", "using-a2", base("'none'", "'some'")),
        ),
        with_data(
            "notify { 'by data': message => lookup('own') }",
            case(VariableObserved, "a variable that data reads", "plain-a2", base("from base", "of base")),
        ),
    ]
}

/// Of resources.
fn of_resources() -> Vec<Case> {
    use PatchRefusal::*;
    let own = "file { '/etc/host':";
    let needing = "include base::late\n  notify { 'z': require => File['/etc/late'] }";
    let at_end = vec![
        replace(LATE_PP, "{ 'late': }", "{ 'late': }\n  notify { 'later': }"),
        replace(BASE_PP, "include base::late\n", "include base::late\n  notify { 'last': }\n"),
    ];
    vec![
        case(AlreadyThere, "a resource that is there", "having-a2", base(MOTD, MORE)),
        case(
            StillNeeded,
            "a resource that another needs",
            "naming-a2",
            base("file { '/etc/issue': content => 'none' }\n", "\n"),
        ),
        case(
            NotShown,
            "a resource of its own",
            "plain-a2",
            vec![replace(OWN_PP, own, &format!("notify {{ $host: }}\n  {own}"))],
        ),
        case(UnknownPosition, "a class in a class", "twice-a2", base(MOTD, MORE)),
        case(UnknownPosition, "two resources at one place", "plain-a2", at_end),
        case(ConcernsOthers, "a relationship", "plain-a2", base("'none'", "'none', before => Service['ntp']")),
        case(ConcernsOthers, "a tag", "plain-a2", base("'none'", "'none', tag => 'x'")),
        case(
            NotPlain,
            "a resource with another name",
            "plain-a2",
            base(MOTD, "notify { 'x': alias => 'y' }\n  file { '/etc/motd': "),
        ),
        case(NeedsMissing, "a resource that needs another", "plain-a2", base("include base::late", needing)),
    ]
}

fn cases() -> Vec<Case> {
    [of_answers(), of_edits(), binding_cases(), of_bodies(), of_observations(), of_resources()]
        .into_iter()
        .flatten()
        .collect()
}

pub(super) fn trials() -> Vec<Trial> {
    let one = |case: Case| Trial::test(format!("patched: reason: {}", case.name), move || case.holds());
    let mut trials: Vec<Trial> = cases().into_iter().map(one).collect();
    trials.push(Trial::test("patched: reasons: each has a case", each_has_a_case));
    trials.push(Trial::test("patched: reasons: several edits", several_edits));
    trials.push(Trial::test("patched: reasons: an edit that a node missed", missed_edit));
    trials
}

/// Two edits that are heard of one after the other are one edit, unless some nodes are answered between them.
fn several_edits() -> Result<(), Failed> {
    for are_answered in [false, true] {
        let mut state = super::repository();
        let mut watched = Watched::new(&state)?;
        state.edit(&replace(BASE_PP, "'none'", "'some'"));
        watched.hear_of(&state);
        if are_answered {
            watched.engine.answer_some().map_err(|reason| reason.to_string())?;
        }
        state.edit(&replace(BASE_PP, "from base", "of base"));
        let answers = watched.become_state(&state)?;
        let patched = answers.iter().filter(|answer| answer.is_patched()).count();
        let are_several = answers.iter().all(|answer| answer.not_patched == Some(PatchRefusal::SeveralEdits));
        if are_several != are_answered || (patched > 0) == are_answered {
            return Err(format!("{patched} of {} patched", answers.len()).into());
        }
    }
    Ok(())
}

/// A node goes, comes back as it was, and was not there when a manifest was edited.
fn missed_edit() -> Result<(), Failed> {
    let (mut state, facts) = (super::repository(), "facts/plain-a2.json");
    let text = state.text(facts).unwrap_or_default().to_owned();
    let mut watched = Watched::new(&state)?;
    state.edit(&Edit::Remove(facts.to_owned()));
    watched.become_state(&state)?;
    state.edit(&replace(BASE_PP, "'none'", "'some'"));
    state.edit(&write(facts, &text));
    let answers = watched.become_state(&state)?;
    let not_patched = answers.iter().find(|answer| answer.node == "plain-a2").map(|answer| answer.not_patched);
    match not_patched {
        Some(Some(PatchRefusal::MissedEdit)) => Ok(()),
        other => Err(format!("plain-a2: {other:?}").into()),
    }
}

fn each_has_a_case() -> Result<(), Failed> {
    let cases = cases();
    let with_case = cases.iter().map(|case| case.reason).chain(WITHOUT_CASE);
    let with_case: BTreeSet<PatchRefusal> = with_case.chain(CASES_ELSEWHERE).collect();
    let without: Vec<_> = PatchRefusal::ALL.iter().filter(|reason| !with_case.contains(*reason)).collect();
    if without.is_empty() { Ok(()) } else { Err(format!("{without:?} have no case").into()) }
}

impl Case {
    fn holds(&self) -> Result<(), Failed> {
        let mut state: State = super::repository();
        self.before.iter().for_each(|edit| state.edit(edit));
        let mut watched = Watched::new(&state)?;
        self.edits.iter().for_each(|edit| state.edit(edit));
        let answers = watched.become_state(&state)?;
        let Some(answer) = answers.iter().find(|answer| answer.node == self.node) else {
            return Err(format!("{} has the answer of before", self.node).into());
        };
        if answer.not_patched == Some(self.reason) {
            return Ok(());
        }
        Err(format!("{} is not patched for {:?}, expected {:?}", self.node, answer.not_patched, self.reason).into())
    }
}
