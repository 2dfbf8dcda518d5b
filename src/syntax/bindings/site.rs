//! The rules of a `site` statement that need no value: which items and attributes may stand where.
//! It must not know what a category or a layer means.

use pantin_base::{Diagnostic, Related};

use super::rule::{self, Rule};
use super::{Attribute, Site, SiteItem};
use crate::ast::Ast;

/// Where a `site` statement stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteHome {
    /// `environments.pp`
    Environments,
    /// The manifests of an environment, or its `bindings/site.pp`.
    Environment,
}

/// The attributes of an environment.
const ENVIRONMENT_ATTRIBUTES: [&str; 9] = [
    "envdir",
    "modulepath",
    "manifestdir",
    "manifest",
    "templatedir",
    "bindingsdir",
    "config_version",
    "rich_data",
    "static_catalogs",
];

/// How many categories a site may have.
const CATEGORIES: usize = 64;

/// Says what is wrong with the `site` statements of a tree, in the order of the text.
pub fn check_sites(ast: &Ast, home: SiteHome) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut defaults = Vec::new();
    for item in ast.sites().iter().flat_map(|site: &Site| &site.items) {
        let is_here = match item {
            SiteItem::Defaults { .. } | SiteItem::Environments { .. } => home == SiteHome::Environments,
            SiteItem::Categories { .. } | SiteItem::Layers { .. } => home == SiteHome::Environment,
        };
        if !is_here {
            let name = match item {
                SiteItem::Defaults { .. } => "Environment",
                SiteItem::Environments { is_dynamic: true, .. } => "dynamic_environments",
                SiteItem::Environments { .. } => "environment",
                SiteItem::Categories { .. } => "categories",
                SiteItem::Layers { .. } => "bindings",
            };
            let owner = match home {
                SiteHome::Environments => "the manifests of an environment",
                SiteHome::Environment => "environments.pp",
            };
            found.push(rule::SITE_ITEM.at(format!("'{name}' belongs to {owner}"), item.span()));
            continue;
        }
        match item {
            SiteItem::Defaults { attributes, span } => {
                defaults.push(*span);
                environment_attributes(attributes, false, &mut found);
            }
            SiteItem::Environments { bodies, is_dynamic, .. } => {
                for body in bodies {
                    environment_attributes(&body.attributes, *is_dynamic, &mut found);
                }
            }
            SiteItem::Categories { categories, .. } => check_categories(categories, &mut found),
            SiteItem::Layers { layers, .. } => {
                for attribute in layers.iter().flat_map(|layer| &layer.attributes) {
                    let name = attribute.name.text.as_str();
                    if !matches!(name, "include" | "exclude") {
                        let message = format!("'{name}' is no attribute of a layer");
                        found.push(near(&rule::LAYER_ATTRIBUTE, message, attribute, &["include", "exclude"]));
                    }
                }
            }
        }
    }
    found.sort_by_key(|diagnostic| diagnostic.span.map_or(0, |span| span.start));
    found
}

fn near(rule: &Rule, message: String, attribute: &Attribute, known: &[&str]) -> Diagnostic {
    let help = pantin_base::nearest(&attribute.name.text, known.iter().copied());
    rule.with_help(message, attribute.name.span, help.map(|near| format!("did you mean {near}?")))
}

fn environment_attributes(attributes: &[Attribute], is_dynamic: bool, found: &mut Vec<Diagnostic>) {
    for attribute in attributes {
        let name = attribute.name.text.as_str();
        if !ENVIRONMENT_ATTRIBUTES.contains(&name) {
            let message = format!("'{name}' is no attribute of an environment");
            found.push(near(&rule::ENV_ATTRIBUTE, message, attribute, &ENVIRONMENT_ATTRIBUTES));
        } else if is_dynamic && name == "envdir" {
            let message = "envdir cannot be set for dynamic environments";
            found.push(rule::ENV_DYNAMIC.at(message, attribute.name.span));
        }
    }
}

fn check_categories(categories: &[Attribute], found: &mut Vec<Diagnostic>) {
    let place = |name: &str| categories.iter().position(|category| category.name.text == name);
    if categories.len() > CATEGORIES {
        let span = categories[CATEGORIES].name.span;
        found.push(rule::LIMIT.at(format!("More than {CATEGORIES} categories"), span));
    }
    for (index, category) in categories.iter().enumerate() {
        let (name, span) = (category.name.text.as_str(), category.name.span);
        if name == "common" {
            found.push(rule::CATEGORY_COMMON.at("The category 'common' cannot be specified", span));
        } else if let Some(first) = categories[..index].iter().find(|first| first.name.text == name) {
            let mut twice = rule::CATEGORY_TWICE.at(format!("The category '{name}' is specified twice"), span);
            twice.related.push(Related { span: first.name.span, note: "the first one".to_owned() });
            found.push(twice);
        }
    }
    if let (Some(node), Some(environment)) = (place("node"), place("environment"))
        && node > environment
    {
        let message = "The category 'node' must have higher precedence than 'environment'";
        found.push(rule::CATEGORY_ORDER.at(message, categories[node].name.span));
    }
}
