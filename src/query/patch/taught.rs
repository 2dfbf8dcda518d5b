//! A lesson applied: the catalog of a node as it would be if it were compiled.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::edit::Edit;
use super::last::Last;
use super::lesson::{Fate, Lesson, New, RELATIONSHIPS, Spot, edited_walks, is_edited, named, value};
use crate::catalog::{Catalog, Resource};
use crate::compile::BodyWalk;
use crate::pcore::Str;
use crate::query::Answer;
use crate::trace::Named;

/// A place that is not known any more.
const UNKNOWN: u32 = u32::MAX;

/// What is new at a place of a catalog: before the resource that stands there.
struct Insertion<'l> {
    at: u32,
    new: &'l New,
    /// The place of what contains it.
    container: u32,
}

impl Lesson {
    /// What a node of the lesson's group is answered now; `None` if there is any doubt.
    pub(super) fn teach(&self, last: &Last, edit: &Edit) -> Option<Last> {
        let resources = last.resources();
        let is_quiet = |(type_name, title): &Named| last.reach.is_quiet(type_name, title);
        let is_unread = |(class, name): &(Str, Str)| last.reach.is_unread(class, name);
        if !self.quiet.iter().all(is_quiet) || !self.unread.iter().all(is_unread) || !self.is_possible(resources) {
            return None;
        }
        let edited: Vec<u32> =
            (0..resources.len() as u32).filter(|at| is_edited(&resources[*at as usize], edit)).collect();
        if edited.len() != self.becomes.len() {
            return None;
        }
        let insertions = self.insertions(last, edit, &edited)?;
        if self.has_orphans(resources, &edited) {
            return None;
        }
        Some(self.taught(last, edit, &edited, &insertions))
    }

    /// Whether nothing that is added is there, and everything is that it needs.
    fn is_possible(&self, resources: &[Arc<Resource>]) -> bool {
        if self.added.is_empty() {
            return true;
        }
        let there: FxHashSet<(&str, &str)> =
            resources.iter().map(|resource| (resource.type_name.as_str(), resource.title.as_str())).collect();
        let is_new = |new: &New| !there.contains(&(new.resource.type_name.as_str(), new.resource.title.as_str()));
        let comes_too = |type_name: &str, title: &str| {
            self.added.iter().any(|new| new.resource.type_name == type_name && new.resource.title == title)
        };
        self.added.iter().all(is_new)
            && self.wanted.iter().all(|(type_name, title)| {
                there.contains(&(type_name.as_str(), title.as_str())) || comes_too(type_name, title)
            })
    }

    /// Where all that is added comes in, in order.
    fn insertions(&self, last: &Last, edit: &Edit, edited: &[u32]) -> Option<Vec<Insertion<'_>>> {
        if self.added.is_empty() {
            return Some(Vec::new());
        }
        let walks: Vec<&BodyWalk> = edited_walks(&last.walks, edit).collect();
        let mut insertions: Vec<Insertion<'_>> = Vec::with_capacity(self.added.len());
        for new in &self.added {
            let walk = walks.get(new.walk)?;
            let at = match new.spot {
                Spot::Behind(which) => *edited.get(which)? + 1,
                Spot::Mark(mark) => *walk.marks.get(mark)?,
            };
            let container = walk.resource;
            // What contains the container after its contents were told could tell it more than them.
            let around = last.catalog.edges.iter().filter(|(around, content)| {
                *content == container && last.resources()[*around as usize].type_name != "Stage"
            });
            let is_told_apart = insertions.iter().any(|known| known.at == at && known.new.walk != new.walk);
            if at as usize > last.resources().len() || around.count() > 1 || is_told_apart {
                return None;
            }
            insertions.push(Insertion { at, new, container });
        }
        insertions.sort_by_key(|insertion| insertion.at);
        Some(insertions)
    }

    /// Whether something that stays names what is gone.
    fn has_orphans(&self, resources: &[Arc<Resource>], edited: &[u32]) -> bool {
        let gone: FxHashSet<u32> = edited
            .iter()
            .zip(&self.becomes)
            .filter(|(_, fate)| matches!(fate, Fate::IsGone))
            .map(|(at, _)| *at)
            .collect();
        if gone.is_empty() {
            return false;
        }
        let types: FxHashSet<&str> = gone.iter().map(|at| resources[*at as usize].type_name.as_str()).collect();
        // By whatever name: that a resource of such a type is named at all is enough, unless it is another one's title.
        let titles: FxHashSet<(&str, &str)> = (0..resources.len() as u32)
            .filter(|at| !gone.contains(at))
            .map(|at| &resources[at as usize])
            .filter(|resource| types.contains(resource.type_name.as_str()))
            .map(|resource| (resource.type_name.as_str(), resource.title.as_str()))
            .collect();
        let is_orphan = |text: &str| {
            let Some((type_name, title)) = named(text) else { return true };
            types.contains(type_name.as_str()) && !titles.contains(&(type_name.as_str(), title.as_str()))
        };
        let stays = (0..resources.len() as u32).filter(|at| !gone.contains(at)).map(|at| &resources[at as usize]);
        let mut values = stays.flat_map(|resource| RELATIONSHIPS.iter().filter_map(|name| value(resource, name)));
        values.any(|value| value.clone().flattened().iter().any(|text| text.as_str().is_none_or(is_orphan)))
    }

    fn taught(&self, last: &Last, edit: &Edit, edited: &[u32], insertions: &[Insertion<'_>]) -> Last {
        let old = last.resources();
        let mut resources = Vec::with_capacity(old.len() + insertions.len());
        // Where each of the old resources stands now.
        let mut places: Vec<Option<u32>> = Vec::with_capacity(old.len());
        let mut new_places = Vec::with_capacity(insertions.len());
        let mut fates = edited.iter().zip(&self.becomes).peekable();
        let mut waiting = insertions.iter().peekable();
        for (at, resource) in old.iter().enumerate() {
            while let Some(insertion) = waiting.next_if(|insertion| insertion.at as usize <= at) {
                new_places.push(resources.len() as u32);
                resources.push(Arc::clone(&insertion.new.resource));
            }
            let fate = fates.next_if(|(edited, _)| **edited as usize == at).map(|(_, fate)| fate);
            places.push((!matches!(fate, Some(Fate::IsGone))).then_some(resources.len() as u32));
            match fate {
                Some(Fate::IsGone) => {}
                Some(Fate::Becomes(new)) => resources.push(Arc::clone(new)),
                Some(Fate::Stays) | None => resources.push(Arc::clone(resource)),
            }
        }
        for insertion in waiting {
            new_places.push(resources.len() as u32);
            resources.push(Arc::clone(&insertion.new.resource));
        }
        let place = |at: u32| places.get(at as usize).copied().flatten();
        let mut edges: Vec<(u32, u32)> =
            last.catalog.edges.iter().filter_map(|(from, to)| Some((place(*from)?, place(*to)?))).collect();
        for (insertion, at) in insertions.iter().zip(&new_places) {
            edges.extend(place(insertion.container).map(|container| (container, *at)));
        }
        edges.sort_by_key(|(_, content)| *content);
        let catalog = Arc::new(Catalog { resources, edges, ..without_contents(&last.catalog) });
        let answer = Arc::new(Answer {
            node: last.answer.node.clone(),
            remarks: last.answer.remarks.clone(),
            log: last.answer.log.clone(),
            result: Ok(Arc::clone(&catalog)),
            bodies_run: Vec::new(),
            is_patched: true,
            exchange: last.answer.exchange.clone(),
        });
        Last {
            answer,
            rests: match self.rests.is_empty() {
                true => Arc::clone(&last.rests),
                false => last.rests.iter().chain(&*self.rests).copied().collect(),
            },
            basis: last.basis.clone(),
            catalog,
            walks: self.walks(last, edit, &places, insertions),
            reach: Arc::clone(&last.reach),
        }
    }

    /// The walks as they would be now.
    fn walks(&self, last: &Last, edit: &Edit, places: &[Option<u32>], insertions: &[Insertion<'_>]) -> Vec<BodyWalk> {
        let is_moved = !insertions.is_empty() || places.iter().any(Option::is_none);
        let mut edited = 0;
        let mut walks = last.walks.clone();
        for walk in &mut walks {
            let own = edit.names.contains(&walk.name).then_some(edited);
            if is_moved {
                walk.resource = places.get(walk.resource as usize).copied().flatten().unwrap_or(UNKNOWN);
                for (number, mark) in walk.marks.iter_mut().enumerate() {
                    *mark = moved(*mark, own.map(|own| (own, number)), places, insertions);
                }
            }
            if let Some(own) = own {
                edited += 1;
                if let Some((key, end)) = self.walks.get(own) {
                    walk.key = *key;
                    walk.end = Some(Arc::clone(end));
                }
            }
        }
        walks
    }
}

/// Where a mark is now. `own`: of which of the edited bodies it is, and the how manieth. A mark of another body, just where
/// a resource came in at a mark, may stand before or behind that: nobody can tell.
fn moved(mark: u32, own: Option<(usize, usize)>, places: &[Option<u32>], insertions: &[Insertion<'_>]) -> u32 {
    if mark == UNKNOWN {
        return UNKNOWN;
    }
    let gone = places.iter().take(mark as usize).filter(|place| place.is_none()).count() as u32;
    let mut come = 0;
    for insertion in insertions {
        let is_before = match (insertion.new.spot, own) {
            _ if insertion.at != mark => insertion.at < mark,
            (Spot::Behind(_), _) => true,
            (Spot::Mark(of), Some((walk, number))) if walk == insertion.new.walk => number > of,
            (Spot::Mark(_), _) => return UNKNOWN,
        };
        come += u32::from(is_before);
    }
    mark - gone + come
}

fn without_contents(catalog: &Catalog) -> Catalog {
    Catalog {
        name: catalog.name.clone(),
        version: catalog.version.clone(),
        code_id: catalog.code_id.clone(),
        environment: catalog.environment.clone(),
        tags: catalog.tags.clone(),
        classes: catalog.classes.clone(),
        ..Catalog::default()
    }
}
