//! Static catalogs: what is said of files is what the real server says (`tests/oracle/static_catalog.rb`).
#![cfg(unix)]

use serde_json::{Value, json};

use crate::Folder;

fn environment() -> Folder {
    let folder = Folder::with(&[
        ("manifests/site.pp", include_str!("../data/static_catalog.pp")),
        ("environment.conf", ""),
        ("modules/m/files/a.txt", "text\n"),
        ("modules/m/files/dir/x", "x"),
        ("modules/m/files/dir/y/z", "z\n"),
        ("modules/m/files/dir/old.bak", ""),
        ("modules/m/files/other/x", "other"),
        ("modules/m/files/other/w", "w"),
    ]);
    let files = folder.path().join("modules/m/files");
    std::os::unix::fs::symlink("a.txt", files.join("link")).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(files.join("a.txt"), mode).unwrap();
    folder
}

/// Without what differs from run to run and from user to user.
fn steady(value: &Value, folder: &str) -> Value {
    match value {
        Value::Object(members) => {
            let member = |(name, inner): (&String, &Value)| {
                let is_id = ["owner", "group"].contains(&name.as_str()) && inner.is_u64();
                (name.clone(), if is_id { json!(0) } else { steady(inner, folder) })
            };
            Value::Object(members.iter().map(member).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| steady(item, folder)).collect()),
        Value::String(text) if text.starts_with("{ctime}2") => json!("{ctime}"),
        Value::String(text) => json!(text.replace(folder, "/scratch")),
        other => other.clone(),
    }
}

#[test]
fn files_of_modules_are_described_as_a_server_describes_them() {
    let folder = environment();
    let run = folder.run(&["compile", "n.example.org", "--code-id", "of today"]);
    let catalog: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    let real: Value = serde_json::from_str(include_str!("../data/static_catalog.json")).unwrap();
    for part in ["code_id", "metadata", "recursive_metadata"] {
        let ours = steady(&catalog[part], &folder.real_path());
        let (ours, theirs) = (format!("{ours:#}"), format!("{:#}", real[part]));
        assert_eq!(ours, theirs, "{}", similar::TextDiff::from_lines(&theirs, &ours).unified_diff());
    }
    let names: Vec<&String> = catalog.as_object().unwrap().keys().collect();
    assert!(names.ends_with(&[&"metadata".to_owned(), &"recursive_metadata".to_owned()]) || names.len() == 12);
    assert!(
        run.err.contains("Inlined resource metadata into static catalog for n.example.org in environment production")
    );
}

#[test]
fn an_environment_may_have_no_static_catalogs_and_a_file_may_be_missing() {
    let folder = environment();
    let arguments = ["compile", "n.example.org", "--code-id", "x", "--log-level", "err"];
    folder.write("environment.conf", "static_catalogs = false\n");
    let catalog: Value = serde_json::from_str(&folder.run(&arguments).out).unwrap();
    assert_eq!((&catalog["code_id"], &catalog["metadata"]), (&json!("x"), &Value::Null));
    folder.write("environment.conf", "");
    folder.write("manifests/site.pp", "file { '/x': source => ['puppet:///modules/m/gone', 'puppet:///modules/n/a'] }");
    let run = folder.run(&arguments);
    let error = "Error: Could not get metadata for [\"puppet:///modules/m/gone\", \"puppet:///modules/n/a\"]\n";
    assert_eq!((run.err.as_str(), run.code), (error, Some(1)));
}

#[test]
fn a_folder_may_have_as_many_files_as_its_resource_says() {
    let folder = environment();
    let compile = |max: &str| {
        let code = format!("file {{ '/x': source => 'puppet:///modules/m/dir', recurse => true, max_files => {max} }}");
        folder.write("manifests/site.pp", code);
        folder.run(&["compile", "n.example.org", "--os", "debian-12", "--code-id", "x", "--log-level", "warning"])
    };
    for enough in ["4", "0", "-1"] {
        assert_eq!((compile(enough).err.as_str(), compile(enough).code), ("", Some(0)));
    }
    let run = compile("2");
    let error = format!(
        "Error: The directory '{}/modules/m/files/dir' contains 4 entries, which exceeds the limit of 2 specified by the \
         max_files parameter for this resource. The limit may be increased, but be aware that large number of file \
         resources can result in excessive resource consumption and degraded performance. Consider using an alternate \
         method to manage large directory trees\n",
        folder.real_path()
    );
    assert_eq!((run.err, run.code), (error, Some(1)));
    for number in 0..1000 {
        folder.write(&format!("modules/m/files/dir/more{number}"), "");
    }
    let warning = "contains 1004 entries, which exceeds the default soft limit 1000 and may cause excessive resource \
                   consumption and degraded performance.";
    assert!(compile("0").err.starts_with("Warning: The directory '") && compile("0").err.contains(warning));
}
