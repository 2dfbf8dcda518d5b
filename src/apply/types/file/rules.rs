//! The attributes of `file`: which values they take, and in which words they refuse others.

use std::path::{Component, Path, PathBuf};

use pantin_base::Language;
use pantin_values::{Str, Value, ruby_class, unconvertible};

use super::checksum::{ChecksumType, is_checksum};
use super::mode;
use crate::failure::Failure;
use crate::log::Level;
use crate::resource::{AttributeRule, AttributeValues, Draft};
use crate::types::ruby_values::any_line;
use crate::types::rule_patterns::{ANYTHING, DIGITS, MINUS_ONE};
use crate::types::tool_command::check_provider as check_named_provider;
use crate::value::{inspect, is_word, symbol, text};

pub(super) const ATTRIBUTES: &[AttributeRule] = &[
    AttributeRule::property("ensure").words(ENSURE).patterns(&[ANYTHING]),
    AttributeRule::property("content").checked(check_content),
    AttributeRule::property("checksum_value"),
    AttributeRule::property("target").words(&[("notlink", "notlink")]).patterns(&[ANYTHING]),
    AttributeRule::property("owner"),
    AttributeRule::property("group").checked(check_group),
    AttributeRule::property("mode").checked(check_mode).converted_safely(convert_mode),
    AttributeRule::property("type").checked(|_, _| Err(Failure::new("type is read-only"))),
    AttributeRule::property("seluser"),
    AttributeRule::property("selrole"),
    AttributeRule::property("seltype"),
    AttributeRule::property("selrange"),
    AttributeRule::property("ctime").checked(|_, _| Err(Failure::new("ctime is read-only"))),
    AttributeRule::property("mtime").checked(|_, _| Err(Failure::new("mtime is read-only"))),
    AttributeRule::parameter("path").checked(check_path).converted_safely(convert_path),
    AttributeRule::parameter("backup").converted(convert_backup).default_boolean(false),
    AttributeRule::parameter("recurse").words(RECURSE).checked(accept).converted(convert_recurse),
    AttributeRule::parameter("recurselimit").patterns(&[DIGITS]),
    AttributeRule::parameter("max_files").patterns(&[DIGITS, MINUS_ONE]).default_integer(0),
    AttributeRule::parameter("replace").boolean().default_boolean(true),
    AttributeRule::parameter("force").boolean().default_boolean(false),
    AttributeRule::parameter("ignore").checked(check_ignore),
    AttributeRule::parameter("links").words(&[("follow", "follow"), ("manage", "manage")]).default_text("manage"),
    AttributeRule::parameter("purge").boolean().default_boolean(false),
    AttributeRule::parameter("sourceselect").words(&[("first", "first"), ("all", "all")]).default_text("first"),
    AttributeRule::parameter("show_diff").boolean().default_boolean(true),
    AttributeRule::parameter("staging_location").checked(check_path).converted_safely(convert_path),
    AttributeRule::parameter("validate_cmd"),
    AttributeRule::parameter("validate_replacement").default_text("%"),
    AttributeRule::parameter("provider")
        .words(&[("posix", "posix"), ("windows", "windows")])
        .checked(check_provider)
        .default_text("posix"),
    // The real one looks at the value for nothing but FIPS.
    CHECKSUM.words(CHECKSUMS).until(Language::Puppet8),
    CHECKSUM.words(CHECKSUMS_OF_OPENVOX8).since(Language::OpenVox8),
    AttributeRule::parameter("source").checked(check_source).converted_safely(convert_source),
    AttributeRule::parameter("source_permissions")
        .words(SOURCE_PERMISSIONS)
        .converted(convert_permissions)
        .default_text("ignore"),
    AttributeRule::parameter("selinux_ignore_defaults")
        .words(&[("true", "true"), ("false", "false")])
        .default_text("false"),
];

fn check_provider(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    check_named_provider("file", &["posix", "windows"], given, draft)
}

fn checksums_of(language: Language) -> &'static [(&'static str, &'static str)] {
    if language >= Language::OpenVox8 { CHECKSUMS_OF_OPENVOX8 } else { CHECKSUMS }
}

fn default_checksum(draft: &Draft<'_>) -> Option<Value> {
    Some(Value::string(&draft.settings.digest_algorithm))
}

const ENSURE: &[(&str, &str)] = &[
    ("absent", "absent"),
    ("false", "absent"),
    ("file", "file"),
    ("present", "present"),
    ("directory", "directory"),
    ("link", "link"),
];

const RECURSE: &[(&str, &str)] = &[("true", "true"), ("false", "false"), ("remote", "remote")];

const SOURCE_PERMISSIONS: &[(&str, &str)] =
    &[("use", "use"), ("use_when_creating", "use_when_creating"), ("ignore", "ignore")];

const CHECKSUM: AttributeRule = AttributeRule::parameter("checksum").checked(accept).default_made(default_checksum);

const CHECKSUMS: &[(&str, &str)] = match CHECKSUMS_OF_OPENVOX8.split_last() {
    Some((_etag, older)) => older,
    None => &[],
};

const CHECKSUMS_OF_OPENVOX8: &[(&str, &str)] = &[
    ("sha256", "sha256"),
    ("sha256lite", "sha256lite"),
    ("md5", "md5"),
    ("md5lite", "md5lite"),
    ("sha1", "sha1"),
    ("sha1lite", "sha1lite"),
    ("sha512", "sha512"),
    ("sha384", "sha384"),
    ("sha224", "sha224"),
    ("mtime", "mtime"),
    ("ctime", "ctime"),
    ("none", "none"),
    ("etag", "etag"),
];

fn accept(_: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    Ok(())
}

fn check_content(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match given {
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) | Value::Hash(_) => {
            let (shown, class) = (text(given), unconvertible(given));
            Err(Failure::new(format!(
                "Munging failed for value {shown} in class content: no implicit conversion of {class} into String"
            )))
        }
        _ => Ok(()),
    }
}

fn check_group(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    if matches!(given, Value::String(name) if name.is_empty()) || *given == Value::Boolean(false) {
        return Err(Failure::new(format!("Invalid group name '{}'", inspect(given))));
    }
    Ok(())
}

pub(crate) fn check_mode(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match given {
        Value::String(written) if any_line(written, mode::is_valid) => Ok(()),
        Value::String(_) => Err(Failure::new(format!("The file mode specification is invalid: {}", inspect(given)))),
        _ => {
            let class = ruby_class(given);
            Err(Failure::new(format!("The file mode specification must be a string, not '{class}'")))
        }
    }
}

fn convert_mode(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    Ok(Value::string(mode::displayed(&mode::normalised(&text(given)))))
}

pub(crate) fn check_path(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    let path = text(given);
    if draft.is_absolute_path(&path) {
        return Ok(());
    }
    Err(Failure::new(format!("File paths must be fully qualified, not '{path}'")))
}

fn convert_path(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    Ok(Value::string(plain_path(&text(given))))
}

/// Returns a path without `.`, `..`, double slashes and a slash at its end, as Ruby's `File.expand_path` does.
pub(crate) fn plain_path(path: &str) -> String {
    let mut plain = PathBuf::from("/");
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => plain.push(name),
            Component::ParentDir => drop(plain.pop()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    plain.to_string_lossy().into_owned()
}

fn convert_backup(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    let first = match given {
        Value::Array(items) => items.first().cloned().unwrap_or_default(),
        other => other.clone(),
    };
    match &*text(&first) {
        "false" => Ok(Value::Boolean(false)),
        "true" | ".puppet-bak" => Ok(Value::string(".puppet-bak")),
        _ if matches!(first, Value::String(_)) => Ok(first),
        _ => Err(Failure::new(format!("Invalid backup type {}", inspect(&first)))),
    }
}

fn convert_recurse(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    match &*text(given) {
        "true" => Ok(Value::Boolean(true)),
        "false" => Ok(Value::Boolean(false)),
        "remote" => Ok(symbol("remote")),
        _ => Err(Failure::new(format!("Invalid recurse value {}", inspect(given)))),
    }
}

fn check_ignore(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match given {
        Value::Array(_) | Value::String(_) | Value::Boolean(false) => Ok(()),
        _ => Err(Failure::new("Ignore must be a string or an Array")),
    }
}

fn check_source(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    for source in items(given) {
        let source = text(source).into_owned();
        if draft.is_absolute_path(&source) {
            continue;
        }
        let Some((scheme, rest)) = source.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) else {
            return Err(Failure::new(format!("Cannot use relative URLs '{source}'")));
        };
        if !rest.starts_with('/') {
            return Err(Failure::new(format!("Cannot use opaque URLs '{source}'")));
        }
        // The real one reads the scheme of an address in any case.
        if !["file", "puppet", "http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) {
            return Err(Failure::new(format!("Cannot use URLs of type '{scheme}' as source for fileserving")));
        }
    }
    Ok(())
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// Returns addresses without slashes at their ends; a path becomes a `file:` address.
fn convert_source(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    let address = |source: &Value| {
        let written = text(source).into_owned();
        let source = written.trim_end_matches('/');
        Value::string(if source.starts_with('/') { format!("file://{source}") } else { source.to_owned() })
    };
    Ok(Value::array(items(given).iter().map(address)))
}

/// Says of values that copy owner and mode that they go away.
fn convert_permissions(given: &Value, draft: &Draft<'_>) -> Result<Value, Failure> {
    let word = text(given).into_owned();
    if let Some(place) = draft.place.filter(|place| word != "ignore" && place.line > 0) {
        let message = "The `source_permissions` parameter is deprecated. Explicitly set `owner`, `group`, and `mode`.";
        let place = format!("(file: {}, line: {})", place.file, place.line);
        draft.log.bare(Level::Warning, format!("{message}\n   {place}"));
    }
    Ok(Value::Symbol(Str::from(word)))
}

fn items(given: &Value) -> &[Value] {
    match given {
        Value::Array(items) => items,
        one => std::slice::from_ref(one),
    }
}

/// Checks a file as a whole, and fills in what follows from what is said: `ensure` from `content` and `target`.
pub(super) fn validate(draft: &mut Draft<'_>) -> Result<(), Failure> {
    // What is no word of `ensure` is where a link leads.
    if let Some(target) = draft.values.get("ensure").filter(|ensure| !matches!(ensure, Value::Symbol(_))).cloned() {
        set(draft, "ensure", symbol("link"));
        if !draft.values.has("target") {
            set(draft, "target", target);
        }
    }
    warn_of_checksum(draft);
    let is_said = |name: &str| draft.get(name).is_some();
    if ["content", "source", "target"].into_iter().filter(|name| is_said(name)).count() > 1 {
        return Err(Failure::new("You cannot specify more than one of content, source, target"));
    }
    if !is_said("source") && draft.values.is("recurse", "remote") {
        return Err(Failure::new("You cannot specify a remote recursion without a source"));
    }
    let checksum = draft.text("checksum").unwrap_or_default();
    if checksum == "none" && is_said("source") {
        return Err(Failure::new("You cannot specify source when using checksum 'none'"));
    }
    let is_in_version = |kind: &ChecksumType| *kind != ChecksumType::Etag || draft.language() >= Language::OpenVox8;
    let known = ChecksumType::from_name(&checksum).filter(is_in_version);
    if known.is_none() && is_said("checksum") && is_said("content") {
        let names: Vec<&str> = checksums_of(draft.language()).iter().map(|(name, _)| *name).collect();
        let message = format!("Invalid value \"{checksum}\". Valid values are {}.", names.join(", "));
        return Err(Failure::new(message));
    }
    let algorithm = known.unwrap_or(ChecksumType::Sha256);
    if !algorithm.is_digest() && is_said("content") {
        return Err(Failure::new(format!("You cannot specify content when using checksum '{checksum}'")));
    }
    if !draft.values.is_true("recurse") && !draft.values.is("recurse", "remote") && is_said("recurselimit") {
        let warning = "Possible error: recurselimit is set but not recurse, no recursion will happen";
        draft.say(Level::Warning, warning);
    }
    // Where no checksum is named, that of a content comes in the place of the one that is given.
    let is_replaced = is_said("content") && !draft.values.is_given("checksum");
    if let Some(value) = draft.text("checksum_value").filter(|_| !is_replaced) {
        if !any_line(&value, |line| algorithm.accepts(line)) {
            return Err(Failure::new(format!("Checksum value '{value}' is not a valid checksum type {checksum}")));
        }
        if !is_said("content") && !is_said("source") {
            draft.say(Level::Warning, "Checksum value is ignored unless content or source are specified");
        }
    }
    if !is_said("ensure") {
        if is_said("target") {
            set(draft, "ensure", symbol("link"));
        } else if is_said("content") {
            set(draft, "ensure", symbol("file"));
        }
    }
    Ok(())
}

/// Says that a checksum in the place of a content goes away.
fn warn_of_checksum(draft: &Draft<'_>) {
    let is_one = matches!(draft.values.get("content"), Some(Value::String(content)) if is_checksum(content));
    let Some(place) = draft.place.filter(|place| is_one && place.line > 0) else { return };
    let sentences = [
        "Using a checksum in a file's \"content\" property is deprecated.",
        "The ability to use a checksum to retrieve content from the filebucket using the \"content\" property will be removed \
         in a future release.",
        "The literal value of the \"content\" property will be written to the file.",
        "The checksum retrieval functionality is being replaced by the use of static catalogs.",
        "See https://puppet.com/docs/puppet/latest/static_catalogs.html for more information.",
    ];
    let place = format!("(file: {}, line: {})", place.file, place.line);
    draft.log.bare(Level::Warning, format!("{}\n   {place}", sentences.join(" ")));
}

/// Sets a property that follows from what is said.
fn set(draft: &mut Draft<'_>, name: &str, value: Value) {
    if let Some(rule) = ATTRIBUTES.iter().find(|rule| rule.name == name) {
        draft.values.set_property(rule, value);
    }
}

/// A secret content is shown by `ensure` too, and a secret source by the content that it leads to.
pub(super) fn spread_secret(secret: &str, values: &mut AttributeValues) -> bool {
    let is_content = ["content", "source"].contains(&secret);
    if is_content {
        values.hide("ensure");
        values.hide("content");
    }
    is_content
}

/// Returns true if the value of `recurse` makes children.
pub(super) fn recurses(values: &AttributeValues) -> bool {
    values.is_true("recurse") || values.get("recurse").is_some_and(|value| is_word(value, "remote"))
}

/// Returns the texts of an attribute that may be one or several.
pub(in crate::types) fn texts(values: &AttributeValues, name: &str) -> Vec<String> {
    values.list(name).iter().map(|value| text(value).into_owned()).collect()
}

/// Returns a text as a value.
pub(super) fn shared(text: &str) -> Value {
    Value::String(Str::from(text))
}

/// Returns true for what says what is to be, not how.
pub(super) fn is_property(name: &str) -> bool {
    ATTRIBUTES.iter().any(|rule| rule.name == name && rule.is_property())
}

/// Gives a file another path.
pub(super) fn set_path(values: &mut AttributeValues, path: &str) {
    if let Some(rule) = ATTRIBUTES.iter().find(|rule| rule.name == "path") {
        values.set_parameter(rule, shared(path));
    }
}

/// Returns the values of a file that another resource makes: what it says, and the defaults of the type.
pub(in crate::types) fn values_of(parameters: &[(&'static str, Value)]) -> AttributeValues {
    let mut values = AttributeValues::default();
    for rule in ATTRIBUTES {
        match parameters.iter().find(|(name, _)| *name == rule.name) {
            Some((_, value)) => {
                let value = match rule.name {
                    "mode" => Value::string(mode::displayed(&mode::normalised(&text(value)))),
                    "backup" if *value == Value::Boolean(true) => Value::string(".puppet-bak"),
                    _ => value.clone(),
                };
                match rule.is_property() {
                    true => values.set_property(rule, value),
                    false => values.set_parameter(rule, value),
                }
            }
            None => {
                if let Some(value) = rule.plain_default() {
                    values.set_parameter(rule, value);
                }
            }
        }
    }
    values
}
