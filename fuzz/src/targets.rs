//! What each fuzz target does with its bytes, and what must hold whatever they are.
//!
//! Shared by cargo fuzz and by the test binary, which runs every target on its seeds and on
//! mutations of them. A target panics when an invariant is broken.
#![allow(dead_code)]

use std::sync::Arc;

use pantin::base::{Place, Source};
use pantin::syntax::ast::{Ast, NodeId};
use pantin::syntax::{self, Kind, Language, Location, MessageLimits, Settings};

/// The settings are drawn from the input's length, so that all of them are reached.
fn settings(data: &[u8]) -> Settings {
    let language = if data.len() % 2 == 0 { Language::Puppet8 } else { Language::Puppet7 };
    Settings { tasks: data.len() % 3 == 0, ..Settings::of(language) }
}

fn source(data: &[u8]) -> Option<Arc<Source>> {
    match Source::from_bytes(None, data.to_vec()) {
        Ok(source) => Some(Arc::new(source)),
        Err(_) => None,
    }
}

/// Every token lies within the source, at its place; lexing ends.
pub fn lexer(data: &[u8]) {
    let Some(source) = source(data) else { return };
    for kind in [Kind::Manifest, Kind::Template] {
        let tokens = syntax::tokens(&source, kind, settings(data));
        for token in &tokens.list {
            assert!(token.span.end() as usize <= source.text().len(), "{token:?} ends behind the source");
            assert_eq!(token.place, source.place(token.span.start), "{token:?}");
        }
        if let Some(error) = tokens.error {
            assert!(!error.message.is_empty());
        }
    }
}

/// A source is accepted or refused with words and a place; the tree is sound.
pub fn parser(data: &[u8]) {
    check(data, Kind::Manifest);
}

/// The same for a template.
pub fn epp(data: &[u8]) {
    check(data, Kind::Template);
}

fn check(data: &[u8], kind: Kind) {
    let Some(source) = source(data) else { return };
    let settings = settings(data);
    let parse = syntax::parse(Arc::clone(&source), kind, settings);
    match &parse.result {
        Ok(ast) => sound(ast),
        Err(error) => assert!(!error.message.is_empty() && error.span.is_some(), "{error:?}"),
    }
    let again = syntax::check(Arc::clone(&source), kind, &Location::Anywhere, settings, MessageLimits::default());
    if let Err(error) = &parse.result {
        assert_eq!(again.error.as_ref(), Some(error), "a second parse says something else");
    }
    for found in again.log.iter().chain(&again.error) {
        if let Some(span) = found.span {
            assert!(span.end() as usize <= source.text().len() + 1, "{found:?} points behind the source");
        }
        if let Place::At { line, column } = found.place {
            assert!(line >= 1 && column >= 1 && line <= source.lines().count(), "{found:?}");
        }
    }
}

/// Children stand before their parents, and every node but the root has at most one parent.
fn sound(ast: &Ast) {
    let mut parents = vec![0u8; ast.len()];
    for id in ast.ids() {
        ast.each_child(id, |child: NodeId| {
            assert!(child < id, "{child:?} stands behind its parent {id:?}");
            parents[child.index()] += 1;
        });
        let span = ast.span(id);
        assert!(span.end() as usize <= ast.source().text().len(), "{id:?} ends behind the source");
    }
    assert!(parents.iter().all(|&count| count <= 1), "a node has two parents");
    assert_eq!(parents[ast.root().index()], 0, "the root has a parent");
}
