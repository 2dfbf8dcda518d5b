//! A catalog as a text to read: equal texts are equal catalogs, but for the order of JSON's own keys.
//!
//! It may leave out what is as always; whatever is not as always stands there. `tests/spec/README.md`
//! tells how to read it.

use std::collections::HashMap;

use super::json::{Json, quoted};
use super::request::ROOT;

/// A resource whose parameters make a longer line than this has one of them a line.
const WIDTH: usize = 110;

/// The text of a catalog's JSON. `Err`: it is none.
pub(super) fn render(text: &str) -> Result<String, String> {
    let catalog = Json::parse(text)?;
    let Json::Object(entries) = &catalog else { return Err("a catalog is a JSON object".to_owned()) };
    let resources = list(&catalog, "resources")?;
    let edges = list(&catalog, "edges")?;
    let tags_of = tags_by_name(resources);
    let containers = containers(resources, edges);
    let mut lines = Vec::new();
    for (key, value) in entries {
        match key.as_str() {
            "resources" | "edges" => {}
            "tags" if strings(value) == usual_tags(&catalog) => {}
            "classes" => lines.extend(classes(value)),
            _ if USUAL.iter().any(|(name, usual)| key == name && value.to_string() == *usual) => {}
            _ => lines.push(format!("{key}: {value}")),
        }
    }
    for (key, _) in USUAL.iter().filter(|(key, _)| catalog.get(key).is_none()) {
        lines.push(format!("{key}: missing"));
    }
    let as_usual = resources.iter().take(FIRST.len()).map(Json::to_string).eq(FIRST);
    for (resource, within) in resources.iter().zip(containers.of_resources).skip(if as_usual { FIRST.len() } else { 0 })
    {
        let tags = within.first().filter(|name| !name.starts_with("Stage[")).and_then(|name| tags_of.get(*name));
        let within = if containers.in_order { within_text(resource, &within) } else { None };
        lines.push(resource_text(resource, tags.map_or(&[], Vec::as_slice), within));
    }
    if !containers.in_order {
        lines.extend(edges.iter().map(edge_text));
    }
    Ok(lines.join("\n"))
}

/// What every catalog of the specs has.
const USUAL: [(&str, &str); 6] = [
    ("name", "\"node.example.org\""),
    ("version", "1"),
    ("code_id", "null"),
    ("catalog_uuid", "\"00000000-0000-0000-0000-000000000000\""),
    ("catalog_format", "2"),
    ("environment", "\"production\""),
];

/// The resources that come first, as they mostly are.
const FIRST: [&str; 3] = [
    r#"{"type" => "Stage", "title" => "main", "tags" => ["stage"], "exported" => false, "kind" => "compilable_type", "parameters" => {"name" => "main"}}"#,
    r#"{"type" => "Class", "title" => "Settings", "tags" => ["class", "settings"], "exported" => false, "kind" => "unknown"}"#,
    r#"{"type" => "Class", "title" => "main", "tags" => ["class"], "exported" => false, "kind" => "unknown", "parameters" => {"name" => "main"}}"#,
];

fn list<'j>(catalog: &'j Json, key: &str) -> Result<&'j [Json], String> {
    match catalog.get(key) {
        Some(Json::Array(items)) => Ok(items),
        _ => Err(format!("a catalog has an array '{key}'")),
    }
}

fn text_of<'j>(object: &'j Json, key: &str) -> Option<&'j str> {
    object.get(key)?.text()
}

fn strings(array: &Json) -> Vec<String> {
    array.items().iter().map(|item| item.text().map_or_else(|| item.to_string(), str::to_owned)).collect()
}

/// `File[/x]`
fn name_of(resource: &Json) -> String {
    format!("{}[{}]", text_of(resource, "type").unwrap_or_default(), text_of(resource, "title").unwrap_or_default())
}

fn tags_by_name(resources: &[Json]) -> HashMap<String, Vec<String>> {
    let tags = |resource: &Json| resource.get("tags").map(strings).unwrap_or_default();
    resources.iter().map(|resource| (name_of(resource), tags(resource))).collect()
}

/// `settings` is always the first, unless an ENC names one.
fn classes(value: &Json) -> Option<String> {
    let names = strings(value);
    match names.split_first() {
        Some((first, [])) if first == "settings" => None,
        Some((first, rest)) if first == "settings" => Some(format!("classes: {}", rest.join(", "))),
        _ => Some(format!("all classes: {}", names.join(", "))),
    }
}

/// The classes with the segments of their names, then what the resources of these classes, and of the node's
/// block, add: the values of their parameter `tag`, and `class` or `node`.
fn usual_tags(catalog: &Json) -> Vec<String> {
    let mut tags = Vec::new();
    for class in catalog.get("classes").map(strings).unwrap_or_default() {
        add_name(&mut tags, &class);
    }
    for resource in catalog.get("resources").map(Json::items).unwrap_or_default() {
        let type_name = text_of(resource, "type").unwrap_or_default();
        let is_usual = matches!(text_of(resource, "title"), Some("Settings" | "main"));
        if matches!(type_name, "Class" | "Node") && !is_usual {
            add_given_tags(&mut tags, resource);
            add(&mut tags, &type_name.to_lowercase());
        }
    }
    tags
}

/// What the parameter `tag` says.
fn add_given_tags(tags: &mut Vec<String>, resource: &Json) {
    match resource.get("parameters").and_then(|parameters| parameters.get("tag")) {
        Some(Json::String(tag)) => add_name(tags, tag),
        Some(several) => strings(several).iter().for_each(|tag| add_name(tags, tag)),
        None => {}
    }
}

fn add(tags: &mut Vec<String>, tag: &str) {
    if !tags.iter().any(|known| known == tag) {
        tags.push(tag.to_owned());
    }
}

/// A name and, if there are several, its segments.
fn add_name(tags: &mut Vec<String>, name: &str) {
    let name = name.to_lowercase();
    add(tags, &name);
    if name.contains("::") {
        name.split("::").for_each(|part| add(tags, part));
    }
}

/// What the parameter `tag` says, the type, the title if it can be a tag, and the tags of what contains it.
fn usual_resource_tags(resource: &Json, container: &[String]) -> Vec<String> {
    let mut tags = Vec::new();
    add_given_tags(&mut tags, resource);
    add_name(&mut tags, text_of(resource, "type").unwrap_or_default());
    let title = text_of(resource, "title").unwrap_or_default();
    let may_be_tag = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '-');
    let is_tag = title.starts_with(|c: char| c.is_alphanumeric() || c == '_') && title.chars().all(may_be_tag);
    if is_tag {
        add_name(&mut tags, title);
    }
    container.iter().for_each(|tag| add(&mut tags, tag));
    tags
}

/// `File[/x] {ensure => "file"} @3`
fn resource_text(resource: &Json, container: &[String], within: Option<String>) -> String {
    let name = name_of(resource);
    let mut after = Vec::new();
    let place = place(resource.get("file"), resource.get("line"));
    let type_name = text_of(resource, "type").unwrap_or_default();
    let usual_kind = if matches!(type_name, "Class" | "Node") { "unknown" } else { "compilable_type" };
    let tags = resource.get("tags").map(strings);
    let mut parameters = "";
    let (mut wide, mut narrow) = (String::new(), String::new());
    for (key, value) in resource.entries() {
        match key.as_str() {
            "type" | "title" | "file" | "line" => {}
            "tags"
                if value.items().iter().all(|tag| tag.text().is_some())
                    && tags.as_deref() == Some(&usual_resource_tags(resource, container)) => {}
            "tags" => after.push(format!("tags={}", tags.iter().flatten().cloned().collect::<Vec<_>>().join(","))),
            "exported" if *value == Json::Bool(false) => {}
            "kind" if value.text() == Some(usual_kind) => {}
            "kind" | "exported" => {
                after.push(format!("{key}={}", value.text().map_or_else(|| value.to_string(), str::to_owned)))
            }
            "sensitive_parameters" => after.push(format!("sensitive={}", strings(value).join(","))),
            "parameters" => {
                parameters = " ";
                let shown: Vec<String> =
                    value.entries().iter().map(|(name, value)| format!("{name} => {value}")).collect();
                wide = format!("{{{}}}", shown.join(", "));
                narrow = format!("{{\n  {}\n}}", shown.join(",\n  "));
            }
            _ => after.push(format!("{key}={value}")),
        }
    }
    for key in ["tags", "exported", "kind"].into_iter().filter(|key| resource.get(key).is_none()) {
        after.push(format!("{key}=missing"));
    }
    let name = shown(&name);
    let parameters_shown = if name.len() + wide.len() > WIDTH { narrow } else { wide };
    let after: String = place.into_iter().chain(within).chain(after).map(|word| format!(" {word}")).collect();
    format!("{name}{parameters}{parameters_shown}{after}")
}

/// `@3` in the site manifest, `@modules/m/manifests/init.pp:3` elsewhere.
fn place(file: Option<&Json>, line: Option<&Json>) -> Option<String> {
    let file = match file {
        None if line.is_none() => return None,
        None => "?".to_owned(),
        Some(Json::String(path)) if *path == format!("{ROOT}/manifests/site.pp") => String::new(),
        Some(Json::String(path)) if path.is_empty() => "\"\"".to_owned(),
        Some(Json::String(path)) => path.strip_prefix(&format!("{ROOT}/")).unwrap_or(path).to_owned(),
        Some(other) => other.to_string(),
    };
    let line = line.map(Json::to_string);
    match (file.is_empty(), line) {
        (true, Some(line)) => Some(format!("@{line}")),
        (false, Some(line)) => Some(format!("@{file}:{line}")),
        (_, None) => Some(format!("@{file}:")),
    }
}

/// What contains each resource.
struct Containers<'j> {
    of_resources: Vec<Vec<&'j str>>,
    /// Whether the edges are those of the first resource, then those of the second, and so on, so that
    /// nothing more is to be said of them.
    in_order: bool,
}

fn containers<'j>(resources: &[Json], edges: &'j [Json]) -> Containers<'j> {
    let mut by_target: HashMap<&str, Vec<&'j str>> = HashMap::new();
    let mut order: Vec<&str> = Vec::new();
    let mut in_order = true;
    for edge in edges {
        let (Some(source), Some(target)) = (text_of(edge, "source"), text_of(edge, "target")) else {
            in_order = false;
            continue;
        };
        in_order &= edge.entries().len() == 2;
        by_target.entry(target).or_default().push(source);
        order.push(target);
    }
    order.dedup();
    let names: Vec<String> = resources.iter().map(name_of).collect();
    let contained = names.iter().map(String::as_str).filter(|name| by_target.contains_key(name));
    in_order &= contained.eq(order.iter().copied());
    let of_resources = names.iter().map(|name| by_target.get(name.as_str()).cloned().unwrap_or_default()).collect();
    Containers { of_resources, in_order }
}

/// A class is within the main stage, anything else within the main class, unless it says so.
fn within_text(resource: &Json, within: &[&str]) -> Option<String> {
    let usual: &[&str] = match text_of(resource, "type") {
        Some("Class") => &["Stage[main]"],
        Some("Stage") => &[],
        _ => &["Class[main]"],
    };
    if within == usual {
        return None;
    }
    let within: Vec<String> = within.iter().map(|name| shown(name)).collect();
    Some(format!("in={}", if within.is_empty() { "nothing".to_owned() } else { within.join(",") }))
}

/// `Class[A] contains File[/x]`
fn edge_text(edge: &Json) -> String {
    match (edge.entries().len(), text_of(edge, "source"), text_of(edge, "target")) {
        (2, Some(source), Some(target)) => format!("{} contains {}", shown(source), shown(target)),
        _ => edge.to_string(),
    }
}

/// The name of a resource, quoted where it could be taken for something else.
fn shown(name: &str) -> String {
    let is_odd = |c: char| c.is_control() || matches!(c, ',' | '"' | '{' | '@');
    if name.contains(is_odd) || name.contains(" contains ") { quoted(name) } else { name.to_owned() }
}
