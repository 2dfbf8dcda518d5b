//! The native types: attributes, namevars, title patterns, automatic relationships, and what titles say, compared with
//! what both versions of Puppet tell of themselves.
//!
//! The types of a module can be compared where the module is: in the corpus, or in a folder that was named.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use pantin::base::Language;
use pantin::model::catalog::kinds;
use pantin::model::catalog::kinds::{METAPARAMETERS, NativeType, Titles};
use pantin::values::{Str, Value};
use serde_json::json;

use super::client;

/// A type, a title, and parameters.
type Sample = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// Titles with what a pattern may stumble over, and parameters that name the resource.
const SAMPLES: &[Sample] = &[
    ("file", "/etc/motd", &[]),
    ("file", "/etc/", &[]),
    ("file", "/etc///", &[]),
    ("file", "/", &[]),
    ("file", "//", &[]),
    ("file", "C:/", &[]),
    ("file", "c:/a/b//", &[]),
    ("file", "", &[]),
    ("file", "\n", &[]),
    ("file", "/a\n", &[]),
    ("file", "/a/\n", &[]),
    ("file", "/a\n/b/", &[]),
    ("file", "ä/ö/", &[]),
    ("file", "motd", &[("path", "/etc/motd")]),
    ("file", "motd", &[("name", "/etc/motd")]),
    ("File", "motd", &[("path", "/etc/motd/")]),
    ("package", "vim", &[]),
    ("package", "vim\nemacs", &[]),
    ("package", "editor", &[("name", "vim"), ("provider", "gem")]),
    ("package", "editor", &[("command", "/opt/gem"), ("provider", "gem")]),
    ("sshkey", "host", &[]),
    ("sshkey", "host@rsa", &[]),
    ("sshkey", "a@b@c", &[]),
    ("sshkey", "@", &[]),
    ("sshkey", "", &[]),
    ("sshkey", "a\nb@c", &[]),
    ("sshkey", "host", &[("type", "rsa")]),
    ("sshkey", "mine", &[("name", "host"), ("type", "rsa")]),
    ("exec", "/bin/true", &[]),
    ("exec", "true", &[("command", "/bin/true")]),
    ("tidy", "/tmp/", &[]),
    ("zpool", "tank", &[]),
    ("zpool", "mine", &[("pool", "tank")]),
    ("user", "", &[]),
    ("service", "web", &[("name", "nginx")]),
    ("stage", "main", &[]),
];

pub(super) fn run(folders: &[String]) -> Result<bool, String> {
    let mut holds = true;
    for language in Language::ALL {
        let version = language.release();
        let theirs = match ask(language, folders) {
            Err(why) if language == Language::OpenVox8 => {
                println!("{version}: not compared: {why}");
                continue;
            }
            theirs => theirs?,
        };
        let mut compared = Vec::new();
        let mut differences = Vec::new();
        let list = |names: &[&str]| names.iter().map(|name| json!(name)).collect::<serde_json::Value>();
        if theirs["metaparameters"] != list(&METAPARAMETERS) {
            differences.push(format!("metaparameters: {}", theirs["metaparameters"]));
        }
        for theirs in theirs["types"].as_array().into_iter().flatten() {
            let name = theirs["name"].as_str().unwrap_or_default();
            compared.push(name);
            match kinds::native_in(name, language) {
                None => differences.push(format!("{name} is not known here")),
                Some(ours) => differences.extend(of_type(ours, theirs)),
            }
        }
        for (sample, theirs) in SAMPLES.iter().zip(theirs["answers"].as_array().into_iter().flatten()) {
            let ours = answer(*sample);
            let is_known = compared.iter().any(|name| name.eq_ignore_ascii_case(sample.0));
            if is_known && ours != *theirs {
                differences.push(format!("{sample:?}\n  here:   {ours}\n  Puppet: {theirs}"));
            }
        }
        let left_out = kinds::all().into_iter().filter(|kind| !compared.contains(&kind.name()));
        let (of_modules, unknown): (Vec<_>, Vec<_>) = left_out.partition(|kind| kind.module().is_some());
        differences.extend(unknown.iter().map(|kind| format!("{} is not known to Puppet", kind.name())));
        println!("{version}: {} types, {} differences", compared.len(), differences.len());
        let names: Vec<_> = of_modules.iter().map(|kind| kind.name()).collect();
        println!("  not compared, their modules are not at hand: {}", names.join(" "));
        differences.iter().for_each(|difference| println!("  {difference}"));
        holds &= differences.is_empty();
    }
    Ok(holds)
}

fn of_type(ours: &NativeType, theirs: &serde_json::Value) -> Option<String> {
    let mut described = json!({
        "name": ours.name(),
        "properties": texts(ours.properties()),
        "parameters": texts(ours.parameters()),
        "namevars": texts(ours.namevars()),
        "isomorphic": ours.is_isomorphic(),
        "automatic": ours.automatic().iter().map(|rule| [rule.relation.name(), rule.target_type]).collect::<Vec<_>>(),
    });
    described["patterns"] = match ours.titles() {
        // Without a pattern of its own, a type has this one.
        Titles::Namevar => json!([{ "pattern": "(.*)", "multi_line": true, "fills": texts(ours.namevars()) }]),
        Titles::Wrong(fault) => json!(&*fault.message),
        Titles::Patterns(patterns) => patterns
            .iter()
            .map(|each| {
                let (source, multi_line) = (each.regexp.source(), each.regexp.options().multi_line);
                json!({ "pattern": source, "multi_line": multi_line, "fills": each.fills.iter().map(|fill| fill.name.as_str()).collect::<Vec<_>>() })
            })
            .collect(),
    };
    (described != *theirs).then(|| format!("{}\n  here:   {described}\n  Puppet: {theirs}", ours.name()))
}

fn texts(names: &[Str]) -> Vec<&str> {
    names.iter().map(Str::as_str).collect()
}

fn answer((kind, title, parameters): (&str, &str, &[(&str, &str)])) -> serde_json::Value {
    let Some(kind) = kinds::native(kind) else { return json!(null) };
    let parsed = match kind.parse_title(title) {
        Ok(parsed) => parsed,
        Err(fault) => return json!({ "error": fault.message }),
    };
    // `name` is another name of the only namevar.
    let canonical = |name| if name == "name" { kind.sole_namevar().unwrap_or(name) } else { name };
    let given = |name: &str| {
        let found = parameters.iter().find(|(given, _)| canonical(given) == name);
        found.map(|(_, value)| Value::string(*value))
    };
    let key = kind.uniqueness_key(title, given).expect("the title was parsed before");
    let parsed: Vec<_> = parsed.iter().map(|(name, text)| [*name, text.as_str().unwrap_or_default()]).collect();
    let key: Vec<_> = key.iter().map(|value| value.as_ref().and_then(Value::as_str)).collect();
    json!({ "title": parsed, "key": key })
}

fn ask(language: Language, folders: &[String]) -> Result<serde_json::Value, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/kinds.rb");
    let mut command = Command::new("ruby");
    command.arg(script).args(client::option(language)).args(folders);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().map_err(|error| format!("ruby cannot be started: {error}"))?;
    let samples = SAMPLES.iter().map(|(kind, title, parameters)| {
        let parameters: serde_json::Map<_, _> =
            parameters.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        json!([kind, title, parameters])
    });
    let samples: serde_json::Value = samples.collect();
    let written = process.stdin.take().map(|mut to| write!(to, "{samples}"));
    let output = process.wait_with_output().map_err(|error| error.to_string())?;
    match (written, output.status.success()) {
        (Some(Ok(())), true) => serde_json::from_slice(&output.stdout).map_err(|error| error.to_string()),
        _ => Err("the oracle does not tell of its types; run tests/oracle/setup".to_owned()),
    }
}
