//! How fast sources are lexed, parsed and validated, in one thread.
//!
//! `cargo bench --bench parse` measures the demo control repository, and the corpus of real
//! modules where `tests/oracle/setup` has unpacked it.
#![allow(clippy::disallowed_methods, reason = "a bench reads what it measures")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pantin::base::{Location, Source};
use pantin::syntax;
use pantin::syntax::{MessageLimits, Settings, SourceKind};

struct Corpus {
    name: &'static str,
    sources: Vec<(Arc<Source>, SourceKind)>,
}

impl Corpus {
    fn load(name: &'static str, folder: &str) -> Option<Corpus> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files = Vec::new();
        collect(&root, &mut files);
        files.sort();
        let sources: Vec<_> = files.iter().filter_map(|file| load(file)).collect();
        (!sources.is_empty()).then_some(Corpus { name, sources })
    }

    fn bytes(&self) -> u64 {
        self.sources.iter().map(|(source, _)| source.text().len() as u64).sum()
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "pp" || extension == "epp") {
            files.push(path);
        }
    }
}

fn load(file: &Path) -> Option<(Arc<Source>, SourceKind)> {
    let kind = if file.extension()? == "epp" { SourceKind::Template } else { SourceKind::Manifest };
    let source = Source::from_bytes(file.to_str(), std::fs::read(file).ok()?).ok()?;
    Some((Arc::new(source), kind))
}

fn parse(criterion: &mut Criterion) {
    let corpora = [Corpus::load("fixtures", "fixtures/control-repo"), Corpus::load("corpus", "target/oracle/corpus")];
    let settings = Settings::default();
    for corpus in corpora.into_iter().flatten() {
        let mut group = criterion.benchmark_group(corpus.name);
        group.throughput(Throughput::Bytes(corpus.bytes()));
        group.sample_size(30);
        group.bench_function("lex", |bencher| {
            bencher.iter(|| {
                for (source, kind) in &corpus.sources {
                    black_box(syntax::count_tokens(source, *kind, settings));
                }
            });
        });
        group.bench_function("parse", |bencher| {
            bencher.iter(|| {
                for (source, kind) in &corpus.sources {
                    black_box(syntax::parse(Arc::clone(source), *kind, settings));
                }
            });
        });
        group.bench_function("parse and validate", |bencher| {
            bencher.iter(|| {
                for (source, kind) in &corpus.sources {
                    let limits = MessageLimits::default();
                    black_box(syntax::check(Arc::clone(source), *kind, &Location::Anywhere, settings, limits));
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, parse);
criterion_main!(benches);
