//! Catalogs read from JSON, and their relationship graphs built and ordered.
//!
//!     cargo bench --bench graph
//!
//! The catalog is made here, in the shape of the median node of a fleet of real modules: 629 resources in 30 classes.
//! `PANTIN_CATALOG=FILE` names a real one.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used, reason = "a bench reads files")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use pantin::model::catalog::Catalog;
use pantin::model::graph::Graph;
use serde_json::{Value, json};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn graph(criterion: &mut Criterion) {
    let text = match std::env::var_os("PANTIN_CATALOG") {
        Some(file) => std::fs::read_to_string(file).expect("a catalog"),
        None => made().to_string(),
    };
    let catalog = Catalog::read(&text).expect("a catalog");
    let mut group = criterion.benchmark_group("graph");
    group.bench_function("read", |bencher| bencher.iter(|| black_box(Catalog::read(&text).is_ok())));
    group.bench_function("build", |bencher| bencher.iter(|| black_box(Graph::from_catalog(&catalog).relation_count())));
    let built = Graph::from_catalog(&catalog);
    group.bench_function("cycles", |bencher| bencher.iter(|| black_box(built.cycles().len())));
    group.bench_function("order", |bencher| bencher.iter(|| black_box(built.order().len())));
    group.finish();
}

fn made() -> Value {
    let mut resources = vec![json!({ "type": "Stage", "title": "main", "kind": "compilable_type", "exported": false })];
    let mut edges = Vec::new();
    for class in 0..30 {
        let name = format!("Class[Profile::C{class}]");
        resources.push(json!({ "type": "Class", "title": format!("Profile::C{class}"), "kind": "unknown" }));
        edges.push(json!({ "source": "Stage[main]", "target": name }));
        for number in 0..20 {
            let file = format!("/etc/service{class}/conf.d/{number:02}-part.conf");
            let (kind, title, parameters) = match number {
                0 => ("Package", format!("service{class}"), json!({ "ensure": "installed", "tag": "base" })),
                1 => ("File", format!("/etc/service{class}"), json!({ "ensure": "directory", "owner": "root" })),
                2 => ("Service", format!("service{class}"), json!({ "ensure": "running", "enable": true })),
                3 => ("User", format!("service{class}"), json!({ "gid": "daemon", "groups": ["adm"] })),
                4 => ("Exec", format!("/usr/sbin/reload{class} --now"), json!({ "refreshonly": true })),
                _ => (
                    "File",
                    file,
                    json!({
                        "ensure": "file", "owner": format!("service{class}"), "content": "x".repeat(200),
                        "require": format!("Package[service{class}]"), "notify": [format!("Service[service{class}]")],
                    }),
                ),
            };
            edges.push(json!({ "source": name, "target": format!("{kind}[{title}]") }));
            resources.push(json!({
                "type": kind, "title": title, "kind": "compilable_type", "exported": false, "file": "/site.pp",
                "line": number + 1, "tags": ["profile", "base", "class"], "parameters": parameters,
            }));
        }
    }
    json!({ "name": "node", "version": 1, "environment": "e", "resources": resources, "edges": edges })
}

criterion_group!(benches, graph);
criterion_main!(benches);
