//! What a run records for the next one: digests, owed refreshes, what was put out of step again.

use pantin_machine::{Ended, InMemory, NewFile, Output, System};

use super::testing::{run, settings};
use crate::settings::ApplySettings;
use crate::state::{Applied, Outcome, Row, TableAccess};

fn recording() -> ApplySettings {
    ApplySettings { state: Some("/var/state".into()), ..settings() }
}

/// A machine with a command that writes its second argument to the file that its first one names.
fn machine() -> InMemory {
    InMemory::new()
        .with_folder("/etc")
        .with_folder("/srv")
        .with_folder("/srv/source")
        .with_file("/srv/source/a", "a\n")
        .with_folder("/srv/source/deep")
        .with_file("/srv/source/deep/b", "b\n")
        .with_folder("/var")
        .with_program("/bin/write", |machine, command| {
            let word = |place: usize| command.arguments[place].to_string_lossy().into_owned();
            machine.replace(word(0).as_ref(), &NewFile::new(word(1).as_bytes(), 0o644)).unwrap();
            Output { ended: Ended::Code(0), text: Vec::new(), is_cut: false }
        })
}

fn apply(machine: &InMemory, resources: &[&str]) {
    run(machine, &recording(), &resources.join(","));
}

fn table(machine: &InMemory) -> Applied<'_> {
    let entry = format!("{}\n{}", recording().certname, recording().entry);
    Applied::open(machine, "/var/state".as_ref(), &entry, TableAccess::Write).unwrap().0
}

fn row(machine: &InMemory, reference: &str) -> Row {
    table(machine).row(reference).unwrap_or_else(|| panic!("no row of {reference}")).clone()
}

fn digest(machine: &InMemory, reference: &str, resources: &[&str]) -> String {
    apply(machine, resources);
    row(machine, reference).digest
}

#[test]
fn a_digest_names_what_is_desired_and_nothing_else() {
    let file = r#"{"type":"File","title":"/etc/x","parameters":{"content":"x","mode":"0644"}}"#;
    let daily = r#"{"type":"Schedule","title":"s","parameters":{"period":"daily"}}"#;
    let scheduled = r#"{"type":"File","title":"/etc/x","parameters":{"content":"x","mode":"0644","schedule":"s"}}"#;
    let of = |resources: &[&str]| digest(&machine(), "File[/etc/x]", resources);
    let plain = of(&[file]);
    for (resources, is_same) in [
        (vec![file], true),
        (vec![r#"{"type":"File","title":"/etc/x","parameters":{"content":"x","mode":"644"}}"#], true),
        (
            vec![
                r#"{"type":"File","title":"/etc/x","tags":["t"],"line":7,"parameters":{"content":"x","mode":"0644"}}"#,
            ],
            true,
        ),
        (
            vec![
                r#"{"type":"Notify","title":"n","parameters":{}}"#,
                r#"{"type":"File","title":"/etc/x","parameters":{"content":"x","mode":"0644","require":"Notify[n]"}}"#,
            ],
            true,
        ),
        (vec![r#"{"type":"File","title":"/etc/x","parameters":{"content":"y","mode":"0644"}}"#], false),
        (vec![r#"{"type":"File","title":"/etc/x","parameters":{"content":"x","mode":"0644","noop":false}}"#], false),
        (vec![daily, scheduled], false),
    ] {
        assert_eq!(of(&resources) == plain, is_same, "{resources:?}");
    }
    let weekly = r#"{"type":"Schedule","title":"s","parameters":{"period":"weekly"}}"#;
    assert_ne!(of(&[daily, scheduled]), of(&[weekly, scheduled]), "the schedule that it names");
}

#[test]
fn a_digest_knows_what_stands_at_the_source() {
    let one = r#"{"type":"File","title":"/etc/x","parameters":{"source":"/srv/source/a"}}"#;
    let tree = r#"{"type":"File","title":"/srv/tree","parameters":{"ensure":"directory","source":"/srv/source","recurse":true}}"#;
    for (reference, resource, source) in
        [("File[/etc/x]", one, "/srv/source/a"), ("File[/srv/tree]", tree, "/srv/source/deep/b")]
    {
        let machine = machine();
        apply(&machine, &[resource]);
        let first = digest(&machine, reference, &[resource]);
        assert_eq!(digest(&machine, reference, &[resource]), first);
        machine.replace(source.as_ref(), &NewFile::new(b"another\n", 0o644)).unwrap();
        apply(&machine, &[resource]);
        assert_ne!(digest(&machine, reference, &[resource]), first, "{reference}");
    }
}

#[test]
fn a_digest_knows_what_the_catalog_answered() {
    let fragment = |content: &str| {
        format!(
            r#"{{"type":"Concat_fragment","title":"f","parameters":{{"target":"/etc/joined","content":"{content}"}}}}"#
        )
    };
    let joined = r#"{"type":"Concat_file","title":"/etc/joined","parameters":{}}"#;
    let of = |content: &str| digest(&machine(), "Concat_file[/etc/joined]", &[joined, &fragment(content)]);
    assert_eq!(of("one"), of("one"));
    assert_ne!(of("one"), of("two"));

    let purged =
        r#"{"type":"File","title":"/srv/source","parameters":{"ensure":"directory","recurse":true,"purge":true}}"#;
    let inside = r#"{"type":"File","title":"/srv/source/a","parameters":{}}"#;
    let of = |resources: &[&str]| digest(&machine(), "File[/srv/source]", resources);
    assert_ne!(of(&[purged]), of(&[purged, inside]));
}

#[test]
fn what_a_later_change_puts_out_of_step_again_is_unknown() {
    let purged =
        r#"{"type":"File","title":"/srv/source","parameters":{"ensure":"directory","recurse":true,"purge":true}}"#;
    let file = r#"{"type":"File","title":"/etc/x","parameters":{"content":"x"}}"#;
    let other = r#"{"type":"File","title":"/etc/other","parameters":{"content":"x"}}"#;
    let makes = r#"{"type":"Exec","title":"makes","parameters":{"command":"/bin/write /srv/source/new new"}}"#;
    let breaks = r#"{"type":"Exec","title":"breaks","parameters":{"command":"/bin/write /etc/x broken"}}"#;
    let machine = machine();
    apply(&machine, &[purged, file, other, makes, breaks]);
    assert_eq!(row(&machine, "File[/srv/source]").outcome, Outcome::Unknown);
    assert_eq!(row(&machine, "File[/etc/x]").outcome, Outcome::Unknown);
    assert_eq!(row(&machine, "File[/etc/other]").outcome, Outcome::Changed);
    apply(&machine, &[purged, file, other]);
    assert_eq!(row(&machine, "File[/srv/source]").outcome, Outcome::InStep);
    assert_eq!(row(&machine, "File[/etc/x]").outcome, Outcome::Changed);
}

/// A file that tells a command, which waits for another one.
fn owing(content: &str, needed: &str, notify: &str) -> Vec<String> {
    vec![
        format!(r#"{{"type":"File","title":"/etc/conf","parameters":{{"content":"{content}"{notify}}}}}"#),
        format!(r#"{{"type":"Exec","title":"needed","parameters":{{"command":"{needed}"}}}}"#),
        r#"{"type":"Exec","title":"t","parameters":{"command":"/bin/echo t","refreshonly":true,"require":"Exec[needed]"}}"#
            .to_owned(),
    ]
}

fn owed(machine: &InMemory) -> Vec<(String, Vec<String>)> {
    table(machine).owed().map(|(target, sources)| (target.to_owned(), sources.to_vec())).collect()
}

const NOTIFY: &str = r#","notify":"Exec[t]""#;

fn apply_all(machine: &InMemory, resources: &[String]) {
    apply(machine, &resources.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn a_refresh_that_was_not_made_is_owed_until_it_is() {
    let machine = machine();
    let debt = [("Exec[t]".to_owned(), vec!["File[/etc/conf]".to_owned()])];
    apply_all(&machine, &owing("1", "/bin/false", NOTIFY));
    assert_eq!(owed(&machine), debt);
    apply_all(&machine, &owing("1", "/bin/false", NOTIFY));
    assert_eq!(owed(&machine), debt, "a run without a change");
    apply_all(&machine, &owing("1", "/bin/true", NOTIFY));
    assert_eq!(owed(&machine), debt, "the target is in step, and nobody told it anything");
    apply_all(&machine, &owing("2", "/bin/true", NOTIFY));
    assert!(machine.commands().contains(&"/bin/echo t".to_owned()));
    assert!(owed(&machine).is_empty());
}

#[test]
fn a_refresh_is_owed_no_longer_when_nobody_would_make_it() {
    let machine = machine();
    apply_all(&machine, &owing("1", "/bin/false", NOTIFY));
    assert_eq!(owed(&machine).len(), 1);
    apply_all(&machine, &owing("1", "/bin/false", ""));
    assert!(owed(&machine).is_empty(), "the edge is gone");
}
