//! What one run keeps, and the next one finds: the binary, run again and again in a real folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::{Folder, Run};

pub(crate) fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", "node default { include \"role_${facts['role']}\" }\n"),
        (
            "modules/role_web/manifests/init.pp",
            "class role_web(Sensitive[String] $key) {\n  file { '/w': content => lookup('port') }\n  file { '/key': \
             content => $key }\n}\n",
        ),
        (
            "modules/role_db/manifests/init.pp",
            "class role_db { notify { 'db': }\n  notice(\"of ${facts['clientcert']}\")\n  @@host { \
             $facts['clientcert']: ip => $facts['ip'] }\n  Host <<| |>> }\n",
        ),
        ("hiera.yaml", "version: 5\nhierarchy:\n- name: all\n  paths: ['%{facts.clientcert}.yaml', common.yaml]\n"),
        (
            "data/common.yaml",
            "port: '80'\nrole_web::key: swordfish-and-chips\nlookup_options:\n  role_web::key: {convert_to: Sensitive}\n",
        ),
        ("facts/db1.json", r#"{"role": "db", "ip": "10.0.0.1"}"#),
        ("facts/db2.json", r#"{"role": "db", "ip": "10.0.0.2"}"#),
        ("facts/web1.json", r#"{"role": "web", "ip": "10.0.0.3"}"#),
        ("facts/web2.json", r#"{"role": "web", "ip": "10.0.0.4"}"#),
    ])
}

pub(crate) fn fleet(folder: &Folder, more: &[&str]) -> Value {
    let run = folder.run(&[&["fleet", "--facts", "facts", "--format", "json", "-q"], more].concat());
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}{}", run.out, run.err))
}

/// The nodes that were not answered in an earlier run.
pub(crate) fn anew(report: &Value) -> Vec<&str> {
    let nodes = report["nodes"].as_array().unwrap().iter().filter(|node| node["kept"] == json!(false));
    nodes.map(|node| node["name"].as_str().unwrap()).collect()
}

/// Every file below a folder.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => drop(found.insert(path.clone(), fs::read(&path).unwrap())),
        }
    }
    found
}

pub(crate) fn written(folder: &Folder) -> BTreeMap<PathBuf, Vec<u8>> {
    files(&folder.path().join("out"))
}

/// What must be the same whoever compiles it.
pub(crate) fn without_version(files: BTreeMap<PathBuf, Vec<u8>>) -> BTreeMap<PathBuf, Vec<u8>> {
    let of = |(path, bytes): (PathBuf, Vec<u8>)| match serde_json::from_slice::<Value>(&bytes) {
        Ok(mut catalog) => {
            catalog["version"] = json!(0);
            catalog["catalog_uuid"] = json!(0);
            (path, catalog.to_string().into_bytes())
        }
        Err(_) => (path, bytes),
    };
    files.into_iter().map(of).collect()
}

#[test]
fn a_second_run_evaluates_nothing_and_writes_the_same() {
    let folder = repository();
    let first = fleet(&folder, &["--out", "out"]);
    assert_eq!((anew(&first).len(), &first["summary"]["kept"]), (4, &json!(0)));
    let of_first = written(&folder);
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    let second = fleet(&folder, &["--out", "out"]);
    assert_eq!(anew(&second), Vec::<&str>::new());
    assert_eq!(second["summary"]["kept"], json!(4));
    assert_eq!(written(&folder), of_first);
    assert_eq!(
        (&first["messages"], first["nodes"][0]["resources"].clone()),
        (&second["messages"], second["nodes"][0]["resources"].clone())
    );
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    let none = fleet(&folder, &["--out", "out", "--no-cache"]);
    assert_eq!(anew(&none).len(), 4);
    assert_eq!(without_version(written(&folder)), without_version(of_first));
    let text = folder.run(&["fleet", "--facts", "facts", "-q"]).out;
    assert!(text.contains("4 nodes answered from the cache"), "{text}");
}

#[test]
fn an_edit_is_answered_anew_where_it_counts() {
    let folder = repository();
    fleet(&folder, &[]);
    let after = |path: &str, text: &str| {
        folder.write(path, text);
        let report = fleet(&folder, &[]);
        anew(&report).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let nobody: [&str; 0] = [];
    assert_eq!(after("README", "x"), nobody);
    // What settings say counts, and not how it is said.
    assert_eq!(after("environment.conf", "# ours\nmodulepath=modules\n"), nobody);
    assert_eq!(after("environment.conf", "modulepath = modules:site\n").len(), 4);
    assert_eq!(after("environment.conf", "modulepath = modules\n"), nobody);
    assert_eq!(after("data/web1.yaml", "port: '81'\n"), ["web1"]);
    assert_eq!(after("facts/db2.json", r#"{"role": "db", "ip": "10.0.0.9"}"#), ["db2"]);
    assert_eq!(after("facts/web3.json", r#"{"role": "web", "ip": "10.0.0.5"}"#), ["web3"]);
    assert_eq!(after("modules/role_db/manifests/init.pp", "class role_db { notify { 'other': } }\n"), ["db1", "db2"]);
    assert_eq!(after("modules/role_db/manifests/init.pp", "class role_db { syntax error\n"), ["db1", "db2"]);
    assert_eq!(after("README", "y"), nobody);
    // Back on the first branch.
    assert_eq!(after("modules/role_db/manifests/init.pp", "class role_db { notify { 'other': } }\n"), nobody);
    fs::remove_file(folder.path().join("data/web1.yaml")).unwrap();
    assert_eq!(after("README", "z"), nobody);
    // One file more, of the same content, that comes first.
    fs::rename(folder.path().join("facts/web1.json"), folder.path().join("facts/web1.yaml")).unwrap();
    assert_eq!(after("README", ""), ["web1"]);
}

#[test]
fn settings_count_by_what_they_say() {
    let folder = repository();
    let conf = |text: &str| {
        folder.write("conf/puppet.conf", text);
        anew(&fleet(&folder, &["--confdir", "conf", "--environment-dir", "."])).len()
    };
    assert_eq!((conf(""), conf("# none\n"), conf("[agent]\nruninterval = 5\n")), (4, 0, 0));
    assert_eq!((conf("[main]\nstrict = warning\n"), conf("[server]\nstrict = warning\n"), conf("")), (4, 0, 0));
}

#[test]
fn another_question_has_another_answer() {
    let folder = repository();
    let kept = |more: &[&str]| anew(&fleet(&folder, more)).is_empty();
    assert!(!kept(&[]) && kept(&[]) && kept(&["--nodes", "w*"]) && kept(&["--jobs", "1"]));
    assert!(!kept(&["--set", "strict=warning"]) && !kept(&["-e", "include role_db"]) && !kept(&["--puppet", "7"]));
    assert!(kept(&["--set", "strict=warning"]));
    assert!(!kept(&["--set", "max_elements=5000"]) && kept(&["--set", "max_elements=5000"]));
    // What is drawn is drawn from the catalogs that are stored.
    assert!(kept(&["--graph", "dots"]) && folder.path().join("dots/web1/relationships.dot").is_file());
    assert!(!kept(&["--code-id", "abc"]) && !kept(&["--code-id", "abc"]));
}

#[test]
fn what_others_export_is_a_part_of_the_question() {
    let folder = repository();
    let exported = ["--exported", "fleet", "--out", "out"];
    fleet(&folder, &exported);
    let first = written(&folder);
    let second = fleet(&folder, &exported);
    assert_eq!((anew(&second).len(), &second["exported"]["resources"]), (0, &json!(2)));
    assert_eq!(written(&folder), first);
    // Who collects is told of the new address.
    folder.write("facts/db2.json", r#"{"role": "db", "ip": "10.0.0.99"}"#);
    let third = fleet(&folder, &exported);
    assert_eq!(anew(&third), ["db1", "db2"]);
    let catalog = fs::read_to_string(folder.path().join("out/db1.json")).unwrap();
    assert!(catalog.contains("10.0.0.99"), "{catalog}");
}

#[cfg(unix)]
#[test]
fn what_an_enc_says_is_a_part_of_the_question() {
    use std::os::unix::fs::PermissionsExt;
    let folder = repository();
    let enc = |says: &str| {
        folder.write("enc", format!("#!/bin/sh\necho '{says}'\n"));
        fs::set_permissions(folder.path().join("enc"), fs::Permissions::from_mode(0o755)).unwrap();
        anew(&fleet(&folder, &["--enc", "./enc"])).len()
    };
    assert_eq!((enc("parameters: {a: 1}"), enc("parameters: {a: 1}"), enc("parameters: {a: 2}")), (4, 0, 4));
}

#[test]
fn a_secret_is_nowhere_to_be_read() {
    let folder = repository();
    // Nothing in the catalog of this one says that there is a secret in it.
    folder.write("facts/app1.json", r#"{"role": "app"}"#);
    let options = "lookup_options: {password: {convert_to: Sensitive}, 'role_web::key': {convert_to: Sensitive}}\n";
    let data = "port: '80'\npassword: &k swordfish-and-chips\nrole_web::key: *k\n";
    folder.write("data/common.yaml", [data, options].concat());
    let class = "class role_app { file { '/app': content => \"k=${lookup('password').unwrap}\" } }\n";
    folder.write("modules/role_app/manifests/init.pp", class);
    fleet(&folder, &["--out", "out"]);
    let app = fs::read_to_string(folder.path().join("out/app1.json")).unwrap();
    assert!(app.contains("k=swordfish-and-chips") && !app.contains("sensitive_parameters"), "{app}");
    let plain = String::from_utf8(fs::read(folder.path().join("out/web1.json")).unwrap()).unwrap();
    assert!(plain.contains("swordfish-and-chips"));
    let mut readable = 0;
    for (path, bytes) in files(folder.cache.path()) {
        let payload = bytes.get(128..).unwrap_or_default();
        let unpacked =
            (8..24).find_map(|shift| lz4_flex::block::decompress(payload, 1 << shift).ok()).unwrap_or_default();
        let holds = |text: &str| {
            [&bytes, &unpacked].iter().any(|bytes| bytes.windows(text.len()).any(|part| part == text.as_bytes()))
        };
        assert!(!holds("swordfish"), "{}", path.display());
        readable += usize::from(holds("10.0.0.1") || holds("role_db"));
    }
    assert!(readable > 0, "what is no secret can be read, so that this test can fail");
    // Whoever has a key of their own takes no answer that was not signed with it, secret or not.
    let run = |key: &str| {
        let mut command = folder.command(&["fleet", "--facts", "facts", "--format", "json", "-q"]);
        let out = command.env("PANTIN_CACHE_KEY", key).output().unwrap().stdout;
        anew(&serde_json::from_slice(&out).unwrap()).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(run("the key of somebody else, long enough"), ["app1", "db1", "db2", "web1", "web2"]);
    assert_eq!(run("the key of somebody else, long enough"), Vec::<String>::new());
}

#[test]
fn damage_is_noticed_and_does_no_harm() {
    let folder = repository();
    let right = fleet(&folder, &["--out", "out"])["messages"].clone();
    let out = written(&folder);
    let cache = folder.cache.path().join("cache");
    for spoil in 0..6_usize {
        for (number, (path, mut bytes)) in files(&cache).into_iter().enumerate() {
            let at = (number * 7919 + spoil * 104_729) % bytes.len().max(1);
            match spoil {
                0 => bytes.truncate(at),
                1 => bytes.clear(),
                2 => bytes.extend(b"more"),
                _ if bytes.is_empty() => {}
                _ => bytes[at] ^= 1 << spoil,
            }
            fs::write(path, bytes).unwrap();
        }
        let report = fleet(&folder, &["--out", "out"]);
        assert_eq!(report["messages"], right, "{spoil}");
        assert_eq!(without_version(written(&folder)), without_version(out.clone()), "{spoil}");
    }
    let verify = |folder: &Folder| folder.run(&["cache", "verify"]);
    verify(&folder);
    let run = verify(&folder);
    assert_eq!((run.code, run.out.contains(" 0 damaged")), (Some(0), true), "{}{}", run.out, run.err);
}

#[test]
fn where_nothing_can_be_kept_all_is_answered_and_said() {
    let folder = repository();
    folder.write("file", "");
    let run = folder.run(&["fleet", "--facts", "facts", "-q", "--cache-dir", "file/below"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.starts_with("Warning: the cache is of no use: "), "{}", run.err);
    let short = folder.command(&["fleet", "--facts", "facts", "-q"]).env("PANTIN_CACHE_KEY", "short").output().unwrap();
    let said = String::from_utf8(short.stderr).unwrap();
    assert!(
        short.status.success() && said.contains("PANTIN_CACHE_KEY: a key for secrets in the cache has at least"),
        "{said}"
    );
}

#[test]
fn a_cache_is_looked_after() {
    let folder = repository();
    let run = |arguments: &[&str]| -> Run { folder.run(&[&["cache"], arguments].concat()) };
    let path = run(&["path"]).out;
    run(&["size"]);
    assert!(!folder.cache.path().join("pantin/cache.key").exists());
    assert_eq!(Path::new(path.trim()), folder.cache.path().join("cache"));
    fleet(&folder, &[]);
    let said = ["size", "verify", "clean", "clear", "size"].map(|task| run(&[task]).out);
    assert!(said[0].contains(" in 5 entries of this build"), "{said:?}");
    assert!(said[1].starts_with("5 sound, 0 damaged"), "{said:?}");
    assert!(said[4].starts_with("0.0 MB in 0 entries"), "{said:?}");
    assert_eq!(anew(&fleet(&folder, &[])).len(), 4);
    assert_eq!(run(&["path", "--cache-dir", "here"]).out.trim(), format!("{}/here", folder.real_path()));
}

#[test]
fn whoever_looks_after_a_cache_makes_nothing() {
    let folder = Folder::with(&[("own/notes", "mine")]);
    for task in ["path", "size", "verify", "clean", "clear"] {
        for (dir, code) in [("own", 0), ("nowhere", 0), ("own/notes", i32::from(task != "path"))] {
            let run = folder.run(&["cache", task, "--cache-dir", dir]);
            assert_eq!(run.code, Some(code), "{task} {dir}: {}{}", run.out, run.err);
            let complaint = format!("Error: not all of the cache could be got at: {}/{dir}: ", folder.real_path());
            assert_eq!(run.err.starts_with(&complaint), code == 1, "{task} {dir}: {}", run.err);
        }
    }
    assert!(!folder.path().join("nowhere").exists());
    assert_eq!(files(&folder.path().join("own")).len(), 1);
    // Nor does a run hide from backups what is somebody's own.
    folder.write("manifests/site.pp", "");
    let fleet = |dir| folder.run(&["compile", "a", "--environment-dir", ".", "--cache-dir", dir]).code;
    assert_eq!((fleet("own"), fleet("nowhere")), (Some(0), Some(0)));
    assert!(!folder.path().join("own/CACHEDIR.TAG").exists());
    assert!(folder.path().join("nowhere/CACHEDIR.TAG").exists());
}

#[cfg(unix)]
#[test]
fn a_cache_that_is_closed_is_not_said_to_be_empty() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let folder = repository();
    fleet(&folder, &[]);
    let cache = folder.cache.path().join("cache");
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for task in ["size", "verify", "clean", "clear"] {
        let mut command = folder.command(&["cache", task]);
        allow(&cache, 0o000);
        if fs::read_dir(&cache).is_ok() {
            // The superuser is refused nothing, so somebody else has to ask.
            [folder.path(), folder.cache.path()].iter().for_each(|path| allow(path, 0o755));
            command.uid(65_534).gid(65_534);
        }
        let run = crate::finish(command.spawn().unwrap());
        allow(&cache, 0o700);
        let complaint = format!("Error: not all of the cache could be got at: {}: ", cache.display());
        assert!(run.code == Some(1) && run.err.starts_with(&complaint), "{task}: {}{}", run.out, run.err);
    }
    assert!(folder.run(&["cache", "size"]).out.contains(" in 5 entries"));
}

#[test]
fn a_size_that_is_none_is_said_to_whoever_looks_after_a_cache() {
    let folder = Folder::with(&[]);
    let said = "'bad' is no size such as 500M or 8G\n";
    for task in ["size", "clean", "verify", "clear"] {
        let output = folder.command(&["cache", task]).env("PANTIN_CACHE_SIZE", "bad").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("Warning: PANTIN_CACHE_SIZE: {said}"), "{task}");
        let run = folder.run(&["cache", task, "--set", "pantin_cache_size=bad"]);
        assert_eq!(run.err, format!("Warning: pantin_cache_size: {said}"), "{task}");
    }
}

#[test]
fn a_setting_may_say_where_it_is_and_how_large() {
    let folder = repository();
    folder.write("conf/puppet.conf", "[main]\npantin_cache = $confdir/kept\npantin_cache_size = some\n");
    let run = |arguments: &[&str], variable: Option<&str>| {
        let mut command = folder.command(arguments);
        command.env_remove("PANTIN_CACHE").envs(variable.map(|value| ("PANTIN_CACHE", value)));
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout).trim().to_owned(), text(output.stderr))
    };
    let conf = ["--confdir", "conf"];
    let path = |more: &[&str], variable| run(&[&["cache", "path"], more].concat(), variable).0;
    let kept = format!("{}/conf/kept", folder.real_path());
    assert_eq!(path(&conf, None), kept);
    assert_eq!(path(&conf, Some("/elsewhere")), "/elsewhere");
    assert_eq!(path(&["--set", "pantin_cache=/given"], Some("/elsewhere")), "/given");
    assert_eq!(path(&["--set", "pantin_cache=/given", "--cache-dir", "/named"], Some("/elsewhere")), "/named");
    let fleet = ["fleet", "--facts", "facts", "-q", "--environment-dir", "."];
    let (_, said) = run(&[&fleet[..], &conf].concat(), None);
    assert!(said.contains("pantin_cache_size: 'some' is no size such as 500M or 8G"), "{said}");
    assert!(Path::new(&kept).join("CACHEDIR.TAG").exists());
    let again = run(&[&fleet[..], &conf, &["--set", "pantin_cache_size=8M"]].concat(), None);
    assert!(!again.1.contains("Warning"), "{}", again.1);
    assert!(run(&["cache", "size", "--set", "pantin_cach=x"], None).1.contains("there is no setting"));
}

#[test]
fn one_catalog_is_printed_as_it_was_compiled() {
    let folder = repository();
    folder.write("Puppetfile", "mod 'puppetlabs/stdlib', '9.0.0'\n");
    let compile = |more: &[&str]| folder.run(&[&["compile", "--facts", "facts"], more].concat());
    for arguments in [
        &["db1"][..],
        &["db1", "--format", "pretty"],
        &["web1", "db2", "--format", "tree"],
        &["web1", "--out", "c.json"],
    ] {
        let [first, second] = [(), ()].map(|()| {
            let run = compile(arguments);
            let file = fs::read_to_string(folder.path().join("c.json")).unwrap_or_default();
            (run.code, run.out, without_seconds(&run.err), file)
        });
        assert_eq!(first, second, "{arguments:?}");
        assert!(first.2.contains("The Puppetfile names modules that are not there"), "{}", first.2);
    }
    // It is the one that was kept: its name is its own.
    let [first, second] = [&["db1"][..], &["db1", "--no-cache"]].map(|arguments| compile(arguments).out);
    assert_ne!(first, second);
    folder.write("facts/db1.json", r#"{"role": "db", "ip": "10.0.0.7"}"#);
    assert!(compile(&["db1", "--exported", "none.json"]).err.contains("none.json"));
    assert!(compile(&["db1"]).err.contains("Scope(Class[Role_db]): of db1"));
    // What fails says why each time.
    folder.write("modules/role_db/manifests/init.pp", "class role_db { fail('no') }\n");
    let [first, second] = [(), ()].map(|()| compile(&["db1"]));
    assert_eq!((first.code, &first.err), (Some(1), &second.err));
}

/// Where times stand that are never the same.
fn without_seconds(text: &str) -> String {
    let lines =
        text.lines().map(|line| line.split_once(" seconds").map_or(line, |(before, _)| &before[..before.len() - 4]));
    lines.collect::<Vec<_>>().join("\n")
}

/// Processes that are killed while they write: `PANTIN_KILLS` says how many.
#[cfg(unix)]
#[test]
fn who_is_killed_leaves_nothing_wrong() {
    let folder = repository();
    let kills = std::env::var("PANTIN_KILLS").ok().and_then(|number| number.parse().ok()).unwrap_or(20_u64);
    let options = "lookup_options: {'role_web::key': {convert_to: Sensitive}}";
    let common = |port| format!("port: '{port}'\nrole_web::key: swordfish\n{options}\n");
    let right = |port: u64| {
        let catalog = |more: &[&str]| {
            fleet(&folder, &[&["--out", "out"], more].concat());
            without_version(written(&folder))
        };
        let kept = catalog(&[]);
        assert!(String::from_utf8_lossy(&kept[&folder.path().join("out/web2.json")]).contains(&format!("\"{port}\"")));
        assert_eq!(kept, catalog(&["--no-cache"]));
    };
    for number in 0..kills {
        let port = 1000 + number % 7;
        folder.write("data/common.yaml", common(port));
        folder.write("data/web1.yaml", format!("port: '{number}'\n"));
        let mut beside = folder.command(&["fleet", "--facts", "facts", "-q"]).spawn().unwrap();
        let mut child = folder.command(&["fleet", "--facts", "facts", "-q"]).spawn().unwrap();
        thread::sleep(Duration::from_micros(number * 7919 % 60_000));
        child.kill().unwrap();
        child.wait().unwrap();
        beside.wait().unwrap();
        if number % 5 == 4 {
            right(port);
        }
    }
    assert_eq!(folder.run(&["cache", "verify"]).code, Some(0));
}

#[test]
fn a_clock_that_went_back_does_no_harm() {
    let folder = repository();
    fleet(&folder, &[]);
    let far = Duration::from_secs(20 * 365 * 24 * 3600);
    for time in [SystemTime::now() + far, SystemTime::UNIX_EPOCH] {
        for path in files(folder.cache.path()).keys().chain(files(folder.path()).keys()) {
            fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        }
        assert_eq!(anew(&fleet(&folder, &[])), Vec::<&str>::new());
        // An edit is one, though the file seems older than what is kept of it.
        let facts = |ip: &str| folder.write("facts/db1.json", format!(r#"{{"role": "db", "ip": "{ip}"}}"#));
        facts("10.0.0.8");
        fs::File::options().write(true).open(folder.path().join("facts/db1.json")).unwrap().set_modified(time).unwrap();
        assert_eq!(anew(&fleet(&folder, &[])), ["db1"]);
        facts("10.0.0.1");
        assert_eq!(anew(&fleet(&folder, &[])), Vec::<&str>::new());
        let cleaned = folder.run(&["cache", "clean"]);
        assert_eq!(cleaned.code, Some(0), "{}", cleaned.err);
        assert_eq!(folder.run(&["cache", "verify"]).code, Some(0));
        // What another time says of their age may cost answers, and never more.
        fs::remove_dir_all(folder.cache.path().join("cache")).unwrap();
        fleet(&folder, &[]);
    }
}

#[test]
fn files_that_change_while_they_are_read_leave_nothing_wrong() {
    let folder = repository();
    // Long enough to be read, and written, in more than one piece.
    let data = |port: u32| {
        let more: String = (0..20_000).map(|number| format!("key_{number}: '{port}'\n")).collect();
        format!("port: '{port}'\n{more}last: '{port}'\nrole_web::key: swordfish-and-chips\n")
    };
    let hiera = "class role_web { notify { \"${lookup('port')} ${lookup('last')}\": } }\n";
    folder.write("modules/role_web/manifests/init.pp", hiera);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for port in (0..).map(|turn| 80 + turn % 2) {
                folder.write("data/common.yaml", data(port));
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        for _ in 0..15 {
            let run = folder.run(&["fleet", "--facts", "facts", "-q"]);
            // Half a file may be no data; nobody panics, and nobody waits.
            assert!(matches!(run.code, Some(0 | 1)), "{}", run.err);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    for port in [80, 81] {
        folder.write("data/common.yaml", data(port));
        fleet(&folder, &["--out", "out"]);
        let kept = written(&folder);
        fleet(&folder, &["--out", "out", "--no-cache"]);
        assert_eq!(without_version(kept), without_version(written(&folder)), "{port}");
    }
}
