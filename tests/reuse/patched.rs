//! Catalogs that are patched: of nodes that are alike one is compiled after an edit, the others are given what became of it;
//! and where something else has to do with what was edited, all are compiled. Whatever is done, it comes to what is right.

mod apart;
mod bindings;
mod chapter;
mod class_parameters;
mod data;
mod files;
mod mistakes;
mod reasons;
mod sought;
mod tags;

use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use pantin::repository::query::Answer;

use super::random::numbers::Numbers;
use super::state::{Edit, Folder, State};
use super::ways::{self, OPTIONS, Warm};

/// Two nodes of each role; of the role `plain` there are two kinds.
const ROLES: [(&str, &str); 16] = [
    ("plain", "include base"),
    ("asking", "include base\n  if defined(File['/etc/new']) { notify { 'new': } }"),
    ("reading", "include base\n  notify { \"mode ${File['/etc/motd']['mode']}\": }"),
    ("collecting", "File <| title == '/etc/motd' |> { owner => 'collector' }\n  include base"),
    ("overriding", "include base\n  include over"),
    ("arrows", "include base\n  file { '/etc/late': }\n  File['/etc/motd'] -> File['/etc/late']"),
    ("naming", "include base\n  file { '/etc/after': require => File['/etc/issue'] }"),
    ("having", "file { '/etc/new': mode => '0600' }\n  include base"),
    ("virtual", "@file { '/etc/new': mode => '0600' }\n  include base"),
    // Behind nodes that others learn from.
    ("synonym", "file { 'mine': path => '/etc/new' }\n  include base"),
    ("defaults", "File { owner => 'by default' }\n  include base"),
    ("contained", "contain base"),
    ("telling", "include base\n  notify { 'told': message => file('base/notes.pp') }"),
    ("twice", "contain base\n  contain base::more"),
    ("using", "include base\n  notify { $base::own: }"),
    // Puppet compares titles in any case.
    ("shouting", "File <| title == '/ETC/NEW' |> { mode => '0600' }\n  include base"),
];

const SITE: &str = "Notify { withpath => false }\nif $facts['role'] == 'plain' and $facts['kind'] == 'b' { File { group => 'b' } }\nnode default { include \"role::${facts['role']}\" }\n";

const BASE: &str = "# What all have.
class base($greeting = 'hello') {
  $own = \"${greeting} from base\"
  include base::tools
  file { '/etc/motd': content => \"${own}\\n\", mode => '0644' }
  file { '/etc/issue': content => 'none' }
  package { 'ntp': ensure => installed }
  service { 'ntp': ensure => running, require => Package['ntp'] }
  base::thing { 'one': size => 1 }
  if $facts['kind'] == 'b' { notify { 'kind b': } }
  include base::late
  include base::own
}
";

const FILES: [(&str, &str); 9] = [
    (BASE_PP, BASE),
    (
        OWN_PP,
        "class base::own {\n  $host = $facts['host']\n  include base::tools\n  file { '/etc/host': content => $host }\n  file { '/etc/hosts': content => 'all' }\n}\n",
    ),
    ("modules/base/manifests/tools.pp", "class base::tools {\n  file { '/usr/bin/tool': mode => '0755' }\n}\n"),
    (NOTES_PP, "# One.\nclass notes {}\n"),
    (LATE_PP, LATE),
    ("modules/base/manifests/more.pp", "class base::more {\n  contain base\n}\n"),
    (THING_PP, "define base::thing($size) {\n  file { \"/thing/${title}\": content => \"size ${size}\" }\n}\n"),
    ("modules/over/manifests/init.pp", "class over inherits base {\n  File['/etc/motd'] { mode => '0640' }\n}\n"),
    ("environment.conf", "modulepath = modules\n"),
];

const LATE: &str = "class base::late {\n  notify { 'late': }\n}\n";

/// A manifest that is read as a text.
const NOTES_PP: &str = "modules/base/files/notes.pp";

/// A class that reads what no other node has.
const OWN_PP: &str = "modules/base/manifests/own.pp";

const BASE_PP: &str = "modules/base/manifests/init.pp";

fn repository() -> State {
    repository_of(SITE, &FILES, &ROLES)
}

/// Two nodes of each role; of the role `plain` there are two kinds.
fn repository_of(site: &str, files: &[(&str, &str)], roles: &[(&str, &str)]) -> State {
    let mut state = State::default();
    let mut put = |path: &str, text: &str| state.edit(&Edit::Write(path.to_owned(), text.as_bytes().to_vec()));
    put(SITE_PP, site);
    files.iter().for_each(|(path, text)| put(path, text));
    for (role, body) in roles {
        put(&format!("modules/role/manifests/{role}.pp"), &format!("class role::{role} {{\n  {body}\n}}\n"));
        let kinds = if *role == "plain" { &["a", "b"][..] } else { &["a"] };
        for kind in kinds {
            for number in [1, 2] {
                let node = format!("{role}-{kind}{number}");
                put(
                    &format!("facts/{node}.json"),
                    &format!(r#"{{"role": "{role}", "kind": "{kind}", "host": "{node}"}}"#),
                );
                put(&format!("enc/{node}.yaml"), "classes: {}\n");
            }
        }
    }
    state
}

struct Row {
    name: &'static str,
    edits: Vec<Edit>,
    /// Who is compiled as well, of the second nodes of each sort; of the first ones most are.
    doubts: &'static str,
}

fn row(name: &'static str, old: &str, new: &str, doubts: &'static str) -> Row {
    replaces(name, BASE_PP, old, new, doubts)
}

fn replaces(name: &'static str, path: &str, old: &str, new: &str, doubts: &'static str) -> Row {
    row_of(name, &[replace(path, old, new)], doubts)
}

fn row_of(name: &'static str, edits: &[Edit], doubts: &'static str) -> Row {
    Row { name, edits: edits.to_vec(), doubts }
}

fn replace(path: &str, old: &str, new: &str) -> Edit {
    Edit::Replace { path: path.to_owned(), old: old.to_owned(), new: new.to_owned() }
}

fn write(name: &'static str, path: &str, text: &str, doubts: &'static str) -> Row {
    Row { name, edits: vec![Edit::Write(path.to_owned(), text.as_bytes().to_vec())], doubts }
}

const ALL: &str = "arrows asking b collecting contained defaults having naming overriding plain reading shouting synonym telling twice using virtual";

fn resources() -> Vec<Row> {
    let motd = "file { '/etc/motd': ";
    vec![
        row("lines alone", "# What", "#\n# What", ""),
        row("a literal in a parameter", "'none'", "'some'", ""),
        row("a parameter that others reach", "mode => '0644'", "mode => '0600'", "collecting overriding reading"),
        row("a parameter that goes", ", mode => '0644'", "", "collecting overriding reading"),
        row("a parameter more", "'none' }", "'none', owner => 'me' }", ""),
        row(
            "a resource more, in the middle",
            motd,
            "file { '/etc/new': }\n  file { '/etc/motd': ",
            "asking having shouting synonym twice virtual",
        ),
        row("a resource more, at the beginning", "$own =", "notify { 'first': }\n  $own =", "twice"),
        row("a resource more, at the end", "base::late\n", "base::late\n  notify { 'last': }\n", "twice"),
        row(
            "two resources more, between others",
            "include base::late",
            "notify { 'x': }\n  include base::late\n  notify { 'y': }",
            "twice",
        ),
        row(
            "a resource more that needs another",
            "include base::late\n",
            "include base::late\n  notify { 'z': require => File['/usr/bin/tool'] }\n",
            "twice",
        ),
        row("a resource that goes", "file { '/etc/issue': content => 'none' }\n", "\n", "naming"),
        row(
            "a type that is not there, without titles",
            "include base::late\n",
            "include base::late\n  nothing { []: }\n",
            ALL,
        ),
        row("a type that others give defaults", "notify { 'kind b': }", "notify { 'kind c': }", ""),
    ]
}

/// What else a body may do.
fn others() -> Vec<Row> {
    vec![
        row("a variable", "from base", "of base", "collecting overriding reading"),
        row("a variable more", "$own =", "$more = 1\n  $own =", ""),
        row("a variable that goes", "$own = \"${greeting} from base\"", "", ALL),
        row("a parameter of the class", "'hello'", "'good day'", "collecting overriding reading"),
        row("an instance of a defined type", "size => 1", "size => 2", ""),
        row("an instance more", "base::thing { 'one'", "base::thing { 'two': size => 3 }\n  base::thing { 'one'", ALL),
        row("a class more", "include base::late", "include base::late, base::more", ALL),
        row("an error", "$own =", "fail('no')\n  $own =", ALL),
        row("what is read anew", "'none'", "\"${facts['host']}\"", ALL),
        row("a relationship", "'none'", "'none', before => Service['ntp']", ALL),
        row("a tag", "'none'", "'none', tag => 'x'", ALL),
        row("a setting that is read anew", "'none'", "$settings::confdir", ALL),
    ]
}

/// Of a class that comes to something else on each node.
fn own() -> Vec<Row> {
    let row = |name, old, new, doubts| replaces(name, OWN_PP, old, new, doubts);
    let more = "  file { '/etc/host':";
    vec![
        row("own: lines alone", "class", "#\nclass", ""),
        row("own: a literal", "'all'", "'some'", ""),
        row("own: a resource more", more, "  notify { 'own': }\n  file { '/etc/host':", ""),
        row("own: a resource that goes", "  file { '/etc/hosts': content => 'all' }\n", "", ""),
        row("own: a parameter of its own", "content => $host", "content => \"${host}\\n\"", ""),
        row("own: a resource of its own", more, "  notify { $host: }\n  file { '/etc/host':", ALL),
        row("own: a variable", "$host =", "$more = 1\n  $host =", ""),
        row(
            "own: what decides",
            more,
            "  if $host =~ /2/ { notify { 'two': } }\n  file { '/etc/host':",
            "arrows b defaults",
        ),
        row("own: what is read anew", more, "  notify { \"on ${facts['kind']}\": }\n  file { '/etc/host':", ALL),
    ]
}

fn files() -> Vec<Row> {
    vec![
        write(
            "the body of a defined type",
            THING_PP,
            "define base::thing($size) {\n  file { \"/thing/${title}\": content => \"size is ${size}\" }\n}\n",
            "",
        ),
        write(
            "a resource more in a defined type",
            THING_PP,
            "define base::thing($size) {\n  notify { \"thing ${title}\": }\n  file { \"/thing/${title}\": content => \"size ${size}\" }\n}\n",
            "",
        ),
        write(
            "a class with a parent",
            LATE_PP,
            "class base::late inherits base::tools {\n  notify { 'late': }\n}\n",
            ALL,
        ),
        write("more than bodies", LATE_PP, "class base::late {\n  notify { 'late': }\n}\ntype Base::Late = Any\n", ALL),
        Row {
            name: "two files at once",
            edits: vec![
                Edit::Replace { path: BASE_PP.to_owned(), old: "'none'".to_owned(), new: "'some'".to_owned() },
                Edit::Replace { path: LATE_PP.to_owned(), old: "'late'".to_owned(), new: "'very late'".to_owned() },
            ],
            doubts: "",
        },
    ]
}

const THING_PP: &str = "modules/base/manifests/thing.pp";
const LATE_PP: &str = "modules/base/manifests/late.pp";
const SITE_PP: &str = "manifests/site.pp";

/// Manifests that mean what they meant, at other lines, whatever is in them.
fn moved() -> Vec<Row> {
    let moved = |path: &str, old: &str| Edit::Replace {
        path: path.to_owned(),
        old: old.to_owned(),
        new: format!("# Moved.\n{old}"),
    };
    let literal = replace(BASE_PP, "'none'", "'some'");
    let thing = moved(THING_PP, "  file {");
    let one = |name, edit: &Edit| row_of(name, std::slice::from_ref(edit), "");
    vec![
        row_of("lines of the site's manifest, which is read anew", &[moved(SITE_PP, "node")], ALL),
        one("lines of a class with a parent", &moved("modules/over/manifests/init.pp", "class")),
        one("lines of a defined type", &thing),
        row_of(
            "lines here, and of a manifest that some are told as a text",
            &[moved(LATE_PP, "class"), moved(NOTES_PP, "class")],
            "",
        ),
        row_of("lines here, a literal there", &[moved(LATE_PP, "class"), thing.clone(), literal], ""),
        row_of(
            "lines here, a resource more there",
            &[
                thing,
                moved("modules/base/manifests/tools.pp", "class"),
                Edit::Replace {
                    path: BASE_PP.to_owned(),
                    old: "  include base::tools\n".to_owned(),
                    new: "  notify { 'x': }\n  include base::tools\n".to_owned(),
                },
            ],
            "twice",
        ),
        replaces("a line that is two", LATE_PP, "{ 'late'", "{\n    'late'", ""),
    ]
}

pub(crate) fn trials() -> Vec<Trial> {
    let one = |row: Row| Trial::test(format!("patched: {}", row.name), move || holds(&row));
    let rows = [resources(), others(), own(), files(), moved()];
    let mut trials: Vec<Trial> = rows.into_iter().flatten().map(one).collect();
    trials.push(Trial::test("patched: one edit after the other", one_after_the_other));
    trials.push(Trial::test("patched: edits at random", at_random));
    trials.extend(apart::trials());
    trials.extend(bindings::trials());
    trials.extend(class_parameters::trials());
    trials.extend(files::trials());
    trials.extend(data::trials());
    trials.extend(mistakes::trials());
    trials.extend(tags::trials());
    trials.extend(sought::trials());
    trials.extend(reasons::trials());
    trials.extend(chapter::trials());
    trials
}

fn holds(row: &Row) -> Result<(), Failed> {
    holds_of(repository(), row)
}

fn holds_of(before: State, row: &Row) -> Result<(), Failed> {
    let mut after = before.clone();
    row.edits.iter().for_each(|edit| after.edit(edit));
    assert!(after != before, "nothing to do");
    let mut watched = Watched::new(&before)?;
    let then = watched.become_state(&after)?;
    let doubts = second_ones_compiled(&then);
    if doubts != row.doubts {
        return Err(format!("expected {:?} to be compiled as well, and it was {doubts:?}", row.doubts).into());
    }
    watched.become_state(&before).map(drop)
}

/// What is patched can be patched again.
fn one_after_the_other() -> Result<(), Failed> {
    let mut state = repository();
    let mut watched = Watched::new(&state)?;
    let edits = [
        ("'none'", "'some'", ""),
        ("include base::late", "notify { 'x': }\n  include base::late", "twice"),
        ("# What", "#\n# What", ""),
        ("'some'", "'more'", ""),
        ("base::late\n", "base::late\n  notify { 'y': }\n", "twice"),
        ("notify { 'x': }", "notify { 'x': message => 'now' }", ""),
        ("notify { 'y': }\n", "", ""),
        ("$own =", "notify { 'first': }\n  $own =", "twice"),
        ("notify { 'x': message => 'now' }\n", "notify { 'w': }\n", "twice"),
    ];
    for (old, new, doubts) in edits {
        state.edit(&Edit::Replace { path: BASE_PP.to_owned(), old: old.to_owned(), new: new.to_owned() });
        let compiled = second_ones_compiled(&watched.become_state(&state)?);
        if compiled != doubts {
            return Err(format!(
                "{old:?} to {new:?}: expected {doubts:?} to be compiled as well, and it was {compiled:?}"
            )
            .into());
        }
    }
    Ok(())
}

/// What is put into bodies at random; `{}` is a number.
const STATEMENTS: [&str; 22] = [
    "notify { 'r{}': }",
    "notify { 'r{}': message => \"${title} {}\" }",
    "file { '/r/{}': mode => '06{}0' }",
    "file { ['/r/{}', '/q/{}']: owner => 'o{}' }",
    "File { owner => 'd{}' }",
    "Notify { message => 'd{}' }",
    "File['/etc/motd'] { group => 'g{}' }",
    "$v{} = {}",
    "notify { \"v ${v{}}\": }",
    "notice('said {}')",
    "include base::late",
    "include base::own",
    "if $facts['kind'] == 'b' { notify { 'b{}': } }",
    "if $facts['host'] =~ /{}/ { notify { 'h{}': } }",
    "notify { \"own ${facts['host']} {}\": }",
    "File <| title == '/r/{}' |> { group => 'c{}' }",
    "@notify { 'r{}': }",
    "realize(Notify['r{}'])",
    "File['/r/{}'] -> Notify['r{}']",
    "notify { 'n{}': require => File['/r/{}'] }",
    "package { 'p{}': ensure => '{}' }",
    "tag('t{}')",
];

/// Edits at random of the bodies of classes and defined types, one after the other.
fn at_random() -> Result<(), Failed> {
    let files = [BASE_PP, OWN_PP, "modules/base/manifests/tools.pp", THING_PP];
    live(&repository, &mut Numbers::new(77), |state, numbers| {
        let what = edit_body(state, numbers.pick(&files), numbers, &STATEMENTS);
        if numbers.below(3) == 0 {
            let moved = format!("\n{}", state.text(LATE_PP).unwrap_or_default());
            state.edit(&Edit::Write(LATE_PP.to_owned(), moved.into_bytes()));
        }
        what
    })
}

/// A statement more or less in the body of a class or a defined type, or other values in one, at random.
fn edit_body(state: &mut State, path: &str, numbers: &mut Numbers, statements: &[&str]) -> String {
    let mut lines: Vec<String> = state.text(path).unwrap_or_default().lines().map(str::to_owned).collect();
    let opened = lines.iter().position(|line| line.ends_with('{')).unwrap_or(0);
    let at = opened + 1 + numbers.below(lines.len() - opened - 1);
    match numbers.below(6) {
        0 if lines.len() - opened > 4 => drop(lines.remove(at.min(lines.len() - 2))),
        1 => lines.insert(at, String::new()),
        2 => lines[at] = lines[at].replace('1', "2").replace("'none'", "'some'").replace("'all'", "'many'"),
        _ => lines.insert(at, numbers.pick(statements).replace("{}", &numbers.below(4).to_string())),
    }
    let text = lines.join("\n") + "\n";
    state.edit(&Edit::Write(path.to_owned(), text.clone().into_bytes()));
    format!("{path}:\n{text}")
}

/// Several lives of a repository, edited again and again; what edits it says what it did.
fn live(
    repository: &dyn Fn() -> State,
    numbers: &mut Numbers,
    edit: impl Fn(&mut State, &mut Numbers) -> String,
) -> Result<(), Failed> {
    let (mut patched, mut asked) = (0, 0);
    for _ in 0..LIVES {
        let mut state = repository();
        let mut good = state.clone();
        let mut watched = Watched::new(&state)?;
        for _ in 0..STEPS {
            let what = edit(&mut state, numbers);
            let answers = watched.become_state(&state).map_err(|why| format!("{why:?}\n{what}"))?;
            asked += answers.len();
            patched += answers.iter().filter(|answer| answer.is_patched()).count();
            match answers.iter().any(|answer| answer.result.is_err()) {
                true => state = good.clone(),
                false => good = state.clone(),
            }
        }
    }
    println!("{patched} of {asked} patched");
    if patched * 4 < asked { Err(format!("{patched} of {asked} patched").into()) } else { Ok(()) }
}

const LIVES: usize = 8;
const STEPS: usize = 30;

/// An engine, and the folder that it looks at.
struct Watched {
    folder: Folder,
    engine: Warm,
    last: Vec<Arc<Answer>>,
}

impl Watched {
    fn new(state: &State) -> Result<Watched, Failed> {
        let folder = Folder::of(state);
        let engine = Warm::new("patched", OPTIONS, &folder.path()).in_parallel();
        let mut watched = Watched { folder, engine, last: Vec::new() };
        watched.become_state(state)?;
        Ok(watched)
    }

    /// Takes in an edit, and asks no node.
    fn hear_of(&mut self, state: &State) {
        self.folder.become_state(state);
        self.engine.look();
    }

    /// What is answered otherwise than before. `Err`: something that is told is not right.
    fn become_state(&mut self, state: &State) -> Result<Vec<Arc<Answer>>, Failed> {
        self.folder.become_state(state);
        // One after the other, so that the first of those that are alike is always the same.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let (answers, remarks) = alone.install(|| self.engine.answers()).map_err(|reason| reason.to_string())?;
        let right = ways::afresh(OPTIONS, &self.folder.path());
        let told = ways::told(&answers, &remarks);
        for ((node, told), (_, right)) in told.iter().zip(&right) {
            if told != right {
                let mut lines = told.lines().zip(right.lines()).filter(|(told, right)| told != right);
                return Err(format!("{node} is not told what is right: {:?}", lines.next()).into());
            }
        }
        let is_new = |answer: &&Arc<Answer>| !self.last.iter().any(|old| Arc::ptr_eq(old, answer));
        let new = answers.iter().filter(is_new).cloned().collect();
        self.last = answers;
        Ok(new)
    }
}

/// Of those that are like one that was compiled before them.
fn second_ones_compiled(answers: &[Arc<Answer>]) -> String {
    let second = answers.iter().filter(|answer| answer.node.ends_with('2') && !answer.is_patched());
    let names = second.map(|answer| match answer.node.as_str() {
        "plain-b2" => "b".to_owned(),
        node => node.trim_end_matches("-a2").to_owned(),
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    names.join(" ")
}
