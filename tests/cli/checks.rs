//! Resources that the agent would refuse, said before any agent sees them: in which words, in which commands, and who can switch it off.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Folder, Run};

const FACTS: &str =
    r#"{"kernel": "Linux", "os": {"name": "Debian", "family": "Debian", "release": {"major": "12", "full": "12.9"}}}"#;

const WRONG: &str = "service { 'web': ensure => runing }\nfile { 'motd': ensure => file }\n";

fn folder(manifest: &str) -> Folder {
    Folder::with(&[("manifests/site.pp", manifest), ("facts/web01.json", FACTS)])
}

fn compile(folder: &Folder, more: &[&str]) -> Run {
    let arguments = ["compile", "web01", "--facts", "facts", "--manifest", "manifests/site.pp", "--format", "summary"];
    folder.run(&[&arguments[..], more].concat())
}

/// What a run says of a manifest as errors, without the folder.
fn refused(manifest: &str) -> Vec<String> {
    let folder = folder(manifest);
    let run = compile(&folder, &[]);
    let said = run.err.replace(&folder.real_path(), "");
    let lines: Vec<String> = said.lines().filter_map(|line| line.strip_prefix("Error: ")).map(str::to_owned).collect();
    assert_eq!(run.code, Some(i32::from(!lines.is_empty())), "{manifest}\n{said}");
    lines
}

/// A refusal that the real Puppet was recorded with.
struct Recorded {
    document: String,
    message: String,
    manifest: String,
}

/// Every refusal in the records of `tests/apply` that is about a type which the agent brings itself.
fn recorded() -> Vec<Recorded> {
    let mut documents = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/apply/cases"), &mut documents);
    documents.sort();
    let mut found = Vec::new();
    for path in documents {
        let text = std::fs::read_to_string(&path).unwrap();
        for case in text.split("\n## ").skip(1) {
            let Some(manifest) = block(case, "pp") else { continue };
            let records = block(case, "seen").unwrap_or_default();
            for line in records.lines().filter_map(|line| line.strip_prefix("! Error: ")) {
                let is_refusal = line.starts_with("Parameter ") || line.starts_with("Validation of ");
                let Some((message, place)) = line.split_once(" (file: /case/site.pp, line: ") else { continue };
                let number: usize = place.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
                let Some(manifest) = alone(&manifest, number).filter(|_| is_refusal) else { continue };
                let document = format!("{}:{line}", path.file_name().unwrap().to_string_lossy());
                found.push(Recorded { document, message: message.to_owned(), manifest });
            }
        }
    }
    found
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true => collect(&path, paths),
            false => paths.push(path),
        }
    }
}

/// The text of the first block behind a fence with these words.
fn block(case: &str, words: &str) -> Option<String> {
    let (_, rest) = case.split_once(&format!("```{words}\n"))?;
    Some(rest.split_once("```")?.0.to_owned())
}

/// The resource of a line, without the case that chooses it by the number of the run.
fn alone(manifest: &str, number: usize) -> Option<String> {
    if !manifest.contains("case file('") {
        return (!manifest.contains("file('")).then(|| manifest.to_owned());
    }
    let line = manifest.lines().nth(number - 1)?;
    let (_, inside) = line.split_once(": {")?;
    Some(inside.trim().strip_suffix('}')?.to_owned())
}

#[test]
fn what_the_real_puppet_was_recorded_to_refuse_is_refused_in_its_words() {
    // These types are of modules.
    let of_modules = ["File_line", "Concat_", "Ini_", "Anchor"];
    let recorded: Vec<Recorded> = recorded();
    // These were recorded on a machine where systemd is not the first process: no fact says that.
    // A deferred value is worked out before it is judged here.
    let is_of_machine =
        |one: &&Recorded| ["Provider debian must have", "DeferredValue"].iter().any(|part| one.message.contains(part));
    let native = recorded.iter().filter(|one| !is_of_machine(one));
    let native = native.filter(|one| !of_modules.iter().any(|name| one.message.contains(&format!(" {name}"))));
    let mut manifest = String::new();
    let native: Vec<&Recorded> = native.collect();
    for (number, one) in native.iter().enumerate() {
        manifest.push_str(&format!("node 'n{number}' {{\n{}\n}}\n", one.manifest));
    }
    let folder = Folder::with(&[("manifests/site.pp", &manifest)]);
    for number in 0..native.len() {
        folder.write(&format!("facts/n{number}.json"), FACTS);
    }
    let run = folder.run(&["fleet", "--facts", "facts", "--manifest", "manifests/site.pp", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for error in report["messages"].as_array().unwrap().iter().filter(|error| error["about"] == "refused_resource") {
        for node in error["nodes"].as_array().unwrap() {
            said.entry(node.as_str().unwrap().to_owned()).or_default().push(error["text"].as_str().unwrap().to_owned());
        }
    }
    let missing: Vec<String> = native
        .iter()
        .enumerate()
        .filter(|(number, one)| {
            !said.get(&format!("n{number}")).is_some_and(|said| said.iter().any(|said| said == one.message.trim_end()))
        })
        .map(|(number, one)| format!("{}\n  here: {:?}", one.document, said.get(&format!("n{number}"))))
        .collect();
    assert!(missing.is_empty(), "{} of {}:\n{}", missing.len(), native.len(), missing.join("\n"));
    assert!(native.len() > 120, "{}", native.len());
}

#[test]
fn every_refused_resource_is_said_with_its_place() {
    assert_eq!(
        refused(WRONG),
        [
            "Parameter ensure failed on Service[web]: Invalid value \"runing\". Valid values are stopped, running. (file: \
             /manifests/site.pp, line: 1)",
            "Parameter path failed on File[motd]: File paths must be fully qualified, not 'motd' (file: \
             /manifests/site.pp, line: 2)",
        ]
    );
    assert_eq!(refused("service { 'web': ensure => running } file { '/etc/motd': mode => '0644' }"), [""; 0]);
}

#[test]
fn a_person_sees_the_line_and_the_likely_fix() {
    let folder = folder(WRONG);
    let said = compile(&folder, &["--log-format", "human"]).err;
    for part in
        ["1 │ service { 'web': ensure => runing }", "did you mean 'running'?", "'/motd'", "in the catalog of web01"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn the_system_of_a_node_is_that_of_its_facts() {
    let manifest = "service { 'web': enable => manual }\npackage { 'a': ensure => '1.0', provider => dpkg }\n";
    let said = refused(manifest);
    assert!(said[0].contains("Provider systemd must have features 'manual_startable'"), "{said:?}");
    assert!(said[1].contains("Provider dpkg must have features 'versionable'"), "{said:?}");
    let folder = folder(manifest);
    folder.write("facts/web01.json", r#"{"kernel": "windows", "os": {"name": "windows", "family": "windows"}}"#);
    let said = compile(&folder, &[]).err;
    assert!(!said.contains("manual_startable") && said.contains("versionable"), "{said}");
    // Of a node of which nobody knows anything, only what no system takes is refused.
    folder.write("facts/web01.json", "{}");
    folder.write("manifests/site.pp", "file { 'C:/x': ensure => file } service { 'web': enable => manual }");
    assert_eq!(compile(&folder, &[]).code, Some(0));
}

#[test]
fn new_facts_are_judged_anew() {
    let folder = folder("service { 'web': enable => mask }");
    assert_eq!(compile(&folder, &[]).code, Some(0));
    folder.write("facts/web01.json", FACTS.replace("\"12\"", "\"7\""));
    let said = compile(&folder, &[]);
    assert!(said.err.contains("Provider debian must have features 'maskable'"), "{}", said.err);
    assert_eq!(compile(&folder, &[]).code, Some(1));
}

#[test]
fn a_provider_of_a_module_is_known() {
    let folder = folder("package { 'a': provider => 'crate' }");
    assert!(compile(&folder, &[]).err.contains("Invalid package provider 'crate'"));
    folder.write("modules/rust/lib/puppet/provider/package/crate.rb", "");
    assert_eq!(compile(&folder, &["--modulepath", "modules"]).code, Some(0));
    // What was stored says so as well, and is looked at again when the file goes.
    assert_eq!(compile(&folder, &["--modulepath", "modules"]).code, Some(0));
    std::fs::remove_file(folder.path().join("modules/rust/lib/puppet/provider/package/crate.rb")).unwrap();
    folder.write("modules/rust/metadata.json", "{}");
    assert_eq!(compile(&folder, &["--modulepath", "modules"]).code, Some(1));
}

#[test]
fn another_version_of_a_type_is_not_judged() {
    let folder = folder("cron { 'a': command => '/bin/a', hour => 25 }");
    assert_eq!(compile(&folder, &[]).code, Some(1));
    folder.write("modules/cron_core/lib/puppet/type/cron.rb", "Puppet::Type.newtype(:cron) {}");
    assert_eq!(compile(&folder, &["--modulepath", "modules"]).code, Some(0));
}

#[test]
fn only_the_person_can_switch_it_off() {
    let folder = folder(WRONG);
    assert_eq!(compile(&folder, &["--no-check-resources"]).code, Some(0));
    assert_eq!(compile(&folder, &["--check-resources=false"]).code, Some(0));
    folder.write("pantin.toml", "check_resources = 'off'\n");
    let said = compile(&folder, &[]);
    assert!(said.err.contains("'check_resources' does not count in a file of a repository"), "{}", said.err);
    std::fs::remove_file(folder.path().join("pantin.toml")).unwrap();
    let mut command = folder.command(&[
        "compile",
        "web01",
        "--facts",
        "facts",
        "--manifest",
        "manifests/site.pp",
        "--format",
        "summary",
    ]);
    assert_eq!(crate::finish(command.env("PANTIN_CHECK_RESOURCES", "off").spawn().unwrap()).code, Some(0));
    std::fs::create_dir_all(folder.cache.path().join("pantin")).unwrap();
    std::fs::write(folder.cache.path().join("pantin/pantin.toml"), "check_resources = 'off'\n").unwrap();
    assert_eq!(compile(&folder, &[]).code, Some(0));
    assert_eq!(compile(&folder, &["--check-resources"]).code, Some(1));
}

/// Whoever switches the check off does not pay for it, and an answer of one mode is none of the other.
#[test]
fn a_check_that_is_off_is_not_run() {
    let folder = folder(WRONG);
    let off = ["--no-check-resources", "--timings", "off.json"];
    let fleet = |more: &[&str]| {
        folder.run(&[&["fleet", "--facts", "facts", "--manifest", "manifests/site.pp"][..], more].concat())
    };
    assert_eq!(fleet(&off).code, Some(0));
    let looked = |file: &str, at: &str| {
        std::fs::read_to_string(folder.path().join(file)).unwrap().contains(&format!("look at the {at}"))
    };
    assert!(looked("off.json", "graph") && !looked("off.json", "resources"));
    // The answer of the first run says nothing of resources.
    let on = fleet(&["--timings", "on.json"]);
    assert!(on.code == Some(1) && on.out.contains("runing"), "{}{}", on.out, on.err);
    assert!(looked("on.json", "resources"));
    // Both are stored.
    for (more, code) in [(&off[..1], 0), (&[], 1)] {
        let run = fleet(&[more, &["--timings", "again.json"]].concat());
        assert_eq!(run.code, Some(code), "{}", run.err);
        assert!(!looked("again.json", "graph"), "{more:?}");
    }
}

#[test]
fn a_fleet_reports_it_in_every_form() {
    let folder = folder(WRONG);
    let fleet = |format: &str| {
        let run = folder.run(&["fleet", "--facts", "facts", "--manifest", "manifests/site.pp", "--format", format]);
        assert_eq!(run.code, Some(1), "{format}: {}", run.err);
        run.out
    };
    assert!(fleet("text").contains("Refused resources"), "{}", fleet("text"));
    let json: Value = serde_json::from_str(&fleet("json")).unwrap();
    let error = &json["messages"][0];
    assert_eq!((&error["about"], &error["line"]), (&"refused_resource".into(), &1.into()), "{json}");
    assert_eq!(error["help"], "did you mean 'running'?");
    assert!(fleet("github").contains("::error file=manifests/site.pp,line=1"), "{}", fleet("github"));
    for (format, part) in [
        ("gitlab", "REFUSED_RESOURCE"),
        ("sarif", "REFUSED_RESOURCE"),
        ("junit", "Invalid value &quot;runing&quot;"),
        ("markdown", "runing"),
        ("html", "runing"),
    ] {
        assert!(fleet(format).contains(part), "{format}: {}", fleet(format));
    }
    let off = ["fleet", "--facts", "facts", "--manifest", "manifests/site.pp", "--no-check-resources"];
    assert_eq!(folder.run(&off).code, Some(0));
}

#[test]
fn a_difference_tells_what_is_refused_newly() {
    let folder = Folder::with(&[
        ("one/manifests/site.pp", "service { 'web': ensure => running }"),
        ("two/manifests/site.pp", "service { 'web': ensure => runing }"),
        ("facts/web01.json", FACTS),
    ]);
    let diff =
        |more: &[&str]| folder.run(&[&["diff", "one", "two", "--facts", "facts", "--exit-code"][..], more].concat());
    let run = diff(&[]);
    assert!(run.out.contains("Newly refused resources") && run.out.contains("runing"), "{}", run.out);
    assert_eq!(run.code, Some(3));
    assert_eq!(diff(&["--no-check-resources"]).code, Some(2));
}

#[test]
fn a_saved_catalog_is_validated() {
    let folder = folder(WRONG);
    let saved = ["compile", "web01", "--facts", "facts", "--manifest", "manifests/site.pp", "--out", "web01.json"];
    folder.run(&saved);
    let run = folder.run(&["validate", "--catalog", "web01.json", "--format", "puppet"]);
    assert_eq!(run.code, Some(1));
    let said = run.out.clone() + &run.err;
    for part in ["Invalid value \"runing\"", "File paths must be fully qualified, not 'motd'", "line: 2"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    for format in ["gitlab", "sarif", "junit", "github", "json", "markdown", "text"] {
        let run = folder.run(&["validate", "--catalog", "web01.json", "--format", format]);
        assert!(run.code == Some(1) && run.out.contains("runing"), "{format}: {}{}", run.out, run.err);
    }
    folder.write("manifests/site.pp", "service { 'web': ensure => running }");
    folder.run(&saved);
    let run = folder.run(&["validate", "--catalog", "web01.json"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
    let run = folder.run(&["validate", "--catalog", "none.json"]);
    assert!(run.code != Some(0) && run.err.contains("none.json is not there"), "{}", run.err);
}

/// A catalog does not say what system its node has; facts do.
#[test]
fn a_saved_catalog_is_judged_by_facts() {
    let manifest = "service { 'web': enable => manual }\n";
    let folder = folder(manifest);
    let saved = ["--out", "saved/web01.json", "--no-check-resources"];
    folder.write("saved/empty", "");
    assert_eq!(compile(&folder, &saved).code, Some(0));
    let validate = |more: &[&str]| {
        let run = folder.run(&[&["validate", "--catalog", "saved", "--format", "puppet"][..], more].concat());
        (run.code, run.out + &run.err)
    };
    let refused = "Provider systemd must have features 'manual_startable'";
    assert_eq!(validate(&[]).0, Some(0));
    for facts in [["--facts", "facts"], ["--facts", "facts/web01.json"], ["--os", "debian-12"]] {
        let (code, said) = validate(&facts);
        assert!(code == Some(1) && said.contains(refused), "{facts:?}: {said}");
    }
    folder.write("windows/web01.json", r#"{"kernel": "windows", "os": {"name": "windows", "family": "windows"}}"#);
    assert_eq!(validate(&["--facts", "windows"]).0, Some(0));
    // What the configuration says counts where nothing is typed.
    folder.write("pantin.toml", "facts = ['facts']\n");
    let (code, said) = validate(&[]);
    assert!(code == Some(1) && said.contains(refused), "{said}");
    // Whoever names facts wants all nodes to be judged by them.
    folder.write("others/web02.json", FACTS);
    let (code, said) = validate(&["--facts", "others"]);
    assert!(code != Some(0) && said.contains("there are no facts of node web01"), "{said}");
    let (_, said) = validate(&["--facts", "nowhere"]);
    assert!(said.contains("--facts: ") && said.contains("nowhere"), "{said}");
    let run = folder.run(&["validate", "--facts", "facts", "manifests"]);
    assert!(run.code == Some(2) && run.err.contains("--catalog"), "{}", run.err);
}

#[test]
fn saved_catalogs_are_compared_by_facts() {
    let folder = folder("service { 'web': enable => true }\n");
    let save = |name: &str| {
        assert_eq!(compile(&folder, &["--out", name, "--no-check-resources"]).code, Some(0));
    };
    save("one.json");
    folder.write("manifests/site.pp", "service { 'web': enable => manual }\n");
    save("two.json");
    let diff = |more: &[&str]| folder.run(&[&["diff", "one.json", "two.json", "--exit-code"][..], more].concat());
    assert_eq!(diff(&[]).code, Some(2));
    let run = diff(&["--facts", "facts"]);
    assert!(run.code == Some(3) && run.out.contains("manual_startable"), "{}{}", run.out, run.err);
}

/// The messages are those of the real Puppet where it takes its machine for one of Windows.
#[test]
fn paths_of_windows_are_judged_where_a_node_has_windows() {
    const WINDOWS: &str = r#"{"kernel": "windows", "os": {"name": "windows", "family": "windows"}}"#;
    let no_path =
        |path: &str| format!("Parameter path failed on File[{path}]: File paths must be fully qualified, not '{path}'");
    let as_user = "Parameter user failed on Exec[C:/x.exe]: Unable to execute commands as other users on Windows";
    let relative = "Parameter source failed on File[C:/y]: Cannot use relative URLs '/x'";
    for (manifest, on_linux, on_windows) in [
        ("file { 'C:/x': }", no_path("C:/x"), String::new()),
        ("file { 'C:\\x\\y': }", no_path("C:\\x\\y"), String::new()),
        ("file { '//server/share/x': }", String::new(), String::new()),
        ("file { '/x': }", String::new(), no_path("/x")),
        ("file { 'x': }", no_path("x"), no_path("x")),
        ("file { 'C:/y': source => '/x' }", no_path("C:/y"), relative.to_owned()),
        (
            "exec { 'C:/x.exe': }",
            "Validation of Exec[C:/x.exe] failed: 'C:/x.exe' is not qualified and no path was specified. Please qualify the \
             command or specify a path."
                .to_owned(),
            String::new(),
        ),
        ("exec { 'C:/x.exe': user => 'a', path => 'C:/y' }", String::new(), as_user.to_owned()),
    ] {
        let folder = folder(manifest);
        for (facts, expected) in [(FACTS, on_linux), (WINDOWS, on_windows)] {
            folder.write("facts/web01.json", facts);
            let run = compile(&folder, &[]);
            let said = run.err.lines().find_map(|line| line.strip_prefix("Error: ")).unwrap_or_default();
            let said = said.rsplit_once(" (file: ").map_or(said, |(said, _)| said);
            assert_eq!(said, expected, "{manifest} {facts}");
        }
    }
}

#[test]
fn a_secret_is_not_in_the_message() {
    let folder = folder("file { '/x': mode => Sensitive('hush, hush') }");
    let said = compile(&folder, &[]);
    assert_eq!(said.code, Some(1));
    assert!(!said.err.contains("hush") && said.err.contains("a value is Sensitive"), "{}", said.err);
}

#[test]
fn nothing_of_the_compiling_machine_counts() {
    // The user, the group and the file are not on this machine, and need not be.
    let manifest = "user { 'nobody-here': home => '/nowhere', purge_ssh_keys => true, gid => 'nogroup-here' }\n\
                    exec { 'no-such-program-here': path => '/nowhere', user => 'nobody-here', cwd => '/nowhere' }\n\
                    ssh_authorized_key { 'k': user => 'nobody-here', type => 'ssh-rsa', key => 'AAAA' }\n\
                    file { '/nowhere/x': source => '/nowhere/y', owner => 'nobody-here', validate_cmd => '/no %' }\n";
    assert_eq!(refused(manifest), [""; 0]);
}

#[test]
fn values_that_come_later_are_not_judged() {
    let manifest = "file { '/x': mode => Deferred('unwrap', ['0644']), content => 'a' }\nservice { 'web': ensure => runing, \
                    start => Deferred('unwrap', ['x']) }\n";
    let said = refused(manifest);
    assert!(said.len() == 1 && said[0].contains("runing"), "{said:?}");
}

/// Modules bring types of their own, which are purged like those of the agent.
#[test]
fn resources_of_a_type_of_a_module_may_be_purged() {
    let of_module = "Puppet::Type.newtype(:my_config) do\n  ensurable\n  newparam(:name, namevar: true)\nend\n";
    let folder = folder("resources { 'my_config': purge => true }\n");
    folder.write("environment.conf", "modulepath = modules\n");
    let refused = compile(&folder, &[]);
    let said = "Error: Parameter name failed on Resources[my_config]: Could not find resource type 'my_config'";
    assert!(refused.err.contains(said) && refused.code == Some(1), "{}", refused.err);
    folder.write("modules/m/lib/puppet/type/my_config.rb", of_module);
    let taken = compile(&folder, &[]);
    assert_eq!((taken.err.contains("Error: "), taken.code), (false, Some(0)), "{}", taken.err);
}

/// A type of a module, with all words that say what is taken.
const THING: &str = include_str!("checked_types/thing.rb");

/// Returns what is said of things of a node with these facts.
fn refused_things(manifest: &str, facts: &str) -> Vec<String> {
    let folder = folder(manifest);
    folder.write("environment.conf", "modulepath = modules\n");
    folder.write("modules/things/lib/puppet/type/thing.rb", THING);
    folder.write("facts/web01.json", facts);
    let run = compile(&folder, &[]);
    let errors = run.err.lines().filter_map(|line| line.strip_prefix("Error: "));
    errors.map(|line| line.rsplit_once(" (file: ").map_or(line, |(said, _)| said).to_owned()).collect()
}

/// The messages are those of the real Puppet, 7.23 and 8.10, on the same resources.
#[test]
fn types_of_modules_say_themselves_what_they_refuse() {
    let no_kind = "Parameter kind failed on Thing[a]: Invalid value \"middle\". Valid values are small, large. Valid values match \
                   /^\\d+cm$/.";
    for (resource, said) in [
        ("'a b':", "Parameter name failed on Thing[a b]: a name has no space: 'a b'"),
        ("'a': kind => middle", no_kind),
        ("'a': kind => '12cm'", ""),
        ("'a': kind => small", ""),
        ("'a': kind => big", "large things need a path"),
        ("'a': kind => big, path => '/x'", ""),
        ("'a': kind => large, path => x", "Parameter path failed on Thing[a]: the path is not absolute: x"),
        (
            "'a': size => '12x'",
            "Parameter size failed on Thing[a]: Munging failed for value \"12x\" in class size: invalid value for Integer(): \
             \"12x\"",
        ),
        ("'a': size => []", ""),
        (
            "'a': kind => big, path => '/x', members => ['a', 3]",
            "Parameter members failed on Thing[a]: a member is a text, not 3",
        ),
        ("'a': members => ['a']", "Validation of Thing[a] failed: a small thing has no members"),
        (
            "'a': purge => maybe",
            "Parameter purge failed on Thing[a]: Invalid value \"maybe\". Valid values are true, false, yes, no.",
        ),
        ("'a': purge => true", ""),
        (
            "'a': ensure => gone",
            "Parameter ensure failed on Thing[a]: Invalid value \"gone\". Valid values are present, absent.",
        ),
        ("'a': size => 3, twice => 'ab'", ""),
        (
            "'a': twice => x",
            "Parameter twice failed on Thing[a]: Munging failed for value \"x\" in class twice: no implicit conversion from nil \
             to integer",
        ),
        // Whether the file is there is the affair of the machine.
        ("'a': owner => 'nobody-at-all'", ""),
    ] {
        let expected: Vec<&str> = Some(said).filter(|said| !said.is_empty()).into_iter().collect();
        assert_eq!(refused_things(&format!("thing {{ {resource} }}"), FACTS), expected, "{resource}");
    }
}

#[test]
fn types_of_modules_are_judged_where_the_system_is_known() {
    let manifest = "thing { 'a': kind => middle }";
    assert_eq!(refused_things(manifest, FACTS).len(), 1);
    assert_eq!(refused_things(manifest, r#"{"kernel": "windows", "os": {"family": "windows"}}"#), [""; 0]);
    assert_eq!(refused_things(manifest, "{}"), [""; 0]);
}

#[test]
fn a_type_of_a_module_that_is_edited_is_asked_anew() {
    let folder = folder("thing { 'a': kind => middle }");
    folder.write("environment.conf", "modulepath = modules\n");
    let file = "modules/things/lib/puppet/type/thing.rb";
    folder.write(file, THING);
    assert_eq!(compile(&folder, &[]).code, Some(1));
    // What was stored says so again, and not after the edit.
    assert_eq!(compile(&folder, &[]).code, Some(1));
    folder.write(file, THING.replace("newvalues(:small,", "newvalues(:small, :middle,"));
    assert_eq!(compile(&folder, &[]).code, Some(0));
}

#[test]
fn code_of_a_type_that_remembers_something_is_not_run() {
    let remembers =
        "  validate do\n    @@seen ||= []\n    fail 'twice' unless @@seen.empty?\n    @@seen << self[:name]\n  end\n";
    let start = THING.rfind("  validate do\n").unwrap();
    let folder = folder("thing { 'a': } thing { 'b': }");
    folder.write("environment.conf", "modulepath = modules\n");
    folder.write("modules/things/lib/puppet/type/thing.rb", format!("{}{remembers}end\n", &THING[..start]));
    let run = compile(&folder, &[]);
    assert_eq!(run.code, Some(0), "{}", run.err);
}
