//! Types that are there for others and change nothing: `anchor`, `filebucket`, `concat_fragment`.

use pantin_values::Value;

use super::{NewResource, TypeEntry};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::Footprint;
use crate::log::Level;
use crate::managed::{Generated, Managed};
use crate::resource::{AttributeRule, Draft};
use crate::value::text;

pub(super) const ANCHOR: TypeEntry = TypeEntry {
    name: "anchor",
    namevar: Some("name"),
    provider: None,
    attributes: &[AttributeRule::parameter("name")],
    validate: None,
    spread_secret: None,
    make: |_: &NewResource<'_>| Ok(Box::new(Still { can_refresh: true })),
};

pub(super) const FILEBUCKET: TypeEntry = TypeEntry {
    name: "filebucket",
    namevar: Some("name"),
    provider: None,
    attributes: &[
        AttributeRule::parameter("name"),
        AttributeRule::parameter("server"),
        AttributeRule::parameter("port"),
        AttributeRule::parameter("path")
            .checked(check_bucket_path)
            .default_made(|draft| Some(Value::string(draft.settings.bucket.to_string_lossy().into_owned()))),
    ],
    validate: None,
    spread_secret: None,
    make: |_: &NewResource<'_>| Ok(Box::new(Still { can_refresh: false })),
};

pub(super) const CONCAT_FRAGMENT: TypeEntry = TypeEntry {
    name: "concat_fragment",
    namevar: Some("name"),
    provider: None,
    attributes: &[
        AttributeRule::parameter("name"),
        AttributeRule::parameter("target").checked(|given, _| must_be_text(given, "Target must be a String")),
        AttributeRule::parameter("content").checked(|given, _| must_be_text(given, "Content must be a String")),
        AttributeRule::parameter("source").checked(check_source),
        AttributeRule::parameter("order").checked(check_order).default_text("10"),
        AttributeRule::parameter("tag"),
    ],
    validate: Some(validate_fragment),
    spread_secret: None,
    make: |new: &NewResource<'_>| {
        Ok(Box::new(Fragment { target: new.values.text("target"), tag: new.values.text("tag") }))
    },
};

fn check_bucket_path(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    match given {
        Value::Array(_) => Err(Failure::new("You can only have one filebucket path")),
        Value::String(path) if !draft.is_absolute_path(path) => Err(Failure::new("Filebucket paths must be absolute")),
        _ => Ok(()),
    }
}

/// Returns an error with these words for what is no text.
pub(super) fn must_be_text(given: &Value, otherwise: &str) -> Result<(), Failure> {
    if matches!(given, Value::String(_) | Value::Unencoded(_)) { Ok(()) } else { Err(Failure::new(otherwise)) }
}

fn check_source(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match given {
        Value::String(_) | Value::Array(_) => Ok(()),
        _ => Err(Failure::new("Content must be a String or Array")),
    }
}

fn check_order(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match given {
        Value::String(_) | Value::Integer(_) if text(given).contains(['/', ':', '\n']) => {
            Err(Failure::new("Order cannot contain '/', ':', or '\\n'."))
        }
        Value::String(_) | Value::Integer(_) => Ok(()),
        _ => Err(Failure::new("$order is not a string or integer.")),
    }
}

fn validate_fragment(draft: &mut Draft<'_>) -> Result<(), Failure> {
    let has = |name: &str| draft.values.has(name);
    if !has("target") && !has("tag") {
        return Err(Failure::new("No 'target' or 'tag' set"));
    }
    match (has("source"), has("content")) {
        (false, false) => Err(Failure::new("Set either 'source' or 'content'")),
        (true, true) => Err(Failure::new("Can't use 'source' and 'content' at the same time")),
        _ => Ok(()),
    }
}

/// A part of a `concat_file`, which looks for it.
struct Fragment {
    target: Option<String>,
    tag: Option<String>,
}

impl Managed for Fragment {
    /// Makes nothing, but says that no file takes the fragment.
    fn generate(&mut self, context: &ApplyContext<'_>) -> Result<Vec<Generated>, Failure> {
        let is_taken = context.catalog.of_type("concat_file").any(|(info, values)| {
            self.target
                .as_ref()
                .is_some_and(|target| values.text("path").as_ref() == Some(target) || *target == *info.title)
                || values.text("tag").is_some_and(|tag| Some(&tag) == self.tag.as_ref())
        });
        if !is_taken {
            let target = self.target.as_deref().unwrap_or_default();
            let tag = self.tag.as_ref().map(|tag| format!("or tag '{tag} ")).unwrap_or_default();
            let warning = format!("Target Concat_file with path or title '{target}' {tag}not found in the catalog");
            context.say(Level::Warning, warning);
        }
        Ok(Vec::new())
    }

    fn footprint(&self) -> Footprint {
        Footprint::Nothing
    }
}

/// A resource that has nothing to bring about.
pub(super) struct Still {
    pub(super) can_refresh: bool,
}

impl Managed for Still {
    fn can_refresh(&self) -> bool {
        self.can_refresh
    }

    fn footprint(&self) -> Footprint {
        Footprint::Nothing
    }
}
