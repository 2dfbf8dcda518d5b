//! The value of a setting as a list of items: `-Xmx512m -ea`.

use pantin_values::regex::{Options, Regex};

use crate::failure::Failure;

/// How the items of a value are written.
#[derive(Clone, Debug)]
pub(super) struct ItemFormat {
    pub separator: String,
    /// Between the name of an item and its value.
    pub key_separator: String,
    /// An item is its name alone.
    pub is_exact: bool,
}

/// Where a new item goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ItemPlace {
    Start,
    End,
    Before(String),
    After(String),
    Index(usize),
}

/// The items of a value.
#[derive(Clone, Debug)]
pub(super) struct Items {
    format: ItemFormat,
    quote: String,
    items: Vec<String>,
}

impl Items {
    /// Reads a value. `quote` stands around one that has none.
    pub(super) fn parse(value: Option<&str>, quote: String, format: ItemFormat) -> Result<Items, Failure> {
        let mut items = Items { format, quote, items: Vec::new() };
        let Some(value) = value else { return Ok(items) };
        let inside = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote).map(|inside| (quote, inside));
        let value = match inside('"').or_else(|| inside('\'')) {
            Some((quote, inside)) => {
                items.quote = quote.to_string();
                inside
            }
            None => value,
        };
        // What separates is part of a pattern, as the module has it.
        let source = format!(r"(?:(?:[^\{}]|\.)+)", items.format.separator);
        let pattern = Regex::new(&source, Options::default())
            .map_err(|error| Failure::new(format!("{}: /{source}/", error.message)))?;
        let mut at = 0;
        let steps = |_| Failure::new("the pattern needs too many steps");
        while let Some((start, end)) = pattern.find_span_at(value, at).map_err(steps)? {
            items.items.push(value[start..end].trim().to_owned());
            at = end;
        }
        Ok(items)
    }

    fn is_item(&self, item: &str, name: &str) -> bool {
        match self.format.is_exact {
            true => item == name,
            false => item.strip_prefix(name).is_some_and(|rest| rest.starts_with(&self.format.key_separator)),
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.items.iter().position(|item| self.is_item(item, name))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.place(name).is_some()
    }

    /// Returns the value of an item, also where items are their names alone.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let starts =
            |item: &&String| item.strip_prefix(name).is_some_and(|rest| rest.starts_with(&self.format.key_separator));
        let item = self.items.iter().find(starts)?;
        item.get(name.len() + self.format.key_separator.len()..)
    }

    /// Gives every item of this name a value, or adds one.
    pub(super) fn set(&mut self, name: &str, value: &str, place: &ItemPlace) {
        let new = format!("{name}{}{value}", self.format.key_separator);
        if self.has(name) {
            for number in 0..self.items.len() {
                if self.is_item(&self.items[number], name) {
                    self.items[number].clone_from(&new);
                }
            }
            return;
        }
        let end = self.items.len();
        let at = match place {
            ItemPlace::Start => 0,
            ItemPlace::End => end,
            ItemPlace::Before(other) => self.place(other).unwrap_or(end),
            ItemPlace::After(other) => self.place(other).map_or(end, |place| place + 1),
            ItemPlace::Index(number) => (*number).min(end),
        };
        self.items.insert(at, new);
    }

    pub(super) fn remove(&mut self, name: &str) {
        let kept: Vec<String> = self.items.iter().filter(|item| !self.is_item(item, name)).cloned().collect();
        self.items = kept;
    }

    /// Returns the whole value.
    pub(super) fn text(&self) -> String {
        format!("{}{}{}", self.quote, self.items.join(&self.format.separator), self.quote)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(value: &str) -> Items {
        let format = ItemFormat { separator: " ".to_owned(), key_separator: String::new(), is_exact: false };
        Items::parse(Some(value), String::new(), format).unwrap()
    }

    #[test]
    fn an_item_is_found_by_its_beginning() {
        assert_eq!(items("-Xmx512m -ea").value("-Xmx"), Some("512m"));
        assert_eq!(items("-Xmx512m -ea").value("-ea"), Some(""));
        assert_eq!(items("").value("-ea"), None);
    }

    #[test]
    fn quotes_stay_around_the_whole() {
        let mut quoted = items("\"-a -b1\"");
        quoted.set("-b", "2", &ItemPlace::End);
        quoted.set("-c", "3", &ItemPlace::Before("-b".to_owned()));
        assert_eq!(quoted.text(), "\"-a -c3 -b2\"");
        quoted.remove("-b");
        assert_eq!(quoted.text(), "\"-a -c3\"");
    }
}
