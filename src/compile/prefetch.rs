//! Reading ahead: idle threads find, parse and check what loaded code names, before the node needs it.
//!
//! Nobody depends on what is read ahead. It lies where the node will look for it, and counts only if that happens: which
//! branch will be taken is not known here, so some is read for nothing, and what is wrong with that nobody hears.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use pantin_base::limits::STACK_BYTES;
use pantin_model::catalog::kinds::native;
use pantin_model::trace::{FunctionCaller, RubyFile};
use pantin_syntax::ast::{Ast, List, Node, NodeId};
use pantin_values::{Str, types};
use pantin_world::load::PluginKind;
use rustc_hash::FxHashSet;

use super::code::CodeFile;
use super::codebase::CodeBase;
use super::loader::Loader;

/// What is to be read.
#[derive(Default, Debug)]
pub(super) struct Prefetcher {
    todo: Mutex<PrefetchQueue>,
    more: Condvar,
}

#[derive(Default, Debug)]
struct PrefetchQueue {
    /// The last is the next: a node gets to what a file names before it goes on with the file that named that one.
    stack: Vec<PrefetchItem>,
    files: FxHashSet<usize>,
    names: FxHashSet<PrefetchName>,
    is_over: bool,
}

#[derive(Debug)]
enum PrefetchItem {
    File(Arc<CodeFile>),
    Name(PrefetchName),
    /// Which folders have any.
    Plugins(PluginKind),
}

/// Something that code names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum PrefetchName {
    Class(Str),
    /// A type of resources, or a defined type.
    Resource(Str),
    Type(Str),
    /// As the code of a module sees it.
    Function(Str, Str),
    Template(Str),
}

/// Threads that read, for as long as there is this.
#[derive(Debug)]
pub(super) struct Reading(Arc<Prefetcher>);

impl Reading {
    /// So many threads, that begin with these files. Where the system gives none, nothing is read ahead.
    pub(super) fn begin(base: &mut CodeBase, threads: usize, files: &[Arc<CodeFile>]) -> Reading {
        let ahead: Arc<Prefetcher> = Arc::default();
        base.ahead = Some(Arc::clone(&ahead));
        files.iter().rev().for_each(|file| ahead.push_loaded_file(file));
        // What nearly every node asks, but not at once.
        ahead.lock().stack.extend([PluginKind::Providers, PluginKind::Types].map(PrefetchItem::Plugins));
        for _ in 0..threads {
            let ahead = Arc::clone(&ahead);
            // What nobody waits for takes nobody's time.
            let base = CodeBase { clock: None, ..base.with_own_reads() };
            let thread = thread::Builder::new().name("ahead".to_owned()).stack_size(STACK_BYTES);
            // Nobody waits for it: it is of no use to anybody once the answer is there.
            drop(thread.spawn(move || ahead.read(&base)));
        }
        Reading(ahead)
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.lock().is_over = true;
        self.0.more.notify_all();
    }
}

impl Prefetcher {
    /// A file was loaded.
    pub(super) fn push_loaded_file(&self, file: &Arc<CodeFile>) {
        let mut todo = self.lock();
        if todo.files.insert(Arc::as_ptr(file).addr()) {
            todo.stack.push(PrefetchItem::File(Arc::clone(file)));
            self.more.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, PrefetchQueue> {
        self.todo.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what is to be read next, as soon as there is anything; `None`: it is over.
    fn next(&self) -> Option<PrefetchItem> {
        let mut todo = self.lock();
        while !todo.is_over {
            if let Some(next) = todo.stack.pop() {
                return Some(next);
            }
            todo = self.more.wait(todo).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn read(&self, base: &CodeBase) {
        let mut loader = Loader::new(base);
        while let Some(next) = self.next() {
            match next {
                PrefetchItem::File(file) => {
                    let names = names_in(&file.ast, base);
                    let mut todo = self.lock();
                    let new: Vec<PrefetchItem> = names
                        .into_iter()
                        .filter(|name| todo.names.insert(name.clone()))
                        .map(PrefetchItem::Name)
                        .collect();
                    todo.stack.extend(new.into_iter().rev());
                    drop(todo);
                    self.more.notify_all();
                }
                PrefetchItem::Name(named) => loader.read(&named),
                PrefetchItem::Plugins(kind) => drop(base.folders_with(kind)),
            }
        }
    }
}

impl Loader<'_> {
    /// What comes of it stays with the code of all; what is wrong will be told to who asks.
    fn read(&mut self, named: &PrefetchName) {
        let builtins = self.base.builtins;
        match named {
            PrefetchName::Class(name) => {
                drop(self.class(name).map(|found| found.and_then(|found| found.body(builtins))))
            }
            PrefetchName::Resource(name) => {
                if let Ok(None) = self.resource_type(name) {
                    drop(self.define(name).map(|found| found.and_then(|found| found.body(builtins))));
                }
            }
            PrefetchName::Type(name) => drop(self.type_named(name)),
            PrefetchName::Function(name, from) => self.prefetch_function(name, &FunctionCaller::from_module(from)),
            PrefetchName::Template(name) if name.ends_with(".epp") => drop(self.template(name)),
            PrefetchName::Template(name) => drop(self.base.ruby(RubyFile::Template, name)),
        }
    }
}

/// In the order of the text.
fn names_in(ast: &Ast, base: &CodeBase) -> Vec<PrefetchName> {
    let home: Str = ast.source().name().map_or("", |name| base.modules.module_of_file(name.as_ref())).into();
    let mut names = Vec::new();
    for id in ast.ids() {
        match ast.node(id) {
            Node::Resource { type_name, bodies, .. } => match word(ast, type_name) {
                Some("class") => names.extend(titles(ast, bodies).map(PrefetchName::Class)),
                Some(name) if native(name).is_none() => names.push(PrefetchName::Resource(name.into())),
                _ => {}
            },
            Node::Definition(definition) => {
                let parent = ast.definition(definition).parent;
                names.extend(parent.map(|parent| PrefetchName::Class(ast.text(parent).into())));
            }
            Node::TypeName(text) => {
                let name = ast.text(text);
                if types::built_in_type(name).is_none() && native(name).is_none() {
                    names.push(PrefetchName::Type(name.into()));
                }
            }
            Node::Call { functor, args, .. } => {
                let words = |args: List| ast.list(args).iter().filter_map(|arg| word(ast, *arg)).map(Str::from);
                match word(ast, functor) {
                    Some("include" | "contain" | "require") => names.extend(words(args).map(PrefetchName::Class)),
                    Some("template" | "epp") => names.extend(words(args).take(1).map(PrefetchName::Template)),
                    Some("create_resources" | "ensure_resource" | "ensure_resources") => {
                        names.extend(
                            words(args).take(1).filter(|name| native(name).is_none()).map(PrefetchName::Resource),
                        );
                    }
                    _ => {}
                }
                names.extend(word(ast, functor).and_then(|name| function(name, &home, base)));
            }
            Node::MethodCall { functor, .. } => {
                if let Node::NamedAccess { name, .. } = ast.node(functor) {
                    names.extend(word(ast, name).and_then(|name| function(name, &home, base)));
                }
            }
            _ => {}
        }
    }
    names
}

fn function(name: &str, home: &Str, base: &CodeBase) -> Option<PrefetchName> {
    base.builtins.get(name).is_none().then(|| PrefetchName::Function(name.into(), home.clone()))
}

fn titles(ast: &Ast, bodies: List) -> impl Iterator<Item = Str> {
    let titles = ast.list(bodies).iter().filter_map(|body| match ast.node(*body) {
        Node::ResourceBody { title, .. } => word(ast, title),
        _ => None,
    });
    titles.map(Str::from)
}

/// A text or a name that stands as it is.
fn word(ast: &Ast, id: NodeId) -> Option<&str> {
    match ast.node(id) {
        Node::Name(text) | Node::String(text) => Some(ast.text(text)),
        _ => None,
    }
}
