//! Bindings and the `site` statement in the notation: `(bindings {:name "default" :items […]})`.
//! It must not know what is right in them.

use std::fmt;

use super::super::bindings::{
    Attribute, BindOption, BindingsDefinition, Condition, DependencyArrow, Flags, Item, Key, OldKey, Operation,
    OperationKind, Producer, Query, QueryOp, QueryValue, RebindKey, Site, SiteItem, Target, TypeUse, Word,
};
use super::Notation;

impl<W: fmt::Write> Notation<'_, W> {
    pub(super) fn bindings(&mut self, definition: &BindingsDefinition) -> fmt::Result {
        self.begin("bindings")?;
        self.word_entry("name", Some(&definition.name))?;
        self.items_entry(&definition.items)?;
        self.end()
    }

    fn items_entry(&mut self, items: &[Item]) -> fmt::Result {
        self.out.entry("items")?;
        self.out.begin_list()?;
        for item in items {
            match item {
                Item::When { condition, items, .. } => {
                    self.begin("when")?;
                    self.out.entry("condition")?;
                    self.condition(condition)?;
                    pantin_base::stack::with_room(|| self.items_entry(items))?;
                    self.end()?;
                }
                Item::Operation(operation) => self.operation(operation)?,
            }
        }
        self.out.end_list()
    }

    fn condition(&mut self, condition: &Condition) -> fmt::Result {
        match condition {
            Condition::Or(parts) => self.conditions("or", parts),
            Condition::And(parts) => self.conditions("and", parts),
            Condition::Common => self.out.empty_call("common"),
            Condition::Category { name, values } => {
                self.out.begin_call("category")?;
                self.out.string(&name.text)?;
                values.iter().try_for_each(|value| self.out.string(&value.text))?;
                self.out.end_call()
            }
        }
    }

    fn conditions(&mut self, name: &str, parts: &[Condition]) -> fmt::Result {
        self.out.begin_call(name)?;
        parts.iter().try_for_each(|part| self.condition(part))?;
        self.out.end_call()
    }

    // ---- operations ----

    fn operation(&mut self, operation: &Operation) -> fmt::Result {
        let Operation { flags, kind, .. } = operation;
        let name = match kind {
            OperationKind::Value { .. } | OperationKind::Nameless { .. } => "bind",
            OperationKind::Parameters { .. } => "bind-parameters",
            OperationKind::Variables { .. } => "bind-variables",
            OperationKind::Map { .. } => "bind-map",
            OperationKind::Dependency { .. } => "bind-dependency",
            OperationKind::Copy { is_rename: false, .. } => "bind-alias",
            OperationKind::Copy { is_rename: true, .. } => "bind-renamed",
            OperationKind::Rebind { .. } => "rebind",
            OperationKind::Multibind { .. } => "multibind",
            OperationKind::Include(names) => return self.words("include", names),
            OperationKind::Exclude(names) => return self.words("exclude", names),
        };
        self.begin(name)?;
        self.flags("", flags)?;
        match kind {
            OperationKind::Value { key, target } => {
                self.key(key)?;
                self.target(target.as_ref())?;
            }
            OperationKind::Nameless { target } => self.target(Some(target))?,
            OperationKind::Parameters { of, target } => {
                self.type_entry("of", of)?;
                self.target(target.as_ref())?;
            }
            OperationKind::Variables { value_type, target, .. } => {
                self.optional_entry("type", *value_type)?;
                self.target(target.as_ref())?;
            }
            OperationKind::Map { target, source, pairs } => {
                self.type_entry("of", target)?;
                self.type_entry("from", source)?;
                self.node_entry("names", *pairs)?;
            }
            OperationKind::Dependency { sides, arrows } => self.dependency(sides, arrows)?,
            OperationKind::Copy { old, new, new_flags, .. } => {
                self.old_key("old", old)?;
                self.old_key("new", new)?;
                self.flags("new-", new_flags)?;
            }
            OperationKind::Rebind { old: RebindKey::Old(old) } => self.old_key("old", old)?,
            OperationKind::Rebind { old: RebindKey::Parameters(of) } => self.type_entry("parameters", of)?,
            OperationKind::Multibind { value_type, name, id, options } => {
                self.node_entry("type", *value_type)?;
                self.word_entry("name", name.as_ref())?;
                self.word_entry("id", id.as_ref())?;
                self.options(options)?;
            }
            OperationKind::Include(_) | OperationKind::Exclude(_) => {}
        }
        self.end()
    }

    fn flags(&mut self, before: &str, flags: &Flags) -> fmt::Result {
        for (name, flag) in [("abstract", flags.is_abstract), ("override", flags.is_override)] {
            if flag.is_some() {
                self.out.entry(&format!("{before}{name}"))?;
                self.out.raw("true")?;
            }
        }
        Ok(())
    }

    fn key(&mut self, key: &Key) -> fmt::Result {
        self.optional_entry("type", key.value_type)?;
        self.word_entry("name", key.name.as_ref())
    }

    fn old_key(&mut self, name: &str, old: &OldKey) -> fmt::Result {
        self.out.entry(name)?;
        match old {
            OldKey::Key(key) => {
                self.begin("key")?;
                self.key(key)?;
                self.end()
            }
            OldKey::Variable(word) => self.words("variable", std::slice::from_ref(word)),
        }
    }

    fn dependency(&mut self, sides: &[Vec<TypeUse>], arrows: &[DependencyArrow]) -> fmt::Result {
        self.out.entry("sides")?;
        self.out.begin_list()?;
        for side in sides {
            self.out.begin_list()?;
            side.iter().try_for_each(|of| self.type_use(of))?;
            self.out.end_list()?;
        }
        self.out.end_list()?;
        self.out.entry("arrows")?;
        self.out.begin_list()?;
        for arrow in arrows {
            self.out.string(match arrow {
                DependencyArrow::Before => "->",
                DependencyArrow::Notify => "~>",
            })?;
        }
        self.out.end_list()
    }

    // ---- what stands behind `to` ----

    fn target(&mut self, target: Option<&Target>) -> fmt::Result {
        let Some(target) = target else { return Ok(()) };
        if target.is_optional {
            self.out.entry("optional")?;
            self.out.raw("true")?;
        }
        self.out.entry("to")?;
        match &target.producer {
            Producer::Named(name) => self.words("producer", std::slice::from_ref(name))?,
            Producer::New(of) => {
                self.out.begin_call("new")?;
                self.node(*of)?;
                self.out.end_call()?;
            }
            Producer::Type(id) | Producer::Expression(id) => self.node(*id)?,
            Producer::Query { type_name, query } => {
                self.out.begin_call("query")?;
                self.out.string(&type_name.text)?;
                query.iter().try_for_each(|query| self.query(query))?;
                self.out.end_call()?;
            }
            Producer::Class(name) => self.words("class", std::slice::from_ref(name))?,
        }
        self.word_entry("in", target.multibind.as_ref())?;
        self.options(&target.options)
    }

    fn query(&mut self, query: &Query) -> fmt::Result {
        match query {
            Query::Or(parts) | Query::And(parts) => {
                self.out.begin_call(if matches!(query, Query::Or(_)) { "or" } else { "and" })?;
                parts.iter().try_for_each(|part| self.query(part))?;
            }
            Query::Not(inner) => {
                self.out.begin_call("not")?;
                pantin_base::stack::with_room(|| self.query(inner))?;
            }
            Query::Compare { name, op, value } => {
                self.out.begin_call(match op {
                    QueryOp::Equal => "==",
                    QueryOp::NotEqual => "!=",
                    QueryOp::Less => "<",
                    QueryOp::Greater => ">",
                    QueryOp::LessEqual => "<=",
                    QueryOp::GreaterEqual => ">=",
                    QueryOp::Match => "=~",
                    QueryOp::NoMatch => "!~",
                })?;
                self.out.string(&name.text)?;
                match value {
                    QueryValue::Word(word) => self.out.string(&word.text)?,
                    QueryValue::Expression(id) => self.node(*id)?,
                }
            }
        }
        self.out.end_call()
    }

    fn options(&mut self, options: &[BindOption]) -> fmt::Result {
        if options.is_empty() {
            return Ok(());
        }
        self.out.entry("options")?;
        self.out.begin_map()?;
        options.iter().try_for_each(|option| self.node_entry(&option.name.text, option.value))?;
        self.out.end_map()
    }

    // ---- words and types ----

    fn words(&mut self, name: &str, words: &[Word]) -> fmt::Result {
        self.out.begin_call(name)?;
        words.iter().try_for_each(|word| self.out.string(&word.text))?;
        self.out.end_call()
    }

    fn word_entry(&mut self, name: &str, word: Option<&Word>) -> fmt::Result {
        let Some(word) = word else { return Ok(()) };
        self.out.entry(name)?;
        self.out.string(&word.text)
    }

    fn type_entry(&mut self, name: &str, of: &TypeUse) -> fmt::Result {
        self.out.entry(name)?;
        self.type_use(of)
    }

    fn type_use(&mut self, of: &TypeUse) -> fmt::Result {
        match of {
            TypeUse::Class(word) => self.words("class", std::slice::from_ref(word)),
            TypeUse::Type(id) => self.node(*id),
        }
    }

    // ---- the site statement ----

    pub(super) fn site(&mut self, site: &Site) -> fmt::Result {
        self.out.begin_call("site")?;
        for item in &site.items {
            match item {
                SiteItem::Defaults { attributes, .. } => self.attributes("Environment", attributes)?,
                SiteItem::Categories { categories, .. } => self.attributes("categories", categories)?,
                SiteItem::Environments { is_dynamic, bodies, .. } => {
                    self.out.begin_call(if *is_dynamic { "dynamic_environments" } else { "environment" })?;
                    for body in bodies {
                        self.node(body.title)?;
                        self.attribute_map(&body.attributes)?;
                    }
                    self.out.end_call()?;
                }
                SiteItem::Layers { layers, .. } => {
                    self.out.begin_call("bindings")?;
                    for layer in layers {
                        self.out.begin_call("layer")?;
                        self.node(layer.title)?;
                        self.attribute_map(&layer.attributes)?;
                        self.out.end_call()?;
                    }
                    self.out.end_call()?;
                }
            }
        }
        self.out.end_call()
    }

    fn attributes(&mut self, name: &str, attributes: &[Attribute]) -> fmt::Result {
        self.out.begin_call(name)?;
        self.attribute_map(attributes)?;
        self.out.end_call()
    }

    fn attribute_map(&mut self, attributes: &[Attribute]) -> fmt::Result {
        self.out.begin_map()?;
        attributes.iter().try_for_each(|attribute| self.node_entry(&attribute.name.text, attribute.value))?;
        self.out.end_map()
    }
}
