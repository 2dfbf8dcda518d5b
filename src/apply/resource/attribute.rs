//! How an attribute is checked and converted, as data: the tables of types are made of these.

use pantin_base::Language;
use pantin_machine::Reading;
use pantin_values::{Str, Value};

use super::draft::Draft;
use crate::failure::Failure;
use crate::value::{inspect, text};

/// Checks a value. A failure is told as `Parameter NAME failed on REF: …`.
pub(crate) type Check = fn(&Value, &Draft<'_>) -> Result<(), Failure>;
/// Turns a value of the catalog into the one that the type works with.
pub(crate) type Convert = fn(&Value, &Draft<'_>) -> Result<Value, Failure>;

/// An attribute of a type.
#[derive(Clone, Copy)]
pub struct AttributeRule {
    pub name: &'static str,
    pub(super) kind: AttributeKind,
    /// Words that are allowed, and the symbols that they become; any value is where there are none, and no patterns.
    words: &'static [(&'static str, &'static str)],
    patterns: &'static [Pattern],
    is_boolean: bool,
    check: Option<Check>,
    convert: Option<Convert>,
    /// The conversion of a checked value cannot fail, and no other check looks at what comes of it.
    is_conversion_safe: bool,
    pub(super) default: DefaultValue,
    /// What a provider must be able to do, or else the attribute is left out.
    pub(super) feature: Option<Feature>,
    since: Language,
    until: Option<Language>,
}

/// Something that not every provider of a type can do, or not on every machine.
#[derive(Clone, Copy)]
pub(crate) struct Feature {
    pub name: &'static str,
    /// Returns true if the provider of this name can do it here.
    pub is_of: fn(&str, &dyn Reading) -> bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AttributeKind {
    Parameter,
    /// Any of its values will do.
    Property,
    /// All of its values are desired.
    ListProperty,
}

/// A pattern that values may match.
#[derive(Clone, Copy)]
pub(crate) struct Pattern {
    /// As a message shows it: `/^\d+$/`.
    pub shown: &'static str,
    pub matches: fn(&str) -> bool,
}

#[derive(Clone, Copy)]
pub(super) enum DefaultValue {
    None,
    /// A text of the catalog, which is checked and converted like one that was given.
    Text(&'static str),
    Integer(i64),
    Boolean(bool),
    Made(fn(&Draft<'_>) -> Option<Value>),
}

/// Words about a conversion that fails for another reason than the type's own.
pub(crate) fn munging_failed(name: &str, given: &Value, detail: &str) -> Failure {
    Failure::new(format!("Munging failed for value {} in class {name}: {detail}", inspect(given)))
}

impl AttributeRule {
    const fn new(name: &'static str, kind: AttributeKind) -> AttributeRule {
        AttributeRule {
            name,
            kind,
            words: &[],
            patterns: &[],
            is_boolean: false,
            check: None,
            convert: None,
            is_conversion_safe: false,
            default: DefaultValue::None,
            feature: None,
            since: Language::Puppet7,
            until: None,
        }
    }

    /// How a property is to be brought about, not what is to be.
    pub const fn parameter(name: &'static str) -> AttributeRule {
        AttributeRule::new(name, AttributeKind::Parameter)
    }

    /// What is to be. If it has several values, any of them will do.
    pub const fn property(name: &'static str) -> AttributeRule {
        AttributeRule::new(name, AttributeKind::Property)
    }

    /// Returns a property whose values are all to be.
    pub const fn list_property(name: &'static str) -> AttributeRule {
        AttributeRule::new(name, AttributeKind::ListProperty)
    }

    /// Allows these words, each of which becomes the symbol beside it.
    pub(crate) const fn words(self, words: &'static [(&'static str, &'static str)]) -> AttributeRule {
        AttributeRule { words, ..self }
    }

    /// Allows values that match these, beside the words.
    pub(crate) const fn patterns(self, patterns: &'static [Pattern]) -> AttributeRule {
        AttributeRule { patterns, ..self }
    }

    /// Allows true, false, yes and no, which become true and false.
    pub const fn boolean(self) -> AttributeRule {
        AttributeRule { is_boolean: true, words: YES_NO, ..self }
    }

    pub(crate) const fn checked(self, check: Check) -> AttributeRule {
        AttributeRule { check: Some(check), ..self }
    }

    pub(crate) const fn converted(self, convert: Convert) -> AttributeRule {
        AttributeRule { convert: Some(convert), ..self }
    }

    /// Converts values in a way that cannot fail once they were checked, and that no other check depends on.
    pub(crate) const fn converted_safely(self, convert: Convert) -> AttributeRule {
        AttributeRule { convert: Some(convert), is_conversion_safe: true, ..self }
    }

    /// Leaves the attribute out where the provider of the resource lacks a feature.
    pub(crate) const fn needs(self, feature: Feature) -> AttributeRule {
        AttributeRule { feature: Some(feature), ..self }
    }

    /// Leaves the attribute to this version and later ones.
    pub(crate) const fn since(self, first: Language) -> AttributeRule {
        AttributeRule { since: first, ..self }
    }

    /// Leaves the rule to this version and earlier ones: a later one has another of the same name.
    pub(crate) const fn until(self, last: Language) -> AttributeRule {
        AttributeRule { until: Some(last), ..self }
    }

    /// Returns true if a version has the attribute by this rule.
    pub(crate) fn is_in(&self, language: Language) -> bool {
        language >= self.since && self.until.is_none_or(|last| language <= last)
    }

    pub const fn default_text(self, text: &'static str) -> AttributeRule {
        AttributeRule { default: DefaultValue::Text(text), ..self }
    }

    pub const fn default_integer(self, number: i64) -> AttributeRule {
        AttributeRule { default: DefaultValue::Integer(number), ..self }
    }

    pub const fn default_boolean(self, flag: bool) -> AttributeRule {
        AttributeRule { default: DefaultValue::Boolean(flag), ..self }
    }

    /// The default depends on what the resource says otherwise.
    pub const fn default_made(self, make: fn(&Draft<'_>) -> Option<Value>) -> AttributeRule {
        AttributeRule { default: DefaultValue::Made(make), ..self }
    }

    /// Returns the default of a parameter that does not depend on others.
    pub(crate) fn plain_default(&self) -> Option<Value> {
        match self.default {
            DefaultValue::Text(text) => Some(match self.words.iter().find(|(word, _)| *word == text) {
                Some((_, symbol)) => Value::Symbol(Str::from(*symbol)),
                None => Value::string(text),
            }),
            DefaultValue::Integer(number) => Some(Value::Integer(number)),
            DefaultValue::Boolean(flag) => Some(Value::Boolean(flag)),
            DefaultValue::None | DefaultValue::Made(_) => None,
        }
    }

    pub(super) fn has_default(&self) -> bool {
        !matches!(self.default, DefaultValue::None)
    }

    pub fn is_property(&self) -> bool {
        self.kind != AttributeKind::Parameter
    }

    pub(super) fn is_list(&self) -> bool {
        self.kind == AttributeKind::ListProperty
    }

    /// Checks and converts a value as the catalog has it. Of a property each value is taken alone.
    pub(super) fn accept(&self, given: &Value, draft: &Draft<'_>) -> Result<Value, Failure> {
        if !self.is_property() {
            return self.accept_one(given, draft);
        }
        let items: &[Value] = match given {
            Value::Array(items) => items,
            one => std::slice::from_ref(one),
        };
        items.iter().try_for_each(|item| self.validate(item, draft))?;
        let converted = items.iter().map(|item| self.munge(item, draft)).collect::<Result<Vec<_>, _>>()?;
        Ok(Value::array(converted))
    }

    /// Like `accept`, for somebody who only wants to know whether the value is taken: what cannot fail is left out.
    pub(super) fn accept_lightly(&self, given: &Value, draft: &Draft<'_>) -> Result<Value, Failure> {
        match given {
            one if self.is_conversion_safe && (!self.is_property() || !matches!(one, Value::Array(_))) => {
                self.validate(one, draft)?;
                Ok(one.clone())
            }
            other => self.accept(other, draft),
        }
    }

    fn accept_one(&self, given: &Value, draft: &Draft<'_>) -> Result<Value, Failure> {
        self.validate(given, draft)?;
        self.munge(given, draft)
    }

    fn validate(&self, given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
        match self.check {
            Some(check) => check(given, draft),
            None if self.words.is_empty() && self.patterns.is_empty() => Ok(()),
            None if self.symbol(given).is_some() => Ok(()),
            None if self.patterns.iter().any(|pattern| (pattern.matches)(&text(given))) => Ok(()),
            None => Err(self.invalid(given)),
        }
    }

    fn munge(&self, given: &Value, draft: &Draft<'_>) -> Result<Value, Failure> {
        if let Some(convert) = self.convert {
            return convert(given, draft);
        }
        match self.symbol(given) {
            Some("true" | "yes") if self.is_boolean => Ok(Value::Boolean(true)),
            Some("false" | "no") if self.is_boolean => Ok(Value::Boolean(false)),
            Some(symbol) => Ok(Value::Symbol(Str::from(symbol))),
            None => Ok(given.clone()),
        }
    }

    /// Returns the words that are allowed.
    pub(crate) fn word_names(&self) -> impl Iterator<Item = &'static str> {
        self.words.iter().map(|(word, _)| *word)
    }

    /// Returns the symbol that a value becomes.
    pub(crate) fn symbol(&self, given: &Value) -> Option<&'static str> {
        let given = text(given);
        self.words.iter().find(|(word, _)| *word == given).map(|(_, symbol)| *symbol)
    }

    /// `Invalid value "x". Valid values are a, b. Valid values match /c/.`
    pub(crate) fn invalid(&self, given: &Value) -> Failure {
        let mut message = format!("Invalid value {}.", inspect(given));
        let names: Vec<&str> =
            self.words.iter().filter(|(word, symbol)| word == symbol).map(|(word, _)| *word).collect();
        if !names.is_empty() {
            message.push_str(&format!(" Valid values are {}.", names.join(", ")));
        }
        if !self.patterns.is_empty() {
            let shown: Vec<&str> = self.patterns.iter().map(|pattern| pattern.shown).collect();
            message.push_str(&format!(" Valid values match {}.", shown.join(", ")));
        }
        Failure::new(message)
    }
}

const YES_NO: &[(&str, &str)] = &[("true", "true"), ("false", "false"), ("yes", "yes"), ("no", "no")];
