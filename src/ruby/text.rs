//! Strings: mutable, shared; either UTF-8, or bytes of an encoding.

use std::cell::{Cell, Ref, RefCell};

use super::memory::{OBJECT, Weight};

/// What bytes are to be read as. Ruby has more of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Encoding {
    Utf8,
    /// No letters: what a digest gives, what is packed.
    Binary,
    UsAscii,
    Latin1,
    Utf16Le,
    Utf16Be,
    Utf32Le,
    Utf32Be,
}

impl Encoding {
    pub(super) const ALL: [Encoding; 8] = [
        Encoding::Utf8,
        Encoding::Binary,
        Encoding::UsAscii,
        Encoding::Latin1,
        Encoding::Utf16Le,
        Encoding::Utf16Be,
        Encoding::Utf32Le,
        Encoding::Utf32Be,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Binary => "ASCII-8BIT",
            Encoding::UsAscii => "US-ASCII",
            Encoding::Latin1 => "ISO-8859-1",
            Encoding::Utf16Le => "UTF-16LE",
            Encoding::Utf16Be => "UTF-16BE",
            Encoding::Utf32Le => "UTF-32LE",
            Encoding::Utf32Be => "UTF-32BE",
        }
    }

    /// One byte of ASCII is the same letter in it.
    pub(super) fn has_ascii(self) -> bool {
        matches!(self, Encoding::Utf8 | Encoding::Binary | Encoding::UsAscii | Encoding::Latin1)
    }

    pub(super) fn is_unicode(self) -> bool {
        !matches!(self, Encoding::Binary | Encoding::UsAscii | Encoding::Latin1)
    }
}

/// Bytes that are UTF-8, and of which that is said, are always the first.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Content {
    Utf8(String),
    Bytes(Encoding, Vec<u8>),
}

impl Content {
    pub(super) fn from_bytes(encoding: Encoding, bytes: Vec<u8>) -> Content {
        match encoding {
            Encoding::Utf8 => match String::from_utf8(bytes) {
                Ok(text) => Content::Utf8(text),
                Err(error) => Content::Bytes(encoding, error.into_bytes()),
            },
            _ => Content::Bytes(encoding, bytes),
        }
    }
}

/// Two strings that cannot be put together.
pub(super) struct Incompatible(pub(super) Encoding, pub(super) Encoding);

pub(super) struct Text {
    content: RefCell<Content>,
    pub(super) frozen: Cell<bool>,
    /// A copy of what the outside has.
    pub(super) lent: Cell<bool>,
    weight: Weight,
}

impl Text {
    pub(super) fn new(text: String) -> Text {
        Text::from_content(Content::Utf8(text))
    }

    pub(super) fn binary(bytes: Vec<u8>) -> Text {
        Text::with_encoding(Encoding::Binary, bytes)
    }

    pub(super) fn with_encoding(encoding: Encoding, bytes: Vec<u8>) -> Text {
        Text::from_content(Content::from_bytes(encoding, bytes))
    }

    fn from_content(content: Content) -> Text {
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
        self.encoding() == Encoding::Binary
    }

    pub(super) fn encoding(&self) -> Encoding {
        match &*self.content.borrow() {
            Content::Utf8(_) => Encoding::Utf8,
            Content::Bytes(encoding, _) => *encoding,
        }
    }

    /// As text; `None` where it is bytes that are not UTF-8 as they are.
    pub(super) fn as_str(&self) -> Option<Ref<'_, str>> {
        Ref::filter_map(self.content.borrow(), |content| match content {
            Content::Utf8(text) => Some(text.as_str()),
            Content::Bytes(encoding, bytes) if encoding.has_ascii() && bytes.is_ascii() => {
                std::str::from_utf8(bytes).ok()
            }
            Content::Bytes(..) => None,
        })
        .ok()
    }

    /// Returns true if both are the same letters: bytes beyond ASCII have to be of one encoding.
    pub(super) fn is_like(&self, other: &Text) -> bool {
        self.is_made_of(other.encoding(), &other.bytes())
    }

    pub(super) fn is_letters(&self, letters: &str) -> bool {
        self.is_made_of(Encoding::Utf8, letters.as_bytes())
    }

    fn is_made_of(&self, encoding: Encoding, bytes: &[u8]) -> bool {
        let own = self.encoding();
        let is_comparable = || own.has_ascii() && encoding.has_ascii() && bytes.is_ascii();
        *self.bytes() == *bytes && (own == encoding || bytes.is_empty() || is_comparable())
    }

    pub(super) fn bytes(&self) -> Ref<'_, [u8]> {
        Ref::map(self.content.borrow(), |content| match content {
            Content::Utf8(text) => text.as_bytes(),
            Content::Bytes(_, bytes) => bytes,
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

    pub(super) fn is_utf8(&self) -> bool {
        matches!(&*self.content.borrow(), Content::Utf8(_))
    }

    /// Puts letters behind those of a text that is UTF-8.
    pub(super) fn push_str(&self, letters: &str) {
        if let Content::Utf8(text) = &mut *self.content.borrow_mut() {
            text.push_str(letters);
        }
        self.weigh();
    }

    /// Puts another behind this one, if that can be.
    pub(super) fn push(&self, other: &Text) -> Result<(), Incompatible> {
        if !std::ptr::eq(self, other)
            && let (Content::Utf8(text), Content::Utf8(other)) =
                (&mut *self.content.borrow_mut(), &*other.content.borrow())
        {
            text.push_str(other);
            return Ok(());
        }
        let others = other.content();
        let mut content = self.content.borrow_mut();
        let (encoding, mut bytes) = parts(std::mem::replace(&mut *content, Content::Utf8(String::new())));
        let (of_other, more) = parts(others);
        let joined = compatible((encoding, &bytes), (of_other, &more));
        if joined.is_some() {
            bytes.extend(more);
        }
        *content = Content::from_bytes(joined.unwrap_or(encoding), bytes);
        joined.map(|_| ()).ok_or(Incompatible(encoding, of_other))
    }
}

fn parts(content: Content) -> (Encoding, Vec<u8>) {
    match content {
        Content::Utf8(text) => (Encoding::Utf8, text.into_bytes()),
        Content::Bytes(encoding, bytes) => (encoding, bytes),
    }
}

/// Returns the encoding of two strings that are put together.
fn compatible((own, bytes): (Encoding, &[u8]), (other, more): (Encoding, &[u8])) -> Option<Encoding> {
    let both_ascii = own.has_ascii() && other.has_ascii();
    if own == other || more.is_empty() {
        Some(own)
    } else if bytes.is_empty() {
        Some(if both_ascii && more.is_ascii() { own } else { other })
    } else if both_ascii && more.is_ascii() {
        Some(own)
    } else if both_ascii && bytes.is_ascii() {
        Some(other)
    } else {
        None
    }
}
