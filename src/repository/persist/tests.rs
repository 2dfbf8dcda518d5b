//! A stored answer is found again while its dependencies hold, and only by a process that may read it.

#![allow(clippy::disallowed_methods, reason = "tests of what is written to a real folder")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use pantin_base::Form;
use pantin_values::{Digest, Value};
use pantin_world::settings::Wish;
use pantin_world::{Disk, Entry, LeafKind, Leaves, ReadError, TrackedDisk};

use super::*;
use crate::node_dependency::NodeChange;

/// Files that a test edits, and variables.
#[derive(Clone, Default)]
struct Files(Arc<Mutex<Vec<(PathBuf, String)>>>);

impl Files {
    fn put(&self, path: &str, text: &str) {
        let mut files = self.0.lock().unwrap();
        files.retain(|(known, _)| known != Path::new(path));
        files.push((path.into(), text.to_owned()));
    }
}

impl Disk for Files {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.0.lock().unwrap().iter().find(|(known, _)| known == path).map(|(_, text)| text.clone().into_bytes()))
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.lock().unwrap().iter().any(|(known, _)| known.starts_with(path))
    }

    fn list(&self, _: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        Ok(None)
    }
}

const READERS: Readers =
    Readers { code: form_of, puppetfile: form_of, data: keys_of, bindings: keys_of, row_names: |_, _, _| Vec::new() };

/// `KEY VALUE`, line by line; keys are numbers.
fn keys_of(_: &Path, text: &[u8]) -> Option<Vec<(u128, Digest)>> {
    let entry =
        |line: &str| line.split_once(' ').and_then(|(key, value)| Some((key.parse().ok()?, Digest::from_text(value))));
    let mut keys = std::str::from_utf8(text).ok()?.lines().map(entry).collect::<Option<Vec<_>>>()?;
    keys.sort_unstable();
    Some(keys)
}

/// The words of a text are what it means.
fn form_of(text: &[u8]) -> Option<Form> {
    let text = std::str::from_utf8(text).ok()?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()).map(|(number, _)| number).collect();
    let meaning = Digest::from_text(&text.split_whitespace().collect::<String>());
    Some(Form { meaning: *meaning.bytes(), lines })
}

/// Processes that keep their answers in one folder.
struct Home {
    folder: tempfile::TempDir,
    files: Files,
    key: Option<&'static str>,
    /// The folder that answers are told from.
    root: &'static str,
}

/// Replies to every question beside the disk with these digests. An answer that says `holds` of its subject holds, whatever its file is.
struct FixedReplies(Vec<Digest>);

impl Asker for FixedReplies {
    fn reply_digests(&self, questions: &[String]) -> Vec<Digest> {
        assert!(questions.is_empty() || questions == ["it"]);
        self.0.clone()
    }

    fn node_holds(&self, node_reads: &[u8], is_other_file: bool) -> bool {
        !is_other_file || node_reads == b"holds"
    }

    fn node_changes(&self, node_reads: &[u8]) -> Option<Vec<NodeChange>> {
        (node_reads == b"holds").then(Vec::new)
    }
}

/// One of them.
struct Process {
    ledger: Ledger,
    disk: TrackedDisk,
}

impl Home {
    fn new() -> Home {
        Home { folder: tempfile::tempdir().unwrap(), files: Files::default(), key: None, root: "/house" }
    }

    fn process(&self) -> Process {
        let seal = self.key.map(|key| Seal::from_text(key).unwrap());
        let cache = Cache { seal, ..Cache::open(&self.files, self.folder.path(), Wish::default()) };
        let disk = TrackedDisk::new(Arc::new(Leaves::new(Arc::new(self.files.clone()))));
        let root = Root::new(Path::new(self.root), &[], "question");
        Process { ledger: Ledger::open(&cache, "question", Arc::clone(disk.leaves()), root, READERS), disk }
    }

    fn process_on(&self, file: &str) -> Option<(String, Vec<Option<u32>>)> {
        let found = self.process().ledger.find(file, &FixedReplies(Vec::new()))?;
        let lines = found.moved_lines.iter().flat_map(|moved| [1, 2, 3].map(|line| moved.lines.now(line)));
        Some((String::from_utf8(found.summary).unwrap(), lines.collect()))
    }

    fn holds(&self, text: &str) -> bool {
        fn any(folder: &Path, text: &[u8]) -> bool {
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| match path.is_dir() {
                true => any(&path, text),
                false => std::fs::read(path).unwrap().windows(text.len()).any(|part| part == text),
            })
        }
        any(self.folder.path(), text.as_bytes())
    }
}

impl Process {
    /// Works something out of a file, and keeps it.
    fn keep(&self, name: &str, file: &str, is_secret: bool) {
        self.keep_told(name, file, is_secret, Digest::atom(1));
    }

    fn keep_told(&self, name: &str, file: &str, is_secret: bool, told: Digest) {
        let disk = self.disk.with_own_reads();
        let text = String::from_utf8(disk.read(Path::new(file)).unwrap().unwrap_or_default()).unwrap();
        if text.starts_with("where") {
            disk.reveal(file);
        }
        let (dependencies, asked) = (vec![disk.dependencies()], vec!["it".to_owned()]);
        let told = vec![told];
        let summary = format!("sum of {text}").into_bytes();
        let content = format!("all of {text}");
        let is_movable = !text.contains("never");
        let keys = &[];
        self.ledger.keep(NewAnswer {
            name,
            dependencies: &dependencies,
            keys,
            questions: asked,
            reply_digests: told,
            node_reads: Vec::new(),
            is_movable,
            is_secret,
            summary,
            content: content.as_bytes(),
        });
    }

    fn found(&self, name: &str) -> Option<String> {
        self.found_told(name, Digest::atom(1))
    }

    fn found_told(&self, name: &str, told: Digest) -> Option<String> {
        let found = self.ledger.find(name, &FixedReplies(vec![told]))?;
        let content = self.ledger.content(&found).unwrap();
        Some(format!("{}; {}", String::from_utf8(found.summary).unwrap(), String::from_utf8(content).unwrap()))
    }
}

#[test]
fn an_answer_is_found_as_long_as_its_files_say_the_same() {
    let home = Home::new();
    home.files.put("/a", "one");
    let first = home.process();
    assert_eq!(first.found("x"), None);
    first.keep("x", "/a", false);
    first.keep("y", "/none", false);
    first.ledger.close();
    let known = |home: &Home| ["x", "y", "z"].map(|name| home.process().found(name));
    let of = |text: &str| Some(format!("sum of {text}; all of {text}"));
    assert_eq!(known(&home), [of("one"), of(""), None]);
    home.files.put("/a", "two");
    assert_eq!(known(&home), [None, of(""), None]);
    home.files.put("/none", "there now");
    assert_eq!(known(&home), [None, None, None]);
    home.files.put("/a", "one");
    assert_eq!(known(&home), [of("one"), None, None]);
}

#[test]
fn answers_of_several_states_stand_beside_each_other() {
    let home = Home::new();
    for state in 0..12 {
        home.files.put("/a", &format!("state {state}"));
        let process = home.process();
        process.keep("x", "/a", false);
        process.ledger.close();
    }
    let known: Vec<usize> = (0..12)
        .filter(|state| {
            home.files.put("/a", &format!("state {state}"));
            home.process().found("x").is_some()
        })
        .collect();
    assert_eq!(known, [4, 5, 6, 7, 8, 9, 10, 11]);
    // What is of use stays, though it is old.
    home.files.put("/a", "state 4");
    let process = home.process();
    assert!(process.found("x").is_some());
    process.ledger.close();
    home.files.put("/a", "another");
    let process = home.process();
    process.keep("x", "/a", false);
    process.ledger.close();
    for (state, is_known) in [(4, true), (5, false), (6, true)] {
        home.files.put("/a", &format!("state {state}"));
        assert_eq!(home.process().found("x").is_some(), is_known, "{state}");
    }
}

#[test]
fn two_processes_at_once_keep_what_both_have_found() {
    let home = Home::new();
    home.files.put("/a", "one");
    let (first, second) = (home.process(), home.process());
    first.keep("x", "/a", false);
    second.keep("y", "/a", false);
    first.ledger.close();
    second.ledger.close();
    let third = home.process();
    assert!(third.found("x").is_some() && third.found("y").is_some());
}

#[test]
fn what_was_said_beside_files_counts() {
    let home = Home::new();
    let (one, other) = (Digest::from_text("one"), Digest::from_text("other"));
    let process = home.process();
    process.keep_told("x", "/a", false, one);
    process.ledger.close();
    assert!(home.process().found_told("x", one).is_some());
    assert!(home.process().found_told("x", other).is_none());
}

#[test]
fn secrets_are_sealed_and_without_a_key_not_kept() {
    let mut home = Home::new();
    home.files.put("/a", "hunter2 hunter2 hunter2");
    let secret = Value::sensitive("swordfish".into()).digest();
    let process = home.process();
    process.keep("x", "/a", true);
    process.keep_told("y", "/a", false, secret);
    process.ledger.close();
    assert!(home.process().found("x").is_none() && home.process().found_told("y", secret).is_none());
    home.key = Some("a key of many letters, thirty-two or more");
    let process = home.process();
    process.keep("x", "/a", true);
    process.keep_told("y", "/none", false, secret);
    process.ledger.close();
    assert!(home.process().found("x").is_some() && home.process().found_told("y", secret).is_some());
    assert!(!home.holds("hunter2"));
    assert!(!home.holds(std::str::from_utf8(&secret.bytes()[2..8]).unwrap_or("\u{1}never")));
    home.key = Some("another key of many letters, thirty-two or more");
    assert!(home.process().found("x").is_none() && home.process().found_told("y", secret).is_none());
    assert!(Seal::from_text("too short").is_err());
}

#[test]
fn a_key_of_a_file_is_made_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("data/cache.key");
    let disk = pantin_world::MachineDisk::default();
    let first = Seal::from_file(&disk, &file).unwrap();
    let sealed = first.seal(b"text", b"name").unwrap();
    let second = Seal::from_file(&disk, &file).unwrap();
    assert_eq!(second.open(&sealed, b"name").as_deref(), Some(&b"text"[..]));
    assert_eq!(second.open(&sealed, b"another"), None);
    assert_eq!(second.open(&sealed[1..], b"name"), None);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    std::fs::write(&file, "short").unwrap();
    assert!(Seal::from_file(&disk, &file).unwrap_err().contains("it has 5 bytes"));
}

#[test]
fn values_of_data_come_back_as_they_were() {
    let hash = Value::Hash([(Value::from("k"), Value::Float(f64::NAN))].into_iter().collect());
    let value = Value::array([1.into(), Value::Undef, Value::Default, Value::sensitive("s".into()), hash]);
    let plain = Plain::from_value(&value).unwrap();
    let read: Plain = decoded(&encoded(&plain).unwrap()).unwrap();
    assert_eq!(read.value().digest(), value.digest());
    let deep = (0..100).fold(Value::Undef, |inner, _| Value::array([inner]));
    assert_eq!(Plain::from_value(&deep), None);
    assert_eq!(decoded::<Plain>(&[0xff; 40]), None);
}

#[test]
fn an_answer_is_found_wherever_its_folder_lies() {
    let mut home = Home::new();
    for root in ["/house", "/another/one"] {
        home.files.put(&format!("{root}/plain"), "one");
        home.files.put(&format!("{root}/asking"), "where am I");
        home.files.put(&format!("{root}/saying"), "in /house, that is");
        home.files.put(&format!("{root}/stuck"), "never");
    }
    home.files.put("/houses", "outside");
    let process = home.process();
    for name in ["plain", "none", "asking", "saying", "stuck"] {
        process.keep(name, &format!("/house/{name}"), false);
    }
    process.keep("outside", "/houses", false);
    process.ledger.close();
    let found = |home: &Home| {
        let process = home.process();
        ["plain", "none", "asking", "saying", "stuck", "outside"].map(|name| process.found(name).is_some())
    };
    assert_eq!(found(&home), [true; 6]);
    home.root = "/another/one";
    assert_eq!(found(&home), [true, true, false, false, false, false]);
    let moved =
        |process: &Process| process.ledger.find("plain", &FixedReplies(vec![Digest::atom(1)])).unwrap().moved_from;
    assert_eq!(moved(&home.process()).as_deref(), Some("/house"));
    let why = home.process().ledger.why_not("asking", &FixedReplies(vec![Digest::atom(1)]));
    assert_eq!(why, Some(vec![ChangedDependency::Place("/house".to_owned())]));
    home.files.put("/another/one/plain", "two");
    home.files.put("/another/one/none", "there now");
    assert_eq!(found(&home), [false; 6]);
    home.root = "/house";
    assert_eq!(found(&home), [true; 6]);
    assert_eq!(moved(&home.process()), None);
    // What stands for too much stands for nothing.
    home.root = "/";
    assert_eq!(found(&home), [false; 6]);
}

#[test]
fn code_that_means_the_same_on_other_lines_is_as_it_was() {
    let home = Home::new();
    let put = |code: &str, text: &str| {
        home.files.put("/house/code", code);
        home.files.put("/house/text", text);
    };
    put("one\ntwo", "a\nb");
    let first = home.process();
    for (name, kind) in [("code", "/house/code"), ("text", "/house/text")] {
        let disk = first.disk.with_own_reads();
        let _ = if name == "code" { disk.text(LeafKind::Code, Path::new(kind)) } else { disk.content(Path::new(kind)) };
        let (dependencies, asked, told) = (vec![disk.dependencies()], Vec::new(), Vec::new());
        let keys = &[];
        let new = NewAnswer {
            name,
            dependencies: &dependencies,
            keys,
            questions: asked,
            reply_digests: told,
            node_reads: Vec::new(),
            is_movable: true,
            is_secret: false,
            summary: b"it".to_vec(),
            content: b"",
        };
        first.ledger.keep(new).unwrap();
    }
    first.ledger.close();
    let it = |lines: &[Option<u32>]| Some(("it".to_owned(), lines.to_vec()));
    assert_eq!((home.process_on("code"), home.process_on("text")), (it(&[]), it(&[])));
    put("\none\n\ntwo", "\na\nb");
    assert_eq!((home.process_on("code"), home.process_on("text")), (it(&[Some(2), Some(4), None]), None));
    put("one\nthree", "a\nb");
    assert_eq!((home.process_on("code"), home.process_on("text")), (None, it(&[])));
}

/// What is known of a subject stands in a file of its own: what of it was read decides, and is not asked again.
#[test]
fn an_answer_holds_when_nobody_read_what_is_new_of_its_subject() {
    let home = Home::new();
    home.files.put("/facts", "one");
    let first = home.process();
    for node_reads in ["holds", "fails"] {
        let disk = first.disk.with_own_reads();
        disk.read_node_facts(Path::new("/facts")).unwrap();
        let new = NewAnswer {
            name: node_reads,
            dependencies: &[disk.dependencies()],
            keys: &[],
            questions: Vec::new(),
            reply_digests: Vec::new(),
            node_reads: node_reads.as_bytes().to_vec(),
            is_movable: true,
            is_secret: false,
            summary: Vec::new(),
            content: b"",
        };
        first.ledger.keep(new).unwrap();
    }
    first.ledger.close();
    let found = |process: &Process| {
        ["holds", "fails"].map(|name| process.ledger.find(name, &FixedReplies(Vec::new())).is_some())
    };
    assert_eq!(found(&home.process()), [true, true]);
    home.files.put("/facts", "two");
    let second = home.process();
    assert_eq!(found(&second), [true, false]);
    let why = |name| home.process().ledger.why_not(name, &FixedReplies(Vec::new())).unwrap();
    assert!(why("holds").is_empty());
    assert!(matches!(&why("fails")[..], [ChangedDependency::Disk { kind: LeafKind::NodeFacts, .. }]));
    second.ledger.close();
    /// Denies that an answer holds whose file about the subject is another one.
    struct Doubting;
    impl Asker for Doubting {
        fn reply_digests(&self, _: &[String]) -> Vec<Digest> {
            Vec::new()
        }

        fn node_holds(&self, _: &[u8], is_other_file: bool) -> bool {
            !is_other_file
        }

        fn node_changes(&self, _: &[u8]) -> Option<Vec<NodeChange>> {
            None
        }
    }
    assert!(home.process().ledger.find("holds", &Doubting).is_some());
    home.files.put("/facts", "three");
    assert!(home.process().ledger.find("holds", &Doubting).is_none());
}

#[test]
fn an_answer_whose_lines_are_those_of_today_is_sooner_found() {
    let home = Home::new();
    let keep = |text: &str| {
        home.files.put("/house/code", text);
        let process = home.process();
        let disk = process.disk.with_own_reads();
        let _ = disk.text(LeafKind::Code, Path::new("/house/code"));
        let (dependencies, keys, asked, told) = (vec![disk.dependencies()], &[][..], Vec::new(), Vec::new());
        let (is_movable, is_secret, summary) = (true, false, text.as_bytes().to_vec());
        process
            .ledger
            .keep(NewAnswer {
                name: "x",
                dependencies: &dependencies,
                keys,
                questions: asked,
                reply_digests: told,
                node_reads: Vec::new(),
                is_movable,
                is_secret,
                summary,
                content: b"",
            })
            .unwrap();
        process.ledger.close();
    };
    ["one\ntwo", "\none\ntwo", "\n\none\ntwo"].into_iter().for_each(keep);
    let on = |text: &str| {
        home.files.put("/house/code", text);
        home.process_on("x").unwrap()
    };
    for text in ["one\ntwo", "\none\ntwo", "\n\none\ntwo", "one\ntwo"] {
        assert_eq!(on(text), (text.to_owned(), Vec::new()));
    }
    // Where there is none, it is the latest of the others.
    assert_eq!(on("one\n\ntwo"), ("\n\none\ntwo".to_owned(), vec![None, None, Some(1)]));
}

#[test]
fn of_data_the_keys_that_were_asked_for_count() {
    let mut home = Home { key: Some("a key of thirty-two letters or more"), ..Home::new() };
    home.files.put("/house/data", "1 one\n2 two\n");
    let keep = |home: &Home| {
        let process = home.process();
        for (name, keys) in [("some", &[1, 3][..]), ("none", &[]), ("other", &[2])] {
            let disk = process.disk.with_own_reads();
            let _ = disk.text(LeafKind::Data, Path::new("/house/data"));
            let (dependencies, asked, told) = (vec![disk.dependencies()], Vec::new(), Vec::new());
            let (is_movable, is_secret, summary) = (true, false, b"it".to_vec());
            let new = NewAnswer {
                name,
                dependencies: &dependencies,
                keys,
                questions: asked,
                reply_digests: told,
                node_reads: Vec::new(),
                is_movable,
                is_secret,
                summary,
                content: b"",
            };
            process.ledger.keep(new).unwrap();
        }
        process.ledger.close();
    };
    keep(&home);
    let found = |home: &Home| ["some", "none", "other"].map(|name| home.process_on(name).is_some());
    assert_eq!(found(&home), [true, true, true]);
    for (text, right) in [
        ("2 two\n1 one\n4 four\n", [true, true, true]),
        ("1 one\n2 three\n", [true, true, false]),
        ("2 two\n", [false, true, true]),
        ("1 one\n2 two\n3 three\n", [false, true, true]),
        ("one\n", [false, false, false]),
    ] {
        home.files.put("/house/data", text);
        assert_eq!(found(&home), right, "{text}");
    }
    // Without a key nothing is said of values.
    home.key = None;
    home.folder = tempfile::tempdir().unwrap();
    home.files.put("/house/data", "1 one\n");
    keep(&home);
    home.files.put("/house/data", "1 one\n2 two\n");
    assert_eq!(found(&home), [false, false, false]);
}
