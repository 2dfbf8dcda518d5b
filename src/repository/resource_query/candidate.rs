//! A resource of a catalog that is being chosen, of which only as much is read as the answer needs.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

use pantin_hiera::DecryptedTexts;
use pantin_model::catalog::diff::{ShownValue, shown_value};
use pantin_model::catalog::{CatalogFragments, MalformedCatalog, Resource, ResourceFragment};
use pantin_values::{Str, Value};

use super::columns::{Column, Shown};
use super::evaluate::Truth;
use super::selector::{Field, FieldTest, Selector, Test, Word};
use crate::hidden::hide_decrypted;
use crate::pattern::Pattern;

/// What is known of a node before its catalog is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeFields<'a> {
    pub(super) name: &'a str,
    /// `None`: it is not known yet.
    pub(super) environment: Option<&'a str>,
    pub(super) decrypted: &'a DecryptedTexts,
}

/// A catalog, with what is worked out once for all of its resources.
pub(super) struct CatalogFields<'a> {
    pub(super) node: NodeFields<'a>,
    pub(super) fragments: &'a CatalogFragments,
    /// By the number of a resource, what contains it.
    containers: OnceCell<Vec<Vec<u32>>>,
}

/// One resource.
pub(super) struct Candidate<'a> {
    catalog: &'a CatalogFields<'a>,
    number: usize,
    fragment: &'a ResourceFragment,
    /// Its title as a person may see it.
    title: Cow<'a, str>,
    resource: OnceCell<Resource>,
    /// A secret was compared.
    has_met_secret: Cell<bool>,
}

impl Selector {
    /// Returns true if any resource of a node may be meant.
    pub(super) fn may_choose_on(&self, node: NodeFields<'_>) -> bool {
        let known = |test: &FieldTest| match &test.field {
            Field::Word(Word::Node) => test.test.accepts_text(node.name),
            Field::Word(Word::Environment) => {
                node.environment.map_or(Truth::Unknown, |environment| test.test.accepts_text(environment))
            }
            _ => Truth::Unknown,
        };
        self.condition.holds(&known) != Truth::No
    }

    fn has_type(&self, type_name: &str) -> bool {
        self.type_name.as_ref().is_none_or(|(pattern, _)| pattern.fits_in_any_case(type_name))
    }

    fn has_title(&self, candidate: &Candidate<'_>) -> bool {
        self.titles.is_empty() || self.titles.iter().any(|(pattern, _)| candidate.has_title(pattern))
    }

    /// Returns true if the type may be one of this selector's.
    pub(super) fn chooses_type(&self, fragment: &ResourceFragment) -> bool {
        self.has_type(&fragment.type_name)
    }
}

impl<'a> CatalogFields<'a> {
    pub(super) fn new(node: NodeFields<'a>, fragments: &'a CatalogFragments) -> CatalogFields<'a> {
        CatalogFields { node, fragments, containers: OnceCell::new() }
    }

    fn containers(&self) -> &[Vec<u32>] {
        self.containers.get_or_init(|| {
            let mut containers = vec![Vec::new(); self.fragments.resources.len()];
            for (container, inside) in self.fragments.edges() {
                if let Some(known) = containers.get_mut(*inside as usize) {
                    known.push(*container);
                }
            }
            containers
        })
    }

    /// Returns the classes around a resource, from the inside out.
    fn classes_around(&self, number: usize) -> Vec<&'a str> {
        let (containers, mut classes) = (self.containers(), Vec::new());
        let mut seen = vec![number as u32];
        let mut next = 0;
        while let Some(number) = seen.get(next) {
            for container in containers.get(*number as usize).into_iter().flatten().copied().collect::<Vec<u32>>() {
                if seen.contains(&container) {
                    continue;
                }
                seen.push(container);
                let fragment = self.fragments.resources.get(container as usize);
                classes.extend(fragment.filter(|it| it.type_name == "Class").map(|it| it.title.as_str()));
            }
            next += 1;
        }
        classes
    }
}

impl<'a> Candidate<'a> {
    pub(super) fn new(catalog: &'a CatalogFields<'a>, number: usize, fragment: &'a ResourceFragment) -> Candidate<'a> {
        let hidden = catalog.node.decrypted.hide_in_text(&fragment.title);
        let title = hidden.map_or(Cow::Borrowed(fragment.title.as_str()), Cow::Owned);
        let (resource, has_met_secret) = (OnceCell::new(), Cell::new(false));
        Candidate { catalog, number, fragment, title, resource, has_met_secret }
    }

    /// The same as a person may see it.
    pub(super) fn title(&self) -> Str {
        match &self.title {
            Cow::Borrowed(_) => self.fragment.title.clone(),
            Cow::Owned(title) => Str::from(title.as_str()),
        }
    }

    /// Capitals do not matter in the name of a class.
    pub(super) fn has_title(&self, pattern: &Pattern) -> bool {
        match self.fragment.type_name.as_str() {
            "Class" => pattern.in_lower_case().fits_in_any_case(&self.title),
            _ => pattern.fits(&self.title),
        }
    }

    pub(super) fn fragment(&self) -> &ResourceFragment {
        self.fragment
    }

    /// Returns the resource as data, if it has been read.
    pub(super) fn known_resource(&self) -> Option<&Resource> {
        self.resource.get()
    }

    pub(super) fn has_met_secret(&self) -> bool {
        self.has_met_secret.get()
    }

    /// Whether a selector chooses it. Its parameters are read only if the rest leaves that open.
    pub(super) fn is_chosen_by(&self, selector: &Selector) -> Result<Truth, MalformedCatalog> {
        if !selector.has_type(&self.fragment.type_name) || !selector.has_title(self) {
            return Ok(Truth::No);
        }
        match selector.condition.holds(&|test| self.accepts(test)) {
            Truth::Unknown => {
                self.resource()?;
                Ok(selector.condition.holds(&|test| self.accepts(test)))
            }
            decided => Ok(decided),
        }
    }

    fn accepts(&self, FieldTest { field, test, .. }: &FieldTest) -> Truth {
        match field {
            Field::Word(word) => self.word_accepts(*word, test),
            Field::Parameter(path) => match self.resource.get() {
                None => Truth::Unknown,
                Some(resource) => match (self.shown(resource, path), test) {
                    (ShownValue::Absent, _) => Truth::No,
                    (_, Test::IsSet) => Truth::Yes,
                    (ShownValue::Secret, _) => {
                        self.has_met_secret.set(true);
                        Truth::Unknown
                    }
                    (ShownValue::Value(value), test) => test.accepts(&value),
                },
            },
        }
    }

    fn word_accepts(&self, word: Word, test: &Test) -> Truth {
        let node = self.catalog.node;
        match word {
            Word::Type => match test {
                Test::Equals(operand) => {
                    operand.pattern.in_lower_case().fits_in_any_case(&self.fragment.type_name).into()
                }
                test => test.accepts_text(&self.fragment.type_name),
            },
            Word::Title => test.accepts_text(&self.title),
            Word::Node => test.accepts_text(node.name),
            Word::Environment => test.accepts_text(node.environment.unwrap_or_default()),
            Word::File => match (self.catalog.fragments.place(self.fragment), test) {
                (None, _) => Truth::No,
                (Some((file, _)), Test::Equals(operand)) => operand.pattern.fits_path(file).into(),
                (Some((file, _)), test) => test.accepts_text(file),
            },
            Word::Line => match self.catalog.fragments.place(self.fragment) {
                None => Truth::No,
                Some((_, line)) => test.accepts(&Value::Integer(line.into())),
            },
            Word::Tag => Truth::any(self.tags().iter().map(|tag| test.in_lower_case().accepts_text(tag))),
            Word::Class => {
                let around = self.catalog.classes_around(self.number);
                let test = test.in_lower_case();
                Truth::any(around.iter().map(|class| test.accepts_text(&class.to_lowercase())))
            }
            Word::Exported => match (self.resource.get(), test) {
                (None, _) => Truth::Unknown,
                (Some(resource), Test::IsSet) => resource.exported.into(),
                (Some(resource), test) => test.accepts(&Value::Boolean(resource.exported)),
            },
        }
    }

    fn tags(&self) -> Vec<Str> {
        let mut tags = self.catalog.fragments.tags(self.fragment).unwrap_or_default();
        for tag in &mut tags {
            if let Some(hidden) = self.catalog.node.decrypted.hide_in_text(tag) {
                *tag = hidden.into();
            }
        }
        tags
    }

    /// Returns the resource as data, read once.
    pub(super) fn resource(&self) -> Result<&Resource, MalformedCatalog> {
        match self.resource.get() {
            Some(resource) => Ok(resource),
            None => {
                let resource = self.catalog.fragments.read_resource(self.fragment)?;
                Ok(self.resource.get_or_init(|| resource))
            }
        }
    }

    /// Returns a parameter, or a part of it, as it may be shown.
    fn shown(&self, resource: &Resource, path: &[String]) -> ShownValue {
        let Some((name, keys)) = path.split_first() else { return ShownValue::Absent };
        let name = Str::from(name.to_lowercase());
        let whole = shown_value(resource, &name);
        if keys.is_empty() {
            return hide_decrypted(whole, self.catalog.node.decrypted);
        }
        let decrypted = self.catalog.node.decrypted;
        if keys.iter().any(|key| decrypted.hide_in_text(key).is_some()) {
            return ShownValue::Absent;
        }
        // A hash with a secret somewhere in it has parts that are none.
        let found = match resource.parameter(&name) {
            Some(value) if !resource.is_secret(&name) => part(value, keys),
            Some(_) => return ShownValue::Secret,
            None => None,
        };
        match found {
            None => ShownValue::Absent,
            Some(value) if value.digest().is_secret() => ShownValue::Secret,
            Some(value) => hide_decrypted(ShownValue::Value(value.clone()), decrypted),
        }
    }

    /// Returns what is shown of it, by column.
    pub(super) fn values(&self, columns: &[Column]) -> Result<Vec<(Str, ShownValue)>, MalformedCatalog> {
        let mut values = Vec::with_capacity(columns.len());
        for column in columns {
            match &column.0 {
                Shown::Word(word) => values.push((Str::from(word.name()), self.word(*word)?)),
                Shown::Parameter(path) => {
                    values.push((Str::from(path.join(".")), self.shown(self.resource()?, path)));
                }
                Shown::AllParameters => {
                    let resource = self.resource()?;
                    for (name, _) in &resource.parameters {
                        values.push((name.clone(), self.shown(resource, &[name.to_string()])));
                    }
                }
            }
        }
        Ok(values)
    }

    fn word(&self, word: Word) -> Result<ShownValue, MalformedCatalog> {
        let fragments = self.catalog.fragments;
        let value = match word {
            Word::Tag => Some(Value::array(self.tags().into_iter().map(Value::String))),
            Word::Class => self.catalog.classes_around(self.number).first().map(|class| Value::from(*class)),
            Word::File => fragments.place(self.fragment).map(|(file, _)| Value::from(file)),
            Word::Line => fragments.place(self.fragment).map(|(_, line)| Value::Integer(line.into())),
            Word::Environment => Some(Value::from(self.catalog.node.environment.unwrap_or_default())),
            Word::Exported => Some(Value::Boolean(self.resource()?.exported)),
            Word::Type => Some(Value::String(self.fragment.type_name.clone())),
            Word::Title => Some(Value::String(self.title())),
            Word::Node => Some(Value::from(self.catalog.node.name)),
        };
        Ok(value.map_or(ShownValue::Absent, ShownValue::Value))
    }
}

impl Test {
    /// The same for texts in lower case.
    fn in_lower_case(&self) -> Test {
        match self {
            Test::Equals(operand) => {
                let mut operand = operand.clone();
                operand.pattern = match operand.pattern.text().strip_prefix("::") {
                    Some(rest) => Pattern::new(rest.to_lowercase(), operand.pattern.literal().is_some()),
                    None => operand.pattern.in_lower_case(),
                };
                Test::Equals(operand)
            }
            test => test.clone(),
        }
    }
}

/// Returns what the keys lead to: those of hashes, and the numbers of items from zero.
fn part<'v>(value: &'v Value, keys: &[String]) -> Option<&'v Value> {
    let Some((key, rest)) = keys.split_first() else { return Some(value) };
    match value {
        Value::Hash(entries) => {
            let found = entries.iter().find(|(name, _)| name.as_str() == Some(key));
            part(found?.1, rest)
        }
        Value::Array(items) => part(items.get(key.parse::<usize>().ok()?)?, rest),
        _ => None,
    }
}
