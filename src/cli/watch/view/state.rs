//! The state of the view, and what keys do to it. Must not know a terminal: it is given the size, and returns rows.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pantin_repository::query::Answer;
use pantin_repository::watch::{CheckChanges, Round, Verdict};
use pantin_values::Str;
use rustc_hash::FxHashMap;

use super::items::{Item, catalog_items, error_item, mended_item, notes, round_items, run_item};
use crate::watch::applying::AppliedRun;
use crate::watch::text::{heading, verdict_line};

/// A key, as far as the view knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Key {
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Open,
    Close,
    Escape,
    Rubout,
    Letter(char),
    Interrupt,
}

/// What a key asks of whoever runs the view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KeyAction {
    Nothing,
    LookAgain,
    /// Apply everything to the machine.
    ApplyAll,
    Quit,
}

/// What is looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Page {
    Changes,
    Nodes,
    Catalog(Str),
}

/// A page that is open, and where one is in it.
#[derive(Debug)]
pub(super) struct OpenPage {
    pub(super) page: Page,
    pub(super) items: Vec<Item>,
    pub(super) cursor: usize,
    pub(super) top: usize,
    pub(super) filter: String,
}

/// One line of a page.
#[derive(Clone, Debug)]
pub(super) struct Row<'v> {
    pub(super) item: &'v Item,
    pub(super) part: Part<'v>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part<'v> {
    Heading,
    Detail(&'v str),
    Node(&'v Str),
}

#[derive(Debug)]
pub(super) struct View {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) heading: String,
    /// What is said for once.
    pub(super) message: String,
    pub(super) is_typing: bool,
    /// There was an edit.
    pub(super) is_edited: bool,
    /// Catalogs are applied to the machine.
    pub(super) applies: bool,
    /// Somebody has asked for it.
    is_looking: bool,
    answers: Vec<Arc<Answer>>,
    /// The last is shown.
    stack: Vec<OpenPage>,
}

/// Lines that are not of the page: heading, title, keys.
pub(super) const AROUND: usize = 3;

impl OpenPage {
    fn new(page: Page, items: Vec<Item>) -> OpenPage {
        OpenPage { page, items, cursor: 0, top: 0, filter: String::new() }
    }

    /// Returns its lines, as far as they pass the filter.
    pub(super) fn rows(&self) -> Vec<Row<'_>> {
        let wanted = self.filter.to_lowercase();
        let mut rows = Vec::new();
        for item in self.items.iter().filter(|item| item.has(&wanted)) {
            rows.push(Row { item, part: Part::Heading });
            if item.is_open {
                rows.extend(item.details.iter().map(|detail| Row { item, part: Part::Detail(detail) }));
                rows.extend(item.nodes.iter().map(|node| Row { item, part: Part::Node(node) }));
            }
        }
        rows
    }

    /// Returns the item that stands at the cursor, by its place among all.
    fn at_cursor(&self) -> Option<usize> {
        let item = self.rows().get(self.cursor)?.item;
        self.items.iter().position(|known| std::ptr::eq(known, item))
    }

    /// Has the cursor at the heading of an item.
    fn go_to(&mut self, at: usize) {
        let heading = self.rows().iter().position(|row| std::ptr::eq(row.item, &self.items[at]));
        self.cursor = heading.unwrap_or(0);
    }

    /// Has the cursor in the page, and in sight, and no room left below that there are lines for above.
    fn fit(&mut self, room: usize) {
        let (rows, room) = (self.rows().len(), room.max(1));
        self.cursor = self.cursor.min(rows.saturating_sub(1));
        self.top = self.top.min(self.cursor).max((self.cursor + 1).saturating_sub(room)).min(rows.saturating_sub(room));
    }
}

impl View {
    pub(super) fn new(width: usize, height: usize) -> View {
        let stack = vec![OpenPage::new(Page::Changes, Vec::new())];
        let heading = "compiling all nodes".to_owned();
        View {
            width,
            height,
            heading,
            message: String::new(),
            is_typing: false,
            is_edited: false,
            applies: false,
            is_looking: false,
            answers: Vec::new(),
            stack,
        }
    }

    pub(super) fn open(&self) -> &OpenPage {
        // There is always one.
        &self.stack[self.stack.len() - 1]
    }

    fn open_mut(&mut self) -> &mut OpenPage {
        let last = self.stack.len() - 1;
        &mut self.stack[last]
    }

    pub(super) fn room(&self) -> usize {
        self.height.saturating_sub(AROUND)
    }

    pub(super) fn nodes(&self) -> usize {
        self.answers.len()
    }

    /// Returns the nodes that are looked at: that of the catalog which is shown, or those of what stands at the cursor.
    pub(super) fn visible_nodes(&self) -> Vec<Str> {
        let open = self.open();
        if let Page::Catalog(node) = &open.page {
            return vec![node.clone()];
        }
        match open.rows().get(open.cursor) {
            Some(Row { part: Part::Node(node), .. }) => vec![(*node).clone()],
            Some(row) => row.item.nodes.clone(),
            None => Vec::new(),
        }
    }

    // ---- what is told ----

    pub(super) fn first(&mut self, answers: &[Arc<Answer>], took: Duration, here: &Path) {
        let verdict = Verdict::from_answers(answers);
        self.heading = verdict_line(&verdict, took);
        self.answers = answers.to_vec();
        let notes = std::mem::take(&mut self.stack[0].items);
        self.stack[0].items = verdict.groups.iter().map(|group| error_item(group, here)).chain(notes).collect();
        self.refresh();
    }

    /// Shows what an edit changes on the visible nodes, when the others are still to be compiled.
    pub(super) fn early(&mut self, round: &Round, answers: &[Arc<Answer>], here: &Path) {
        let now: FxHashMap<&Str, &Arc<Answer>> = answers.iter().map(|answer| (&answer.node, answer)).collect();
        for known in &mut self.answers {
            if let Some(answer) = now.get(&known.node) {
                *known = Arc::clone(answer);
            }
        }
        self.show_changes(round, here);
        self.message = "the other nodes are being asked".to_owned();
    }

    pub(super) fn round(&mut self, round: &Round, answers: &[Arc<Answer>], here: &Path) {
        self.is_looking = false;
        self.answers = answers.to_vec();
        self.show_changes(round, here);
        self.message = if round.is_quiet() { "no catalog changed".to_owned() } else { String::new() };
    }

    /// Shows what an edit changed in graphs with its other changes: what is wrong first.
    pub(super) fn graph(&mut self, changes: &CheckChanges, answers: &[Arc<Answer>], here: &Path) {
        self.answers = answers.to_vec();
        let page = &mut self.stack[0];
        let errors: Vec<Item> = changes.broken.iter().map(|group| error_item(group, here)).collect();
        let at_cursor = page.at_cursor().filter(|at| *at > 0);
        let count = errors.len();
        page.items.splice(..0, errors);
        page.items.extend(changes.mended.iter().map(mended_item));
        at_cursor.iter().for_each(|at| page.go_to(at + count));
        self.message.clear();
        self.refresh();
    }

    /// The changes of an edit take the place of those of the one before.
    fn show_changes(&mut self, round: &Round, here: &Path) {
        self.is_edited = true;
        self.heading = heading(round, here);
        self.stack[0] = OpenPage {
            filter: std::mem::take(&mut self.stack[0].filter),
            ..OpenPage::new(Page::Changes, round_items(round, here))
        };
        self.refresh();
    }

    /// Replaces the answers by those with other lines.
    pub(super) fn set_answers(&mut self, answers: &[Arc<Answer>]) {
        self.answers = answers.to_vec();
        self.refresh();
    }

    /// Shows that nothing was edited.
    pub(super) fn unchanged(&mut self) {
        if self.is_looking {
            self.is_looking = false;
            self.message = "nothing has changed since".to_owned();
        }
    }

    /// Shows the result of a run on the machine first, in the place of an earlier one.
    pub(super) fn applied(&mut self, run: &AppliedRun) {
        let (page, item) = (&mut self.stack[0], run_item(run));
        let (is_there, at_cursor) = (page.items.first().is_some_and(Item::is_run), page.at_cursor());
        self.message = item.title.clone();
        match is_there {
            true => page.items[0] = item,
            false => page.items.insert(0, item),
        }
        at_cursor.iter().for_each(|at| page.go_to(at + usize::from(!is_there)));
        self.refresh();
    }

    pub(super) fn note(&mut self, text: &str) {
        self.stack[0].items.extend(notes(text));
        self.message = text.lines().next().unwrap_or_default().to_owned();
    }

    pub(super) fn resize(&mut self, width: usize, height: usize) {
        (self.width, self.height) = (width, height);
        self.fit();
    }

    /// What is shown of nodes is what they are answered now.
    fn refresh(&mut self) {
        for open in &mut self.stack {
            let mut items = match &open.page {
                Page::Changes => continue,
                Page::Nodes => Item::node_items(&self.answers),
                Page::Catalog(name) => {
                    let answer = self.answers.iter().find(|answer| answer.node == *name);
                    answer.map(|answer| catalog_items(answer)).unwrap_or_default()
                }
            };
            // What was opened stays so.
            let opened: BTreeSet<&str> =
                open.items.iter().filter(|item| item.is_open).map(|item| item.title.as_str()).collect();
            items.iter_mut().for_each(|item| item.is_open |= opened.contains(item.title.as_str()));
            open.items = items;
        }
        self.fit();
    }

    pub(super) fn fit(&mut self) {
        let room = self.room();
        self.open_mut().fit(room);
    }

    // ---- what keys do ----

    pub(super) fn press(&mut self, key: Key) -> KeyAction {
        if key == Key::Interrupt {
            return KeyAction::Quit;
        }
        self.message.clear();
        let wish = if self.is_typing { self.handle_text_key(key) } else { self.handle_key(key) };
        self.fit();
        wish
    }

    /// A key while a filter is typed.
    fn handle_text_key(&mut self, key: Key) -> KeyAction {
        match key {
            Key::Letter(letter) => self.open_mut().filter.push(letter),
            Key::Rubout => drop(self.open_mut().filter.pop()),
            Key::Open => self.is_typing = false,
            Key::Escape => {
                self.open_mut().filter.clear();
                self.is_typing = false;
            }
            _ => return self.handle_key(key),
        }
        KeyAction::Nothing
    }

    fn handle_key(&mut self, key: Key) -> KeyAction {
        let page = self.room().max(1);
        match key {
            Key::Up | Key::Letter('k') => self.move_by(|at| at.saturating_sub(1)),
            Key::Down | Key::Letter('j') => self.move_by(|at| at + 1),
            Key::PageUp => self.move_by(|at| at.saturating_sub(page)),
            Key::PageDown => self.move_by(|at| at + page),
            Key::First | Key::Letter('g') => self.move_by(|_| 0),
            Key::Last | Key::Letter('G') => self.move_by(|_| usize::MAX),
            Key::Open | Key::Letter(' ') => self.enter(),
            Key::Close => self.close(),
            Key::Letter('e') => self.expand_all(),
            Key::Letter('n') => self.show_nodes(),
            Key::Letter('c') => self.show_catalog(),
            Key::Letter('/') => self.is_typing = true,
            Key::Escape | Key::Rubout => self.back(),
            Key::Letter('r') => {
                self.is_looking = true;
                self.message = "looking at everything again".to_owned();
                return KeyAction::LookAgain;
            }
            Key::Letter('a') if self.applies => {
                self.message = "applying everything".to_owned();
                return KeyAction::ApplyAll;
            }
            Key::Letter('q') => return KeyAction::Quit,
            Key::Letter(_) | Key::Interrupt => {}
        }
        KeyAction::Nothing
    }

    fn move_by(&mut self, to: impl FnOnce(usize) -> usize) {
        let open = self.open_mut();
        open.cursor = to(open.cursor);
    }

    /// Expands what stands at the cursor, or shows the catalog of the node there.
    fn enter(&mut self) {
        let open = self.open();
        let node = match open.rows().get(open.cursor).map(|row| row.part) {
            Some(Part::Node(node)) => Some(node.clone()),
            _ => None,
        };
        if node.is_some() || open.page == Page::Nodes {
            return self.show_catalog();
        }
        let at = open.at_cursor();
        if let Some(item) = at.and_then(|at| self.open_mut().items.get_mut(at)) {
            item.is_open = !item.is_open;
        }
    }

    /// Shuts the item at the cursor, which is then at its heading.
    fn close(&mut self) {
        let open = self.open_mut();
        let Some(at) = open.at_cursor() else { return };
        open.items[at].is_open = false;
        open.go_to(at);
    }

    fn expand_all(&mut self) {
        let open = self.open_mut();
        let at = open.at_cursor();
        let is_any_shut = open.items.iter().any(|item| !item.is_open && item.can_open());
        open.items.iter_mut().for_each(|item| item.is_open = is_any_shut);
        at.into_iter().for_each(|at| open.go_to(at));
    }

    fn show_nodes(&mut self) {
        if self.open().page != Page::Nodes {
            self.stack.truncate(1);
            self.stack.push(OpenPage::new(Page::Nodes, Item::node_items(&self.answers)));
        }
    }

    /// Of the node at the cursor, or the first of those that the change there is of.
    fn show_catalog(&mut self) {
        let open = self.open();
        let rows = open.rows();
        let node = rows.get(open.cursor).and_then(|row| match row.part {
            Part::Node(node) => Some(node.clone()),
            _ => row.item.nodes.first().cloned(),
        });
        let answer = node.and_then(|node| self.answers.iter().find(|answer| answer.node == node));
        match answer {
            Some(answer) => {
                let open = OpenPage::new(Page::Catalog(answer.node.clone()), catalog_items(answer));
                self.stack.push(open);
            }
            None => self.message = "there is no node here".to_owned(),
        }
    }

    /// Drops the filter, or else the page.
    fn back(&mut self) {
        if !self.open().filter.is_empty() {
            self.open_mut().filter.clear();
        } else if self.stack.len() > 1 {
            self.stack.pop();
        }
    }
}
