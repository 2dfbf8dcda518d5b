//! The values that an attribute names: words, with other words for them, and patterns.

use std::sync::Arc;

use pantin_values::{Regexp, Str};

use crate::class::Core;
use crate::interp::Interp;
use crate::stop::Flow;
use crate::value::Value;

/// What an attribute takes; anything, where nothing is named.
#[derive(Clone, Default)]
pub(super) struct AllowedValues {
    words: Vec<AllowedWord>,
    patterns: Vec<AllowedPattern>,
}

#[derive(Clone)]
struct AllowedWord {
    name: Str,
    aliases: Vec<Str>,
    needs_feature: bool,
}

#[derive(Clone)]
struct AllowedPattern {
    regexp: Arc<Regexp>,
    needs_feature: bool,
}

/// The value that another one is.
pub(super) struct MatchedValue {
    /// The word; `None` for a pattern.
    pub(super) word: Option<Str>,
    /// Some providers do not take it.
    pub(super) needs_feature: bool,
}

impl AllowedValues {
    /// Adds a value: a word takes the place of the same word.
    pub(super) fn add(&mut self, interp: &mut Interp<'_>, value: &Value, needs_feature: bool) -> Flow<()> {
        match value {
            Value::Regex(regexp) => self.patterns.push(AllowedPattern { regexp: regexp.clone(), needs_feature }),
            value => {
                let name = word_of(interp, value)?;
                self.words.retain(|known| known.name != name);
                self.words.push(AllowedWord { name, aliases: Vec::new(), needs_feature });
            }
        }
        Ok(())
    }

    pub(super) fn add_alias(&mut self, interp: &mut Interp<'_>, alias: &Value, of: &Value) -> Flow<()> {
        let (alias, of) = (word_of(interp, alias)?, word_of(interp, of)?);
        match self.words.iter_mut().find(|known| known.name == of || known.aliases.contains(&of)) {
            Some(word) => {
                word.aliases.push(alias);
                Ok(())
            }
            None => interp.raise(Core::PuppetDevError, format!("Cannot alias nonexistent value {of}")),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty() && self.patterns.is_empty()
    }

    /// Finds the word, or else the pattern, that a value is.
    pub(super) fn find(&self, interp: &mut Interp<'_>, value: &Value) -> Flow<Option<MatchedValue>> {
        let text = word_of(interp, value)?;
        if let Some(word) = self.words.iter().find(|known| known.name == text || known.aliases.contains(&text)) {
            return Ok(Some(MatchedValue { word: Some(word.name.clone()), needs_feature: word.needs_feature }));
        }
        let text = interp.text_of(value)?;
        for pattern in &self.patterns {
            let is_match = pattern.regexp.regex().ok().and_then(|regex| regex.is_match(&text).ok());
            match is_match {
                Some(true) => return Ok(Some(MatchedValue { word: None, needs_feature: pattern.needs_feature })),
                Some(false) => {}
                None => return interp.unsupported("a pattern that cannot be matched"),
            }
        }
        Ok(None)
    }

    /// Like `find`, of a text. `None` also where a pattern cannot be matched.
    pub(super) fn find_text(&self, text: &str) -> Option<MatchedValue> {
        if let Some(word) =
            self.words.iter().find(|known| known.name == text || known.aliases.iter().any(|it| it == text))
        {
            return Some(MatchedValue { word: Some(word.name.clone()), needs_feature: word.needs_feature });
        }
        for pattern in &self.patterns {
            if pattern.regexp.regex().ok()?.is_match(text).ok()? {
                return Some(MatchedValue { word: None, needs_feature: pattern.needs_feature });
            }
        }
        None
    }

    /// Says what is wrong with a value that is none of them.
    pub(super) fn complaint(&self, interp: &mut Interp<'_>, value: &Value) -> Flow<String> {
        let mut text = format!("Invalid value {}.", interp.inspect(value)?);
        if !self.words.is_empty() {
            let words: Vec<&str> = self.words.iter().map(|word| word.name.as_str()).collect();
            text.push_str(&format!(" Valid values are {}.", words.join(", ")));
        }
        if !self.patterns.is_empty() {
            let mut patterns = Vec::with_capacity(self.patterns.len());
            for pattern in &self.patterns {
                patterns.push(interp.inspect(&Value::Regex(pattern.regexp.clone()))?);
            }
            text.push_str(&format!(" Valid values match {}.", patterns.join(", ")));
        }
        Ok(text)
    }
}

/// Returns a value as the symbol that it is compared as.
fn word_of(interp: &mut Interp<'_>, value: &Value) -> Flow<Str> {
    match value {
        Value::Symbol(name) => Ok(name.clone()),
        other => Ok(interp.text_of(other)?.into()),
    }
}
