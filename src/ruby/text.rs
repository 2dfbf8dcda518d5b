//! Strings: mutable, shared, and either UTF-8 or plain bytes.

use std::cell::{Cell, Ref, RefCell};

use super::memory::{OBJECT, Weight};

/// Bytes that are no text: what a digest gives, what is packed.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Content {
    Utf8(String),
    Binary(Vec<u8>),
}

pub(super) struct Text {
    content: RefCell<Content>,
    pub(super) frozen: Cell<bool>,
    /// A copy of what the outside has.
    pub(super) lent: Cell<bool>,
    weight: Weight,
}

impl Text {
    pub(super) fn new(text: String) -> Text {
        Text::of(Content::Utf8(text))
    }

    pub(super) fn binary(bytes: Vec<u8>) -> Text {
        Text::of(Content::Binary(bytes))
    }

    fn of(content: Content) -> Text {
        let text = Text {
            content: RefCell::new(content),
            frozen: Cell::new(false),
            lent: Cell::new(false),
            weight: Weight::default(),
        };
        text.weigh();
        text
    }

    pub(super) fn weigh(&self) {
        self.weight.set(OBJECT + self.bytes().len());
    }

    pub(super) fn is_binary(&self) -> bool {
        matches!(&*self.content.borrow(), Content::Binary(_))
    }

    /// As text; `None` where it is bytes with others than ASCII among them.
    pub(super) fn as_str(&self) -> Option<Ref<'_, str>> {
        Ref::filter_map(self.content.borrow(), |content| match content {
            Content::Utf8(text) => Some(text.as_str()),
            Content::Binary(bytes) if bytes.is_ascii() => std::str::from_utf8(bytes).ok(),
            Content::Binary(_) => None,
        })
        .ok()
    }

    pub(super) fn bytes(&self) -> Ref<'_, [u8]> {
        Ref::map(self.content.borrow(), |content| match content {
            Content::Utf8(text) => text.as_bytes(),
            Content::Binary(bytes) => bytes,
        })
    }

    pub(super) fn set(&self, text: String) {
        self.set_content(Content::Utf8(text));
    }

    pub(super) fn content(&self) -> Content {
        self.content.borrow().clone()
    }

    pub(super) fn set_content(&self, content: Content) {
        *self.content.borrow_mut() = content;
        self.weigh();
    }

    /// Puts another behind this one.
    pub(super) fn push(&self, other: &Text) {
        let other = other.content();
        let mut content = self.content.borrow_mut();
        match (&mut *content, other) {
            (Content::Utf8(text), Content::Utf8(other)) => text.push_str(&other),
            (Content::Binary(bytes), Content::Binary(other)) => bytes.extend(other),
            (Content::Binary(bytes), Content::Utf8(other)) => bytes.extend(other.as_bytes()),
            (Content::Utf8(text), Content::Binary(other)) => match String::from_utf8(other) {
                Ok(other) => text.push_str(&other),
                Err(error) => {
                    let mut bytes = std::mem::take(text).into_bytes();
                    bytes.extend(error.into_bytes());
                    *content = Content::Binary(bytes);
                }
            },
        }
    }

    pub(super) fn push_str(&self, more: &str) {
        match &mut *self.content.borrow_mut() {
            Content::Utf8(text) => text.push_str(more),
            Content::Binary(bytes) => bytes.extend(more.as_bytes()),
        }
    }
}
