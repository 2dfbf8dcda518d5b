//! A cache that is carried to a checkout in another folder: what was answered in the one is told in the other, and says
//! what would be compiled there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Folder, Run, finish};

/// A repository whose catalogs name files in all the ways they do, and nothing that asks where it lies.
const FILES: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = modules\n"),
    ("manifests/site.pp", "node /^bad/ { fail('no') }\nnode default { include web }\n"),
    (
        "modules/web/manifests/init.pp",
        "class web {\n  warning('odd')\n  file { '/w': content => epp('web/w.epp') }\n  file { '/b': content => \
         file('web/b') }\n  file { '/r': content => template('web/r.erb') }\n  @@notify { $trusted['certname']: message => \
         lookup('said') }\n}\n",
    ),
    ("modules/web/templates/w.epp", "of <%= $facts['role'] %>\n"),
    ("modules/web/templates/r.erb", "of <%= @facts['role'] %>\n"),
    ("modules/web/files/b", "b\n"),
    ("hiera.yaml", "version: 5\nhierarchy:\n- name: all\n  path: common.yaml\n  data_hash: yaml_data\n"),
    ("data/common.yaml", "said: hello\n"),
    ("facts/bad1.json", r#"{"role": "bad"}"#),
    ("facts/web1.json", r#"{"role": "web"}"#),
    ("facts/web2.json", r#"{"role": "more"}"#),
];

/// Checkouts in several folders, of names of different lengths, with one cache.
pub(crate) struct Checkouts {
    all: Folder,
    names: Vec<&'static str>,
}

impl Checkouts {
    pub(crate) fn with(files: &[(&str, &str)]) -> Checkouts {
        let mut checkouts = Checkouts { all: Folder::with(&[]), names: vec!["one", "two/deeper-and-longer"] };
        FILES.iter().chain(files).for_each(|(path, text)| checkouts.write(path, text));
        checkouts.names.dedup();
        checkouts
    }

    pub(crate) fn write(&mut self, path: &str, text: &str) {
        for name in &self.names {
            self.all.write(&format!("{name}/{path}"), text.replace("FIRST", &self.place("one")));
        }
    }

    /// A file of one of them alone.
    pub(crate) fn write_at(&mut self, at: usize, path: &str, text: &str) {
        self.all.write(&format!("{}/{path}", self.names[at]), text);
    }

    pub(crate) fn write_bytes(&mut self, path: &str, bytes: &[u8]) {
        self.names.iter().for_each(|name| self.all.write(&format!("{name}/{path}"), bytes));
    }

    /// What the folders of all of them lie in.
    pub(crate) fn folder(&self) -> String {
        self.all.real_path()
    }

    fn place(&self, name: &str) -> String {
        format!("{}/{name}", self.all.real_path())
    }

    fn run(&self, at: usize, arguments: &[&str]) -> Run {
        let mut command = self.all.command(arguments);
        finish(command.current_dir(self.place(self.names[at])).spawn().unwrap())
    }

    /// How many nodes were answered by an earlier run, and what was said and written.
    pub(crate) fn fleet(&self, at: usize, more: &[&str]) -> (u64, Value, BTreeMap<PathBuf, String>) {
        let out = TempDir::new().unwrap();
        let into = out.path().to_str().unwrap();
        let arguments = ["fleet", "--facts", "facts", "--format", "json", "-q", "--out", into];
        let run = self.run(at, &[&arguments, more].concat());
        let mut report: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}{}", run.out, run.err));
        let kept = report["summary"]["kept"].as_u64().unwrap();
        (kept, report["messages"].take(), written(out.path()))
    }

    /// How many nodes are answered in the second folder by what was answered in the first; it is what is right there.
    pub(crate) fn carried(&self) -> u64 {
        let (none, ..) = self.fleet(0, &[]);
        assert_eq!(none, 0);
        let (kept, messages, files) = self.fleet(1, &[]);
        let (_, right, right_files) = self.fleet(1, &["--no-cache"]);
        assert_eq!(messages, right);
        assert_eq!(files, right_files);
        kept
    }
}

fn written(folder: &Path) -> BTreeMap<PathBuf, String> {
    let of = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let text = match serde_json::from_str::<Value>(&text) {
            Ok(mut catalog) => {
                catalog["version"] = json!(0);
                catalog["catalog_uuid"] = json!(0);
                catalog.to_string()
            }
            Err(_) => text,
        };
        (path.file_name().unwrap().into(), text)
    };
    fs::read_dir(folder).unwrap().map(of).collect()
}

#[test]
fn a_fleet_is_answered_in_another_folder() {
    let checkouts = Checkouts::with(&[]);
    assert_eq!(checkouts.carried(), 3);
    let (_, messages, files) = checkouts.fleet(1, &[]);
    let (here, there) = (checkouts.place("two/deeper-and-longer"), checkouts.place("one"));
    let all = format!("{messages}{files:?}");
    assert!(all.contains(&format!("{here}/modules/web/manifests/init.pp")) && !all.contains(&format!("{there}/")));
    assert!(files[Path::new("bad1.log")].contains(&format!("(file: {here}/")), "{all}");
}

#[test]
fn a_catalog_is_answered_in_another_folder() {
    let checkouts = Checkouts::with(&[]);
    for format in ["json", "pretty", "tree", "summary"] {
        let run = |at: usize, more: &[&str]| {
            let arguments = ["compile", "web1", "--facts", "facts", "--format", format];
            let run = checkouts.run(at, &[&arguments[..], more].concat());
            let skip = |line: &&str| !line.contains("version") && !line.contains("uuid") && !line.contains("seconds");
            let without = |text: &str| match serde_json::from_str::<Value>(text) {
                Ok(mut catalog) => {
                    catalog["version"] = json!(0);
                    catalog["catalog_uuid"] = json!(0);
                    catalog.to_string()
                }
                Err(_) => text.to_owned(),
            };
            let err: Vec<String> = run.err.lines().filter(skip).map(str::to_owned).collect();
            (without(&run.out), err, run.code)
        };
        run(0, &[]);
        assert_eq!(run(1, &[]), run(1, &["--no-cache"]), "{format}");
    }
    // That it was not compiled is seen by its time: it is the one of then.
    let version = |run: &Run| serde_json::from_str::<Value>(&run.out).unwrap()["catalog_uuid"].clone();
    let arguments = ["compile", "web2", "--facts", "facts"];
    assert_eq!(version(&checkouts.run(0, &arguments)), version(&checkouts.run(1, &arguments)));
}

#[test]
fn an_edit_beside_the_move_is_seen() {
    let mut checkouts = Checkouts::with(&[]);
    checkouts.fleet(0, &[]);
    checkouts.names.remove(0);
    checkouts.write("facts/web2.json", r#"{"role": "other"}"#);
    assert_eq!(checkouts.fleet(0, &[]).0, 2);
    checkouts.write("data/common.yaml", "said: bye\n");
    let (kept, _, files) = checkouts.fleet(0, &[]);
    assert_eq!((kept, files == checkouts.fleet(0, &["--no-cache"]).2), (1, true));
}

#[test]
fn what_asks_where_it_lies_is_compiled_there() {
    let asking = [
        "notify { 'x': message => $settings::modulepath }",
        "notify { 'x': message => String(length(find_file('web/b'))) }",
        "notify { 'x': message => md5(module_directory('web')) }",
        "notify { 'x': message => String(length(lookup('where'))) }",
        "notify { 'x': message => inline_template(\"<%= scope['settings::modulepath'] %>\") }",
        "notify { 'x': message => template('web/own.erb') }",
        "notify { 'x': message => 'FIRST/modules/web/x' }",
        "notice('(file: FIRST/modules/web/x)')",
        "notify { 'x': message => {'file' => 'FIRST/x'} }",
    ];
    for code in asking {
        let code = format!("class web {{ {code} }}\n");
        let checkouts = Checkouts::with(&[
            ("modules/web/manifests/init.pp", &code),
            ("modules/web/templates/own.erb", "<%= file.length %>\n"),
            ("data/common.yaml", "where: '%{settings::modulepath}'\n"),
        ]);
        // One fails before it comes to this, but for the data.
        assert!(checkouts.carried() <= 1, "{code}");
    }
}

#[test]
fn what_lies_outside_is_not_carried() {
    let checkouts = Checkouts::with(&[("environment.conf", "modulepath = modules:../shared\n")]);
    checkouts.all.write("shared/web2/manifests/init.pp", "class web2 { notify { 'one': } }\n");
    checkouts.all.write("two/shared/web2/manifests/init.pp", "class web2 { notify { 'two': } }\n");
    assert_eq!(checkouts.carried(), 0);
    let linked = Checkouts::with(&[("manifests/site.pp", "node default { include linked }\n")]);
    for (name, said) in [("one", "first"), ("two/deeper-and-longer", "second")] {
        let text = format!("class linked {{ notify {{ '{said}': }} }}\n");
        linked.all.write(&format!("{name}/../linked/manifests/init.pp"), text);
        std::os::unix::fs::symlink("../../linked", linked.all.path().join(name).join("modules/linked")).unwrap();
    }
    assert_eq!(linked.carried(), 0);
}
