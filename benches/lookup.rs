//! Look-ups: five levels of YAML in memory, asked by code in the site manifest.
//!
//!     cargo bench --bench lookup
//!
//! One catalog asks 500 keys of one kind, once all files are parsed; `nothing` is the same loop without a look-up.
//! Divide what is between the two by 500.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a bench knows its own data")]

use std::fmt::Write;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use pantin::base::Language;
use pantin::compile::NodeRequest;
use pantin::compile::catalog::{EnvironmentMemos, Site};
use pantin::eval::{Settings, builtins};
use pantin::values::{Hash, Timestamp, Value};
use pantin::world::environment::{Environment, Manifest};
use pantin::world::load::Modules;
use pantin::world::node::NodeData;
use pantin::world::{Disk, Entry, ReadError, list_folder};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const CONFIG: &str = "version: 5
hierarchy:
  - name: levels
    paths:
      - 'nodes/%{trusted.certname}.yaml'
      - 'roles/%{facts.role}.yaml'
      - 'os/%{facts.os.family}.yaml'
      - 'sites/%{facts.site}.yaml'
      - common.yaml
";

/// Files in memory.
#[derive(Debug)]
struct Files(Vec<(PathBuf, String)>);

impl Disk for Files {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.0.iter().find(|(known, _)| known == path).map(|(_, text)| text.clone().into_bytes()))
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.iter().any(|(known, _)| known.starts_with(path))
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        Ok(list_folder(self.0.iter().map(|(known, _)| known.as_path()), folder))
    }
}

/// A level with 500 keys of each kind that it has.
fn data(kinds: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (kind, value) in kinds {
        for number in 0..500 {
            writeln!(text, "{kind}{number}: {value}").unwrap();
        }
    }
    text
}

fn site(code: &str) -> (Site, NodeRequest) {
    let files = [
        ("hiera.yaml", CONFIG.to_owned()),
        ("data/nodes/n.example.org.yaml", data(&[("first", "here"), ("hash", "{a: {x: 1}, b: [1]}")])),
        ("data/roles/web.yaml", data(&[("other", "1"), ("hash", "{a: {y: 2}, b: [2]}")])),
        ("data/os/Debian.yaml", data(&[("other", "2"), ("hash", "{a: {z: 3}, c: text}")])),
        ("data/sites/north.yaml", data(&[("other", "3")])),
        (
            "data/common.yaml",
            data(&[("last", "here"), ("text", "\"of %{facts.os.family} in %{lookup('last1')}\""), ("hash", "{d: 1}")]),
        ),
    ];
    let files = files.into_iter().map(|(path, text)| (PathBuf::from(format!("/env/{path}")), text));
    let environment = Environment {
        name: "production".to_owned(),
        folder: Some("/env".into()),
        modulepath: vec!["/env/modules".into()],
        manifest: Manifest::Code(code.to_owned()),
        rich_data: true,
        settings: [(Value::from("hiera_config"), Value::from("/none/hiera.yaml"))].into_iter().collect(),
        ..Environment::default()
    };
    let settings = Settings::from_language(Language::Puppet8);
    let folder = environment.folder.as_deref();
    let disk = Arc::new(Files(files.collect()));
    let (modules, _) =
        Modules::list(disk, &environment.modulepath, folder, settings.strict, Language::Puppet8).expect("modules");
    let site = Site::load(&environment, modules, settings, false, builtins::all(), &EnvironmentMemos::default());
    let hash = |entries: &[(&str, Value)]| -> Hash {
        entries.iter().map(|(name, value)| (Value::from(*name), value.clone())).collect()
    };
    let os = Value::Hash(hash(&[("family", "Debian".into())]));
    let node = NodeData {
        name: "n.example.org".to_owned(),
        facts: hash(&[("os", os), ("role", "web".into()), ("site", "north".into())]),
        trusted: hash(&[("certname", "n.example.org".into())]),
        ..NodeData::default()
    };
    let request = NodeRequest {
        node: Arc::new(node),
        environment: Arc::new(environment),
        now: Timestamp::from_seconds(0),
        version: Value::Integer(1),
        collects_exported: false,
        answers: Arc::default(),
        exports: Arc::default(),
        seconds: pantin::base::limits::NODE_SECONDS,
    };
    (site, request)
}

fn lookups(criterion: &mut Criterion) {
    let cases = [
        ("nothing", "\"first${i}\""),
        ("first level", "lookup(\"first${i}\")"),
        ("fifth level", "lookup(\"last${i}\")"),
        ("interpolated, with a look-up in it", "lookup(\"text${i}\")"),
        ("merged deeply from four levels", "lookup(\"hash${i}\", Hash, deep)"),
        ("not there, with a default", "lookup(\"none${i}\", Integer, first, 1)"),
    ];
    let mut group = criterion.benchmark_group("500 look-ups");
    for (name, call) in cases {
        let (site, request) = site(&format!("Integer[0, 499].each |$i| {{ $x = {call} }}"));
        let compiled = site.compile(&request, None);
        assert!(compiled.result.is_ok(), "{:?}", compiled.result.err().map(|ended| ended.text));
        group.bench_function(name, |bencher| bencher.iter(|| black_box(site.compile(&request, None).result.is_ok())));
    }
    group.finish();
}

criterion_group!(benches, lookups);
criterion_main!(benches);
