//! The JSON of a resource, kept where more than one catalog has it: it is rendered once, and then copied.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Resource;
use super::compact::Compact;

/// Belongs to one resource as it is: a clone, which may be changed, begins with nothing.
#[derive(Default)]
pub struct Rendered {
    is_wanted: AtomicBool,
    /// Twice in a box: few have one.
    json: OnceLock<Box<Box<str>>>,
}

impl Rendered {
    /// Another catalog has the same resource: its text is worth to be kept.
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
    /// Its text in one line, if it is kept.
    pub(super) fn rendered(&self) -> Option<&str> {
        let Rendered { is_wanted, json } = &self.rendered;
        if !is_wanted.load(Ordering::Relaxed) {
            return None;
        }
        // What cannot be rendered says so where it is rendered the usual way.
        let render = || Box::new(Compact::of(self, 0).map(String::into_boxed_str).unwrap_or_default());
        let json = json.get().unwrap_or_else(|| {
            // Whoever wants it at the same time renders it too: that takes less time than to sleep until it is there.
            let rendered = render();
            json.get_or_init(|| rendered)
        });
        Some(&***json).filter(|json| !json.is_empty())
    }
}
