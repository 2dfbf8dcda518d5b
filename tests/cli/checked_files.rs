//! `pantin validate`: templates in ERB, data, and files of settings.

use serde_json::Value;

use crate::{Folder, Run};

/// One of each kind of file, with something wrong in it, in the folder of an environment.
const WRONG: [(&str, &str); 12] = [
    ("environment.conf", "modulepath = site:modules\nmanifst = manifests\n"),
    (
        "hiera.yaml",
        "version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n  - name: node\n    path: nodes/%{trusted.certname}.yaml\n  - name: \
         rest\n    path: common.yaml\n",
    ),
    ("data/common.yaml", "a: 1\nb: 2\na: 3\n"),
    ("data/broken.yaml", "a: 1\n b: 2\n"),
    ("manifests/site.pp", "include a\n"),
    ("site/profile/templates/a.erb", "one\n<% if @x -%>\ntwo\nthree\n"),
    ("site/profile/templates/fine.erb", "<% if @x -%>\n<%= @x %>\n<% end -%>\n"),
    ("site/profile/templates/looks.yaml", "{{ not yaml\n"),
    ("site/profile/files/broken.json", "{"),
    ("site/profile/plans/update.pp", "plan profile::update() { run_task('a', 'b') }\n"),
    ("modules/m/metadata.json", "{\"name\": \"me-m\", \"version\": \"1.0\"}\n"),
    ("modules/m/tasks/init.json", "{\"description\": \"x\",}\n"),
];

fn findings(run: &Run) -> Vec<(String, String, String, Option<u64>)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let lines = run.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let files = lines.filter(|line| line["file"].is_string()).collect::<Vec<_>>();
    let of_file = |file: &Value| {
        let found = file["findings"].as_array().unwrap().clone();
        let name = text(&file["file"]);
        found
            .into_iter()
            .map(move |found| (name.clone(), text(&found["severity"]), text(&found["code"]), found["line"].as_u64()))
    };
    files.iter().flat_map(of_file).collect()
}

#[test]
fn every_kind_of_file_is_checked() {
    let folder = Folder::with(&WRONG);
    let run = folder.run(&["validate", "--format", "json", "."]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let found = findings(&run);
    let expected = [
        ("data/broken.yaml", "error", "YAML_SYNTAX", Some(2)),
        ("data/common.yaml", "warning", "DUPLICATE_KEY", Some(3)),
        ("environment.conf", "warning", "ENVIRONMENT_CONF", Some(2)),
        ("hiera.yaml", "warning", "LEVEL_WITHOUT_FILE", Some(5)),
        ("modules/m/metadata.json", "error", "METADATA", None),
        ("modules/m/tasks/init.json", "error", "JSON_SYNTAX", Some(1)),
        ("site/profile/templates/a.erb", "error", "ERB_SYNTAX", Some(2)),
    ];
    let mut told: Vec<_> = found.iter().map(|(file, of, code, line)| (&file[..], &of[..], &code[..], *line)).collect();
    told.dedup();
    let warnings_first = |file: &str| told.iter().filter(|found| found.0 == file).cloned().collect::<Vec<_>>();
    for expected in expected {
        assert!(warnings_first(expected.0).contains(&expected), "{expected:?}: {told:#?}");
    }
    let others: Vec<_> = told.iter().filter(|found| !expected.iter().any(|known| known.0 == found.0)).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn a_pipe_is_told_in_lines_without_an_environment() {
    let folder = Folder::with(&[
        ("t/a.erb", "one\n<% if @x -%>\n"),
        ("data/a.yaml", "a: 1\na: 2\n"),
        ("x.json", "{\"a\": [1,]}"),
    ]);
    let run = folder.run(&["validate", "--quiet", "."]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines[0],
        "Warning: the key 'a' stands on line 1 already; the value on line 2 counts (file: data/a.yaml, line: 2, column: 1)"
    );
    assert!(lines[1].starts_with("Error: syntax error, ") && lines[1].ends_with("(file: t/a.erb, line: 2, column: 1)"));
    assert!(lines[2].starts_with("Error: unexpected ']' (file: x.json, line: 1"), "{}", lines[2]);
    assert_eq!((lines.len(), run.code), (3, Some(1)));
}

#[test]
fn a_file_that_is_named_is_checked_wherever_it_stands() {
    let folder = Folder::with(&[("site/m/files/a.json", "{"), ("README.md", "")]);
    let run = folder.run(&["validate", "."]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(0)));
    let run = folder.run(&["validate", "site/m/files/a.json", "README.md"]);
    assert_eq!(run.code, Some(1), "{}", run.out);
    assert!(
        run.err.contains("Not checked, for validate checks manifests, templates and data: README.md"),
        "{}",
        run.err
    );
    let run = folder.run_with_input(&["validate", "--stdin-filename", "data/a.yaml", "-"], b"a: *b\n");
    assert!(run.out.contains("Unknown alias: b (file: data/a.yaml, line: 1"), "{}", run.out);
}

#[test]
fn a_plan_is_one_where_plans_stand() {
    let plan = "plan m::update() { run_task('a', 'b') }\n";
    let folder = Folder::with(&[
        (
            "m/metadata.json",
            "{\"name\": \"me-m\", \"version\": \"1.0.0\", \"author\": \"me\", \"license\": \"MIT\", \"source\": \"x\", \
                             \"dependencies\": []}",
        ),
        ("m/plans/update.pp", plan),
        ("m/manifests/plans/update.pp", "class m::plans::update { }\n"),
        ("bolt/bolt-project.yaml", "name: b\n"),
        ("bolt/plans/update.pp", "plan b::update() { }\n"),
    ]);
    let run = folder.run(&["validate", "."]);
    assert_eq!((run.out.as_str(), run.code), ("", Some(0)), "{}", run.err);
    folder.write("m/manifests/update.pp", plan);
    assert_eq!(folder.run(&["validate", "."]).code, Some(1));
}
