//! What is worked out once of a resource that more than one catalog has: its JSON, which is copied then, and whose agents take it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::Resource;
use super::compact::Compact;
use super::wire::Front;

/// Belongs to one resource as it is: a clone, which may be changed, begins with nothing.
#[derive(Default)]
pub struct Rendered {
    is_wanted: AtomicBool,
    /// In a box: few have one.
    text: OnceLock<Box<RenderedText>>,
    /// The number of the system whose agent was last found to take the resource; zero: nobody has looked.
    accepted_by: AtomicU64,
}

struct RenderedText {
    json: Box<str>,
    /// Where what comes behind type, title, tags and place begins.
    rest: usize,
}

impl Rendered {
    /// Marks the resource as shared, so that its JSON is kept once rendered.
    pub fn want(&self) {
        self.is_wanted.store(true, Ordering::Relaxed);
    }
}

impl Clone for Rendered {
    fn clone(&self) -> Rendered {
        Rendered::default()
    }
}

/// What is kept says nothing that the resource does not say.
impl std::fmt::Debug for Rendered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Rendered")
    }
}

impl Resource {
    /// Returns true if the agents of systems with this number are known to take the resource.
    pub fn is_accepted_by(&self, system: u64) -> bool {
        self.rendered.accepted_by.load(Ordering::Relaxed) == system
    }

    /// Notes that the agents of systems with this number take the resource. Zero is the number of none.
    pub fn note_accepted_by(&self, system: u64) {
        self.rendered.accepted_by.store(system, Ordering::Relaxed);
    }

    /// Notes what is known of another resource that every agent takes as this one.
    pub fn note_accepted_like(&self, other: &Resource) {
        self.note_accepted_by(other.rendered.accepted_by.load(Ordering::Relaxed));
    }

    /// Returns its text in one line, if it is kept.
    pub(super) fn rendered_json(&self) -> Option<&str> {
        self.rendered_text().map(|text| &*text.json)
    }

    /// Returns the part of it behind type, title, tags and place.
    pub(super) fn rendered_rest(&self) -> Option<&str> {
        self.rendered_text().and_then(|text| text.json.get(text.rest..))
    }

    fn rendered_text(&self) -> Option<&RenderedText> {
        let Rendered { is_wanted, text, .. } = &self.rendered;
        if !is_wanted.load(Ordering::Relaxed) {
            return None;
        }
        let text = text.get().unwrap_or_else(|| {
            // Whoever wants it at the same time renders it too: that takes less time than to sleep until it is there.
            let rendered = Box::new(RenderedText::from_resource(self));
            text.get_or_init(|| rendered)
        });
        // What cannot be rendered says so where it is rendered the usual way.
        Some(&**text).filter(|text| !text.json.is_empty())
    }
}

impl RenderedText {
    fn from_resource(resource: &Resource) -> RenderedText {
        let json = Compact::write(resource, 0).map(String::into_boxed_str).unwrap_or_default();
        // The brace at its end stands for the comma before the rest.
        let rest = Compact::write(&Front(resource), 0).map_or(0, |front| front.len());
        RenderedText { json, rest }
    }
}
