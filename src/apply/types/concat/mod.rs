//! The type `concat_file` of the module concat: a file made of the fragments that name it.

mod structured;

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use pantin_values::{Str, Value, unencoded};

use super::file::fileset::doors;
use super::file::rules::{self, check_mode, check_path};
use super::file::source::place_of;
use super::file::{File, LateContent};
use super::still::must_be_text;
use super::{NewResource, TypeEntry};
use crate::applied_catalog::AppliedCatalog;
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::footprint::{FileFootprint, Footprint};
use crate::managed::{Generated, Managed, Observation, Property};
use crate::resource::{AttributeRule, AttributeValues, Draft, ResourceInfo};
use crate::value::{inspect, symbol, text};

pub(super) const CONCAT_FILE: TypeEntry = TypeEntry {
    name: "concat_file",
    namevar: Some("path"),
    provider: None,
    attributes: &[
        AttributeRule::property("ensure")
            .words(&[("present", "present"), ("absent", "absent")])
            .default_text("present"),
        AttributeRule::parameter("tag"),
        AttributeRule::parameter("path").checked(check_path),
        AttributeRule::parameter("owner"),
        AttributeRule::parameter("group").checked(check_group),
        AttributeRule::parameter("mode").checked(check_mode),
        AttributeRule::parameter("order").words(&[("alpha", "alpha"), ("numeric", "numeric")]).default_text("numeric"),
        AttributeRule::parameter("backup").checked(check_backup),
        AttributeRule::parameter("replace").boolean().default_boolean(true),
        AttributeRule::parameter("validate_cmd")
            .checked(|given, _| must_be_text(given, "Validate_cmd must be a String")),
        AttributeRule::parameter("ensure_newline").boolean().default_boolean(false),
        AttributeRule::parameter("format").words(FORMATS).default_text("plain"),
        AttributeRule::parameter("force").boolean().default_boolean(false),
        AttributeRule::parameter("selinux_ignore_defaults").boolean(),
        AttributeRule::parameter("selrange").checked(|given, _| must_be_text(given, "Selrange must be a String")),
        AttributeRule::parameter("selrole").checked(|given, _| must_be_text(given, "Selrole must be a String")),
        AttributeRule::parameter("seltype").checked(|given, _| must_be_text(given, "Seltype must be a String")),
        AttributeRule::parameter("seluser").checked(|given, _| must_be_text(given, "Seluser must be a String")),
        AttributeRule::parameter("show_diff").boolean(),
    ],
    validate: None,
    spread_secret: None,
    make,
};

const FORMATS: &[(&str, &str)] = &[
    ("plain", "plain"),
    ("yaml", "yaml"),
    ("json", "json"),
    ("json-array", "json-array"),
    ("json-pretty", "json-pretty"),
    ("json-array-pretty", "json-array-pretty"),
];

/// What the file takes over from the resource.
const HANDED_ON: [&str; 12] = [
    "owner",
    "group",
    "mode",
    "replace",
    "backup",
    "selinux_ignore_defaults",
    "selrange",
    "selrole",
    "seltype",
    "seluser",
    "validate_cmd",
    "show_diff",
];

fn check_group(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match given {
        Value::String(name) if name.is_empty() => Err(Failure::new(format!("Invalid group name '{}'", inspect(given)))),
        _ => Ok(()),
    }
}

fn check_backup(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match given {
        Value::Boolean(_) | Value::String(_) => Ok(()),
        _ => Err(Failure::new("Backup must be a Boolean or String")),
    }
}

struct ConcatFile {
    title: Str,
    path: String,
    values: AttributeValues,
    properties: Vec<Property>,
    content: LateContent,
    /// The digest of the content that its fragments make.
    digest: Option<String>,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    Ok(Box::new(ConcatFile {
        title: new.info.title.clone(),
        path: new.values.text("path").unwrap_or_default(),
        values: new.values.clone(),
        properties: new.values.properties(),
        content: Arc::new(Mutex::new(None)),
        digest: None,
    }))
}

/// A fragment with what it is sorted by.
struct Fragment {
    order: String,
    name: String,
    content: Vec<u8>,
}

impl ConcatFile {
    /// Returns the fragments that name this file by its path, its title or its tag.
    fn fragments(&self, context: &ApplyContext<'_>) -> Result<Vec<Fragment>, Failure> {
        let mut found = Vec::new();
        for (info, values) in self.meant_fragments(context.catalog) {
            let name = values.text("name").unwrap_or_else(|| info.title.to_string());
            let order = values.text("order").unwrap_or_default();
            found.push(Fragment { order, name, content: self.content_of(values, context)? });
        }
        Ok(found)
    }

    fn meant_fragments<'c>(
        &'c self,
        catalog: &'c AppliedCatalog,
    ) -> impl Iterator<Item = (&'c ResourceInfo, &'c AttributeValues)> {
        let tag = self.values.text("tag");
        let is_meant = move |values: &AttributeValues| {
            let target = values.text("target");
            target.as_ref().is_some_and(|target| *target == self.path || *target == *self.title)
                || values.text("tag").is_some_and(|own| Some(own) == tag)
        };
        catalog.of_type("concat_fragment").filter(move |(_, values)| is_meant(values))
    }

    fn content_of(&self, fragment: &AttributeValues, context: &ApplyContext<'_>) -> Result<Vec<u8>, Failure> {
        let mut content = match fragment.get("content") {
            Some(Value::Unencoded(letters)) => unencoded::bytes(letters).into_owned(),
            Some(given) => text(given).as_bytes().to_vec(),
            None => source_content(fragment, context)?,
        };
        if self.values.is_true("ensure_newline") && !content.ends_with(b"\n") {
            content.push(b'\n');
        }
        Ok(content)
    }

    fn whole_content(&self, context: &ApplyContext<'_>) -> Result<Vec<u8>, Failure> {
        let mut fragments = self.fragments(context)?;
        if self.values.is("order", "alpha") {
            let key = |fragment: &Fragment| (fragment.order.clone(), format!("_{}", fragment.name));
            fragments.sort_by_key(key);
        } else {
            sort_by_number(&mut fragments)?;
        }
        let contents: Vec<&[u8]> = fragments.iter().map(|fragment| fragment.content.as_slice()).collect();
        match self.values.text("format").as_deref() {
            None | Some("plain") => Ok(contents.concat()),
            Some(format) => structured::join(format, &contents, self.values.is_true("force")),
        }
    }
}

/// Returns the content of the first source that is there.
fn source_content(fragment: &AttributeValues, context: &ApplyContext<'_>) -> Result<Vec<u8>, Failure> {
    let sources = rules::texts(fragment, "source");
    for source in &sources {
        let place = place_of(source)?;
        if matches!(place.stat(true, doors(context)), Ok(Some(_))) {
            return place
                .read(doors(context))
                .map_err(|error| Failure::new(format!("Could not read {source}: {error}")));
        }
    }
    Err(Failure::new(format!("Could not retrieve source(s) {}", sources.join(", "))))
}

/// Sorts by number where an order or a name is one. Ruby compares no number with a text.
fn sort_by_number(fragments: &mut [Fragment]) -> Result<(), Failure> {
    let mut is_comparable = true;
    fragments.sort_by(|a, b| {
        for (a, b) in [(&a.order, &b.order), (&a.name, &b.name)] {
            let order = match (number(a), number(b)) {
                (Some(a), Some(b)) => a.cmp(&b),
                (None, None) => a.cmp(b),
                _ => {
                    is_comparable = false;
                    Ordering::Equal
                }
            };
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    });
    if is_comparable { Ok(()) } else { Err(Failure::new("comparison of Array with Array failed")) }
}

fn number(word: &str) -> Option<u128> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok()).flatten()
}

impl Managed for ConcatFile {
    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn observe(&mut self, _context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        let ensure = if self.values.is("ensure", "present") { "present" } else { "absent" };
        Ok(Observation::new().with("ensure", symbol(ensure)))
    }

    fn change(&mut self, _: &Property, _: &Value, _: &ApplyContext<'_>) -> Result<(), Failure> {
        Ok(())
    }

    fn generate(&mut self, _context: &ApplyContext<'_>) -> Result<Vec<Generated>, Failure> {
        let ensure = if self.values.is("ensure", "absent") { "absent" } else { "file" };
        let mut parameters = vec![("path", Value::string(self.path.clone())), ("ensure", symbol(ensure))];
        parameters.extend(HANDED_ON.into_iter().filter_map(|name| Some((name, self.values.get(name)?.clone()))));
        let file = File::with_late_content(rules::values_of(&parameters), Arc::clone(&self.content));
        let parameters = parameters.into_iter().map(|(name, value)| (Str::from(name), value)).collect();
        let generated = Generated::new("File", self.path.clone(), parameters);
        Ok(vec![Generated { managed: Some(Box::new(file)), ..generated }])
    }

    fn children(&mut self, context: &ApplyContext<'_>) -> Result<Vec<Generated>, Failure> {
        let content = self.whole_content(context)?;
        self.digest = Some(blake3::hash(&content).to_hex().to_string());
        *self.content.lock().unwrap_or_else(PoisonError::into_inner) = Some(content);
        Ok(vec![Generated::new("File", self.path.clone(), Vec::new())])
    }

    fn learn(&mut self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let content = self.whole_content(context)?;
        self.digest = Some(blake3::hash(&content).to_hex().to_string());
        Ok(())
    }

    fn learnt_parts(&self, catalog: &AppliedCatalog) -> Vec<String> {
        let shown = |(name, value): (&str, &Value)| format!("{name} {}", inspect(value));
        let fragments = self
            .meant_fragments(catalog)
            .flat_map(|(info, values)| std::iter::once(info.title.to_string()).chain(values.iter().map(shown)));
        fragments.chain(self.digest.clone()).collect()
    }

    fn footprint(&self) -> Footprint {
        let runs_command = self.values.has("validate_cmd");
        Footprint::Files(FileFootprint {
            writes: vec![self.path.clone().into()],
            accounts: ["owner", "group"].into_iter().filter_map(|name| self.values.text(name)).collect(),
            writes_anything: runs_command,
            reads_anything: runs_command,
            ..FileFootprint::default()
        })
    }
}
