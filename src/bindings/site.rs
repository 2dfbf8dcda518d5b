//! Categories and layers, from the values of a `site` statement.
//! It must not know how a value was worked out, or where definitions are found.

use pantin_syntax::bindings::rule::{self, Rule};
use pantin_values::{Str, Value, ops};

use super::condition::{Category, State};
use super::key::inferred;
use super::uri::Uri;

/// A layer as the site wants it.
#[derive(Clone, Debug)]
pub struct LayerRequest {
    pub title: Str,
    pub include: Vec<Uri>,
    pub exclude: Vec<Uri>,
}

/// What a `site` statement comes to for one node.
#[derive(Clone, Debug)]
pub struct SiteValues {
    pub state: State,
    pub layers: Vec<LayerRequest>,
}

/// A rule that a value breaks, and the message.
pub type BrokenRule = (Rule, String);

impl SiteValues {
    /// Returns the state of categories in the order of the site. `node` and `environment` are added where they are
    /// missing.
    pub fn state(
        categories: Vec<(Str, Value)>,
        certname: &str,
        environment: &str,
    ) -> Result<State, (usize, BrokenRule)> {
        let mut found = Vec::with_capacity(categories.len() + 2);
        for (index, (name, value)) in categories.into_iter().enumerate() {
            let value = if name == "environment" {
                if value != Value::Boolean(true) {
                    let message = format!(
                        "The category 'environment' must be set to true, got {}",
                        pantin_values::format::literal(&value)
                    );
                    return Err((index, (rule::CATEGORY_ENVIRONMENT, message)));
                }
                Some(Str::from(environment))
            } else {
                category_value(&name, &value).map_err(|broken| (index, broken))?
            };
            found.push(Category { name, value });
        }
        if !found.iter().any(|category| category.name == "node") {
            found.insert(0, Category { name: "node".into(), value: Some(certname.into()) });
        }
        if !found.iter().any(|category| category.name == "environment") {
            found.push(Category { name: "environment".into(), value: Some(environment.into()) });
        }
        Ok(State { categories: found })
    }

    /// Returns the layers of a site that says nothing of them.
    pub fn default_layers() -> Vec<LayerRequest> {
        let layers = [
            ("site", "confdir:/default?optional"),
            ("environment", "env:/default?optional"),
            ("modules", "module:/*::default"),
        ];
        let layer = |(title, include): (&str, &str)| LayerRequest {
            title: title.into(),
            include: Uri::parse(include).into_iter().collect(),
            exclude: Vec::new(),
        };
        layers.into_iter().map(layer).collect()
    }

    /// The names of bindings in the value of `include` or `exclude`, and what is wrong with the others.
    pub fn uris(value: &Value) -> (Vec<Uri>, Vec<WrongUri>) {
        let items: Vec<Value> = match value {
            Value::Array(items) => items.iter().flat_map(|item| item.clone().flattened()).collect(),
            value => vec![value.clone()],
        };
        let (mut uris, mut wrong) = (Vec::new(), Vec::new());
        for item in items.iter().filter(|item| !item.is_undef()) {
            let written = pantin_values::text::display(item);
            match item.as_str().and_then(|text| Uri::parse(text).ok()) {
                Some(uri) => uris.push(uri),
                None => {
                    let message = format!("'{written}' is no name of bindings");
                    wrong.push(WrongUri { written, broken: (rule::URI, message) });
                }
            }
        }
        (uris, wrong)
    }
}

/// A value that is no name of bindings.
#[derive(Clone, Debug)]
pub struct WrongUri {
    pub written: Str,
    pub broken: BrokenRule,
}

/// Returns the text of a category's value; `None` where it does not apply.
fn category_value(name: &str, value: &Value) -> Result<Option<Str>, BrokenRule> {
    match value {
        Value::Undef => Ok(None),
        Value::String(text) if text.is_empty() => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => Ok(Some(ops::to_s(value).into())),
        other => {
            let message =
                format!("The category '{name}' must evaluate to a String, Boolean or Number, got {}", inferred(other));
            Err((rule::CATEGORY_VALUE, message))
        }
    }
}

/// Returns the title of a layer that is there twice, with the numbers of both.
pub fn check_layer_titles(titles: &[Str]) -> Option<(usize, usize)> {
    titles.iter().enumerate().find_map(|(index, title)| {
        let first = titles[..index].iter().position(|known| known == title)?;
        Some((first, index))
    })
}
