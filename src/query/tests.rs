//! What an edit touches, and that nothing else is done: each state must come to what a fresh engine comes to.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::*;
use crate::catalog::Sent;
use crate::compile::NodeRequest;
use crate::pcore::{Str, Value};
use crate::syntax::Language;
use crate::world::environment::{Environment, Environments};
use crate::world::facts::Facts;
use crate::world::node::NodeData;
use crate::world::settings::Settings;
use crate::world::{Disk, Entry, ReadError, Remark, Server, TrackedDisk, list_of};

/// Files that a test edits.
#[derive(Clone, Default)]
struct Repository(Arc<Mutex<BTreeMap<PathBuf, String>>>);

impl Repository {
    fn with(files: &[(&str, &str)]) -> Repository {
        let repository = Repository::default();
        files.iter().for_each(|(path, text)| repository.put(path, text));
        repository
    }

    fn put(&self, path: &str, text: &str) {
        self.0.lock().unwrap().insert(Path::new("/").join(path), text.to_owned());
    }

    fn remove(&self, path: &str) {
        self.0.lock().unwrap().remove(&Path::new("/").join(path));
    }
}

impl Disk for Repository {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.0.lock().unwrap().get(path).map(|text| text.clone().into_bytes()))
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.lock().unwrap().keys().any(|known| known.starts_with(path))
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        Ok(list_of(self.0.lock().unwrap().keys().map(PathBuf::as_path), folder))
    }
}

/// One environment, `/env`, and a file of facts for each node in `/facts`.
struct Simple;

struct Open {
    disk: TrackedDisk,
    settings: Settings,
    facts: Facts,
}

impl Inventory for Simple {
    fn open(&self, disk: TrackedDisk) -> Result<Arc<dyn Opened>, String> {
        let facts = Facts::read(&disk, Path::new("/facts"))?;
        let mut settings = Settings::new(Language::Puppet8, Arc::new(disk.clone()));
        settings.set("hiera_config", "/none/hiera.yaml")?;
        Ok(Arc::new(Open { disk, settings, facts }))
    }
}

impl Open {
    fn environment(&self) -> Result<Arc<Environment>, String> {
        let found = Environments { settings: &self.settings }.in_folder("production", Path::new("/env"))?;
        Ok(found.environment)
    }
}

impl Opened for Open {
    fn disk(&self) -> &TrackedDisk {
        &self.disk
    }

    fn names(&self) -> Vec<Str> {
        self.facts.names()
    }

    fn remarks(&self) -> &[Remark] {
        &[]
    }

    fn node(&self, disk: &TrackedDisk, name: &str) -> Result<Prepared, String> {
        let known = self.facts.of(disk, name)?.ok_or("no facts")?;
        let node = NodeData::of(name, known, &Server::new(Language::Puppet8), "production");
        Ok(Prepared { node: Arc::new(node), environment: self.environment()?, remarks: Vec::new() })
    }

    fn ready(&self, disk: TrackedDisk, _: &str, shelf: &Shelf) -> Result<Ready, String> {
        Ready::new(&self.settings, disk, &self.environment()?, false, shelf)
    }

    fn request(&self, prepared: &Prepared, ready: &Ready) -> Result<NodeRequest, String> {
        Ok(ready.request(prepared))
    }
}

fn engine(repository: &Repository) -> Engine {
    Engine::new(Arc::new(repository.clone()), Arc::new(Simple))
}

fn answers(engine: &Engine) -> Vec<Arc<Answer>> {
    engine.answers(&engine.names().unwrap().0)
}

/// What a node is told, but for the version of its catalog.
fn said(answer: &Answer) -> String {
    let mut said: Vec<String> = answer.log.iter().map(|line| line.text.clone()).collect();
    said.push(match &answer.result {
        Ok(catalog) => {
            let mut catalog = (**catalog).clone();
            catalog.version = Value::Integer(1);
            serde_json::to_string(&Sent { catalog: &catalog, uuid: "" }).unwrap()
        }
        Err(failed) => failed.text().to_owned(),
    });
    said.join("\n")
}

/// An engine that watches a repository, and what it said last.
struct Watched {
    repository: Repository,
    engine: Engine,
    last: Vec<Arc<Answer>>,
}

/// What followed an edit.
#[derive(PartialEq, Eq, Debug)]
struct Followed {
    /// The nodes that were asked again.
    again: Vec<String>,
    /// `NODE: BODY` for each body of which code was run.
    run: Vec<String>,
}

impl Watched {
    fn new(files: &[(&str, &str)]) -> Watched {
        let repository = Repository::with(files);
        let engine = engine(&repository);
        let last = answers(&engine);
        Watched { repository, engine, last }
    }

    fn after(&mut self, edit: impl FnOnce(&Repository)) -> Followed {
        edit(&self.repository);
        self.engine.refresh(|_| true);
        let now = answers(&self.engine);
        let fresh = answers(&engine(&self.repository));
        let told = |answers: &[Arc<Answer>]| answers.iter().map(|answer| said(answer)).collect::<Vec<_>>();
        assert_eq!(told(&now), told(&fresh));
        let is_new = |answer: &&Arc<Answer>| !self.last.iter().any(|last| Arc::ptr_eq(last, answer));
        let again: Vec<&Arc<Answer>> = now.iter().filter(is_new).collect();
        let run =
            again.iter().flat_map(|answer| answer.bodies_run.iter().map(|body| format!("{}: {body}", answer.node)));
        let followed =
            Followed { run: run.collect(), again: again.iter().map(|answer| answer.node.to_string()).collect() };
        self.last = now;
        followed
    }

    fn text(&self, node: usize) -> String {
        said(&self.last[node])
    }
}

fn nothing() -> Followed {
    Followed { again: Vec::new(), run: Vec::new() }
}

fn followed(again: &[&str], run: &[&str]) -> Followed {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Followed { again: owned(again), run: owned(run) }
}

const REPOSITORY: [(&str, &str); 11] = [
    ("env/environment.conf", "modulepath = modules\n"),
    ("env/manifests/site.pp", "node default { include \"role_${facts['role']}\" }\n"),
    ("env/modules/role_web/manifests/init.pp", "class role_web { include ntp\n  include web }\n"),
    ("env/modules/role_db/manifests/init.pp", "class role_db { include ntp }\n"),
    ("env/modules/ntp/manifests/init.pp", "class ntp($server = 'a') { notify { \"ntp ${server}\": } }\n"),
    ("env/modules/web/manifests/init.pp", "class web { file { '/w': content => epp('web/w.epp') } }\n"),
    ("env/modules/web/templates/w.epp", "port <%= $facts['port'] %>\n"),
    ("env/hiera.yaml", "version: 5\nhierarchy:\n- name: n\n  paths: ['%{facts.clientcert}.yaml', common.yaml]\n"),
    ("env/data/common.yaml", "other: 1\n"),
    ("facts/db1.yaml", "role: db\nport: 1\n"),
    ("facts/web1.yaml", "role: web\nport: 80\n"),
];

#[test]
fn nothing_is_asked_again_where_nothing_changed() {
    let mut watched = Watched::new(&REPOSITORY);
    assert_eq!(watched.after(|_| ()), nothing());
    assert_eq!(watched.after(|repository| repository.put("env/README", "x")), nothing());
    assert_eq!(watched.after(|repository| repository.put("env/modules/web/files/x", "x")), nothing());
    assert_eq!(
        watched.after(|repository| repository.put("env/modules/ntp/manifests/unused.pp", "class ntp::unused {}")),
        nothing()
    );
}

#[test]
fn an_edited_class_is_run_where_it_is_and_once() {
    let mut watched = Watched::new(&REPOSITORY);
    let edit = |repository: &Repository| {
        repository.put("env/modules/web/manifests/init.pp", "class web { notify { 'w': } }\n")
    };
    assert_eq!(watched.after(edit), followed(&["web1"], &["web1: web"]));
    let edit = |repository: &Repository| {
        repository
            .put("env/modules/ntp/manifests/init.pp", "class ntp($server = 'a') { notify { \"time ${server}\": } }\n");
    };
    let after = watched.after(edit);
    assert_eq!(after.again, ["db1", "web1"]);
    assert_eq!(after.run.len(), 1, "{after:?}");
    assert!(watched.text(0).contains("time a") && watched.text(1).contains("time a"));
}

#[test]
fn a_comment_runs_nothing_and_lines_move() {
    let mut watched = Watched::new(&REPOSITORY);
    let before = watched.text(1);
    let edit = |repository: &Repository| {
        repository.put(
            "env/modules/web/manifests/init.pp",
            "# above\nclass web { file { '/w': content => epp('web/w.epp') } }\n",
        );
    };
    assert_eq!(watched.after(edit), followed(&["web1"], &[]));
    assert_ne!(watched.text(1), before);
}

#[test]
fn data_is_for_those_who_look_it_up() {
    let mut watched = Watched::new(&REPOSITORY);
    let edit = |repository: &Repository| repository.put("env/data/db1.yaml", "ntp::server: b\n");
    assert_eq!(watched.after(edit), followed(&["db1"], &["db1: ntp"]));
    assert!(watched.text(0).contains("ntp b") && watched.text(1).contains("ntp a"));
    let edit = |repository: &Repository| repository.put("env/data/common.yaml", "other: 2\n");
    assert_eq!(watched.after(edit), followed(&["db1", "web1"], &[]));
    let edit = |repository: &Repository| repository.remove("env/data/db1.yaml");
    assert_eq!(watched.after(edit), followed(&["db1"], &[]));
}

#[test]
fn facts_templates_and_names() {
    let mut watched = Watched::new(&REPOSITORY);
    let edit = |repository: &Repository| repository.put("facts/web1.yaml", "role: web\nport: 81\nuptime: 3\n");
    let after = watched.after(edit);
    assert_eq!(after.again, ["web1"]);
    assert!(watched.text(1).contains("port 81"));
    let edit = |repository: &Repository| repository.put("facts/db1.yaml", "role: db\nport: 2\n");
    assert_eq!(watched.after(edit), followed(&["db1"], &[]));
    let edit =
        |repository: &Repository| repository.put("env/modules/web/templates/w.epp", "listen <%= $facts['port'] %>\n");
    assert_eq!(watched.after(edit).again, ["web1"]);
    assert!(watched.text(1).contains("listen 81"));
    // Which nodes there are is known to all: they are asked again, and nothing is run.
    let edit = |repository: &Repository| repository.put("facts/db2.yaml", "role: db\n");
    assert_eq!(watched.after(edit), followed(&["db1", "db2", "web1"], &[]));
}

#[test]
fn an_error_made_and_mended() {
    let mut watched = Watched::new(&REPOSITORY);
    let good = REPOSITORY[5].1;
    let broken =
        |repository: &Repository| repository.put("env/modules/web/manifests/init.pp", "class web { file { '/w' \n");
    assert_eq!(watched.after(broken).again, ["web1"]);
    assert!(watched.text(1).contains("Syntax error"), "{}", watched.text(1));
    let mended = |repository: &Repository| repository.put("env/modules/web/manifests/init.pp", good);
    assert_eq!(watched.after(mended), followed(&["web1"], &[]));
    let broken = |repository: &Repository| repository.put("env/manifests/site.pp", "node {");
    assert_eq!(watched.after(broken).again, ["db1", "web1"]);
    let mended = |repository: &Repository| repository.put("env/manifests/site.pp", REPOSITORY[1].1);
    assert_eq!(watched.after(mended), followed(&["db1", "web1"], &[]));
}

#[test]
fn modules_and_settings_come_and_go() {
    let mut watched = Watched::new(&REPOSITORY);
    let edit = |repository: &Repository| repository.put("env/modules/new/manifests/init.pp", "class new {}\n");
    assert_eq!(watched.after(edit), followed(&["db1", "web1"], &[]));
    // A file that comes to stand before the one that was found.
    let edit = |repository: &Repository| {
        repository.put("env/site/web/manifests/init.pp", "class web { notify { 'site': } }\n");
        repository.put("env/environment.conf", "modulepath = site:modules\n");
    };
    assert_eq!(watched.after(edit).again, ["db1", "web1"]);
    assert!(watched.text(1).contains("site"));
    let edit = |repository: &Repository| repository.remove("env/modules/role_db/manifests/init.pp");
    watched.after(edit);
    assert!(watched.text(0).contains("Could not find class"), "{}", watched.text(0));
}

#[test]
fn the_time_is_never_the_same() {
    let mut watched = Watched::new(&REPOSITORY);
    let edit = |repository: &Repository| {
        repository.put(
            "env/modules/web/manifests/init.pp",
            "class web { if Timestamp() > Timestamp(0) { notify { 'now': } } }\n",
        );
    };
    assert_eq!(watched.after(edit), followed(&["web1"], &["web1: web"]));
    // Whatever is edited, the clock is asked again.
    let edit = |repository: &Repository| repository.put("facts/db1.yaml", "role: db\nport: 3\n");
    assert_eq!(watched.after(edit).again, ["db1", "web1"]);
}
