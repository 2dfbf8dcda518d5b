//! Catalogs that stand for what the types do: each with a machine before it.

use pantin_machine::{Ended, InMemory, NewFile, Output, System};

/// A catalog, and the machine that it is applied to.
pub(super) struct Case {
    pub name: &'static str,
    pub machine: fn() -> InMemory,
    /// The JSON of a catalog's list of resources.
    pub resources: &'static str,
    /// Contents that files have on the way.
    pub passing: &'static [&'static str],
    /// Resources that change something in each run.
    pub repeats: &'static [&'static str],
}

const fn case(name: &'static str, machine: fn() -> InMemory, resources: &'static str) -> Case {
    Case { name, machine, resources, passing: &[], repeats: &[] }
}

fn machine() -> InMemory {
    InMemory::new()
        .with_folder("/etc")
        .with_folder("/srv")
        .with_folder("/var")
        .with_folder("/proc")
        .with_user("web", 33)
}

fn machine_with_files() -> InMemory {
    machine()
        .with_file("/etc/old", "old content\n")
        .with_file("/etc/gone", "to be removed\n")
        .with_link("/etc/link", "old")
        .with_link("/etc/becomes-file", "old")
        .with_file("/etc/becomes-link", "a file\n")
        .with_folder("/srv/source")
        .with_file("/srv/source/a", "source a\n")
        .with_folder("/srv/source/deep")
        .with_file("/srv/source/deep/b", "source b\n")
        .with_folder("/srv/full")
        .with_file("/srv/full/one", "1\n")
        .with_folder("/srv/full/two")
        .with_file("/srv/full/two/three", "3\n")
        .with_folder("/srv/purged")
        .with_file("/srv/purged/stays", "stays\n")
        .with_file("/srv/purged/goes", "goes\n")
}

/// Returns a machine with a command that touches a file, and one that counts how often it ran.
fn machine_with_commands() -> InMemory {
    let said = || Output { ended: Ended::Code(0), text: Vec::new(), is_cut: false };
    machine()
        .with_program("/bin/touch", move |machine, command| {
            let path = command.arguments[0].to_string_lossy().into_owned();
            machine.replace(path.as_ref(), &NewFile::new(b"", 0o644)).unwrap();
            said()
        })
        .with_program("/bin/reload", move |_, _| said())
        .with_program("/bin/is-there", |machine, command| {
            let is_there = machine.text(&command.arguments[0].to_string_lossy()).is_some();
            Output { ended: Ended::Code(i32::from(!is_there)), text: Vec::new(), is_cut: false }
        })
}

pub(super) const CASES: &[Case] = &[
    case(
        "contents, modes and owners",
        machine_with_files,
        r#"{"type":"File","title":"/etc/new","parameters":{"content":"new\n","mode":"0640","owner":"web","group":"web"}},
           {"type":"File","title":"/etc/old","parameters":{"content":"newer content\n"}},
           {"type":"File","title":"/etc/empty","parameters":{"ensure":"file","mode":"0600"}},
           {"type":"File","title":"/etc/gone","parameters":{"ensure":"absent"}}"#,
    ),
    case(
        "links",
        machine_with_files,
        r#"{"type":"File","title":"/etc/link","parameters":{"ensure":"link","target":"/srv"}},
           {"type":"File","title":"/etc/fresh","parameters":{"ensure":"link","target":"old"}},
           {"type":"File","title":"/etc/becomes-file","parameters":{"content":"a file now\n"}},
           {"type":"File","title":"/etc/becomes-link","parameters":{"ensure":"link","target":"old"}}"#,
    ),
    case(
        "folders",
        machine_with_files,
        r#"{"type":"File","title":"/srv/a","parameters":{"ensure":"directory","mode":"0750","owner":"web"}},
           {"type":"File","title":"/srv/a/b","parameters":{"ensure":"directory"}},
           {"type":"File","title":"/srv/a/b/c","parameters":{"content":"deep\n"}},
           {"type":"File","title":"/srv/full","parameters":{"ensure":"absent","force":true,"recurse":true}}"#,
    ),
    case(
        "sources, recursion and purging",
        machine_with_files,
        r#"{"type":"File","title":"/etc/copy","parameters":{"source":"/srv/source/a"}},
           {"type":"File","title":"/srv/tree","parameters":{"ensure":"directory","source":"/srv/source","recurse":true}},
           {"type":"File","title":"/srv/purged","parameters":{"ensure":"directory","recurse":true,"purge":true}},
           {"type":"File","title":"/srv/purged/stays","parameters":{"content":"stays\n"}}"#,
    ),
    case(
        "backups",
        machine_with_files,
        r#"{"type":"File","title":"/etc/old","parameters":{"content":"newer content\n","backup":"puppet"}},
           {"type":"File","title":"/etc/gone","parameters":{"ensure":"absent","backup":".before"}},
           {"type":"File","title":"/srv/full","parameters":{"ensure":"absent","force":true,"backup":"puppet"}}"#,
    ),
    case(
        "commands and refreshes",
        machine_with_commands,
        r#"{"type":"File","title":"/etc/conf","parameters":{"content":"x\n","notify":"Exec[reload]"}},
               {"type":"Exec","title":"reload","parameters":{"command":"/bin/reload","refreshonly":true}},
               {"type":"Exec","title":"made","parameters":{"command":"/bin/touch /srv/made","creates":"/srv/made"}},
               {"type":"Exec","title":"asked","parameters":{"command":"/bin/touch /srv/asked","unless":"/bin/is-there /srv/asked"}},
               {"type":"File","title":"/srv/after","parameters":{"content":"after\n","require":"Exec[asked]"}}"#,
    ),
    case(
        "tidy",
        || machine_with_files().with_file("/srv/full/x.tmp", "t\n").with_file("/srv/full/two/y.tmp", "t\n"),
        r#"{"type":"Tidy","title":"/srv/full","parameters":{"recurse":true,"matches":"*.tmp","age":"0"}}"#,
    ),
    Case {
        passing: &["a=2\nb=2\n", "a=1\nb=2\nc=3\n"],
        ..case(
            "lines of files",
            || machine().with_file("/etc/lines", "a=1\nb=2\n"),
            r#"{"type":"File_line","title":"a","parameters":{"path":"/etc/lines","line":"a=2","match":"^a="}},
               {"type":"File_line","title":"c","parameters":{"path":"/etc/lines","line":"c=3"}}"#,
        )
    },
    case(
        "fragments",
        || machine().with_file("/etc/joined", "old\n"),
        r#"{"type":"Concat_file","title":"/etc/joined","parameters":{"tag":"j","mode":"0644"}},
               {"type":"Concat_fragment","title":"two","parameters":{"target":"/etc/joined","content":"two\n","order":"20","tag":"j"}},
               {"type":"Concat_fragment","title":"one","parameters":{"target":"/etc/joined","content":"one\n","order":"10","tag":"j"}}"#,
    ),
    Case {
        repeats: &["Notify[said]"],
        ..case(
            "what nobody sees on the disk",
            machine_with_files,
            r#"{"type":"Notify","title":"said","parameters":{}},
               {"type":"Schedule","title":"daily","parameters":{"period":"daily"}},
               {"type":"File","title":"/etc/old","parameters":{"mode":"0600","owner":"web","audit":["content"]}}"#,
        )
    },
];
