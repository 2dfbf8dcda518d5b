//! Names of elements and attributes: prefix and local name, and which letters they are made of.

use pantin_values::Str;

use crate::class::Core;
use crate::interp::Interp;
use crate::stop::Flow;

/// A name, taken apart. All is missing in an object that has got none.
#[derive(Clone, Default)]
pub(super) struct Name {
    pub(super) expanded: Option<Str>,
    pub(super) prefix: Option<Str>,
    pub(super) local: Option<Str>,
}

impl Name {
    pub(super) fn parse(interp: &mut Interp<'_>, name: &str) -> Flow<Name> {
        if name.is_empty() {
            return Ok(Name { expanded: Some(Str::new()), ..Name::default() });
        }
        // Whatever stands behind the first name is not looked at.
        match name.split('\n').find_map(split) {
            Some((prefix, local)) => Ok(Name {
                expanded: Some(name.into()),
                prefix: Some(prefix.unwrap_or_default().into()),
                local: Some(local.into()),
            }),
            None => {
                let shown = interp.inspect(&name.into())?;
                let message = format!("name must be #{{PREFIX}}:#{{LOCAL_NAME}} or #{{LOCAL_NAME}}: <{shown}>");
                interp.raise(Core::ArgumentError, message)
            }
        }
    }

    pub(super) fn expanded(&self) -> &str {
        self.expanded.as_deref().unwrap_or_default()
    }

    pub(super) fn local(&self) -> &str {
        self.local.as_deref().unwrap_or_default()
    }

    pub(super) fn prefix(&self) -> &str {
        self.prefix.as_deref().unwrap_or_default()
    }
}

/// Returns the prefix and the local name that a text begins with.
pub(super) fn split(text: &str) -> Option<(Option<&str>, &str)> {
    let first = ncname(text)?;
    if let Some(rest) = text[first.len()..].strip_prefix(':')
        && let Some(local) = ncname(rest)
    {
        return Some((Some(first), local));
    }
    Some((None, first))
}

/// Returns the name without a colon that a text begins with.
pub(super) fn ncname(text: &str) -> Option<&str> {
    leading(text, |letter| letter != ':' && is_name_start(letter), |letter| letter != ':' && is_name_letter(letter))
}

/// Returns the name that a text begins with, colons included.
pub(super) fn name(text: &str) -> Option<&str> {
    leading(text, is_name_start, is_name_letter)
}

pub(super) fn leading(text: &str, first: impl Fn(char) -> bool, more: impl Fn(char) -> bool) -> Option<&str> {
    let mut letters = text.char_indices();
    letters.next().filter(|(_, letter)| first(*letter))?;
    let end = letters.find(|(_, letter)| !more(*letter)).map_or(text.len(), |(at, _)| at);
    Some(&text[..end])
}

fn is_name_start(letter: char) -> bool {
    matches!(letter,
        ':' | 'A'..='Z' | '_' | 'a'..='z'
        | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}' | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
}

fn is_name_letter(letter: char) -> bool {
    is_name_start(letter)
        || matches!(letter, '-' | '.' | '0'..='9' | '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}
