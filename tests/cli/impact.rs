//! `pantin impact` and `pantin unused`: what the answers of nodes were made from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pantin::base::random::MersenneTwister;
use serde_json::Value;

use crate::diff::{commit, copy, git, replace, repository};
use crate::{Folder, Run};

fn impact(folder: &Folder, more: &[&str]) -> Run {
    folder.run(&[&["impact", "--facts", "facts", "--cache-dir", "cache", "--quiet"], more].concat())
}

/// The nodes that an edit can reach.
fn reached(folder: &Folder, more: &[&str]) -> Vec<String> {
    let run = impact(folder, &[more, &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    json["nodes"].as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn who_reads_a_file_is_reached() {
    let folder = repository();
    assert_eq!(reached(&folder, &["site/base/manifests/init.pp"]), ["db", "web1", "web2"]);
    assert_eq!(reached(&folder, &["site/store"]), ["db"]);
    assert_eq!(reached(&folder, &["--class", "store"]), ["db"]);
    assert_eq!(reached(&folder, &["--class", "::Base"]), ["db", "web1", "web2"]);
    assert_eq!(reached(&folder, &["facts/web1.json"]), ["web1"]);
    assert_eq!(reached(&folder, &["data/all.yaml"]), ["db", "web1", "web2"]);
    assert_eq!(reached(&folder, &["--key", "base::greeting"]), ["db", "web1", "web2"]);
    assert_eq!(reached(&folder, &["--key", "nobody::asks"]), [""; 0]);
    folder.write("README.md", "Nobody reads it.\n");
    assert_eq!(reached(&folder, &["README.md"]), [""; 0]);
    // Whoever lists a folder would find what is not there yet.
    assert_eq!(reached(&folder, &["manifests/new.pp"]), ["db", "web1", "web2"]);
    assert_eq!(reached(&folder, &["--nodes", "web*", "site"]), ["web1", "web2"]);
}

#[test]
fn how_a_node_is_reached_is_told() {
    let folder = repository();
    let run = impact(&folder, &["site/store/manifests/init.pp", "--explain"]);
    assert!(run.out.starts_with("1 of 3 nodes\n  db\n"), "{}", run.out);
    assert!(run.out.contains("      runs the code of site/store/manifests/init.pp\n"), "{}", run.out);
    assert!(run.out.contains("3 nodes compiled for this"), "{}", run.out);
    let again = impact(&folder, &["--key", "base::greeting", "--explain"]);
    assert!(again.out.contains("      looks up the key base::greeting\n"), "{}", again.out);
    assert!(again.out.contains("0 nodes compiled for this"), "{}", again.out);
}

#[test]
fn what_is_not_there_is_wrong_usage() {
    let folder = repository();
    write(
        &folder,
        &[("site/base/manifests/old.pp", "class base::old { }\n"), ("site/base/templates/motd.epp", "hello\n")],
    );
    for (arguments, said) in [
        (&["--class", "stroe"][..], "there is no class or defined type stroe"),
        (&["--function", "none::such"], "there is no function none::such"),
        (&["--template", "base/none.epp"], "there is no template base/none.epp"),
        (&["--class", "stroe"], "production; there is no module stroe in the module path; did you mean store?"),
        (&["--class", "base::odl"], "; did you mean base::old?"),
        (&["--function", "map"], "; it is built in, and in no file"),
        (&["--template", "base/motdd.epp"], "; did you mean base/motd.epp?"),
        (&[], "nothing is asked about"),
        (&["base::old"], "base::old is the name of a class, a defined type or a function: use --class base::old"),
        (&["site", "--nodes", "wbe1"], "did you mean web1?"),
    ] {
        let run = impact(&folder, arguments);
        assert!(run.err.contains(said) && run.code == Some(2), "{arguments:?}: {:?} {}", run.code, run.err);
    }
}

#[test]
fn what_is_not_there_yet_may_be_a_slip() {
    let folder = repository();
    for (arguments, said) in [
        (&["manifests/site.p"][..], "Warning: manifests/site.p is not there; did you mean manifests/site.pp?\n"),
        (
            &["--key", "base::greetign"],
            "Warning: no data that the nodes read has the key base::greetign, and no node looks it up; did you mean base::greeting?\n",
        ),
        (&["--key", "base::greeting"], ""),
        (&["manifests/new.pp"], ""),
    ] {
        let run = impact(&folder, arguments);
        assert_eq!((run.err.as_str(), run.code), (said, Some(0)), "{arguments:?}");
    }
}

#[test]
fn without_facts_there_are_no_nodes_to_ask() {
    let folder = repository();
    for arguments in [&["impact", "site"][..], &["impact", "--since", "HEAD"], &["unused"], &["diff", "HEAD"]] {
        let run = folder.run(arguments);
        assert!(
            run.err.contains("there are no nodes: --facts says where their facts are"),
            "{arguments:?}: {}",
            run.err
        );
    }
}

#[test]
fn since_a_revision_those_are_reached_whose_answers_do_not_hold() {
    let folder = repository();
    assert_eq!(reached(&folder, &["--since", "HEAD"]), [""; 0]);
    replace(&folder, "site/store/manifests/init.pp", "'15'", "'16'");
    let run = impact(&folder, &["--since", "HEAD", "--explain"]);
    assert!(run.out.starts_with("1 of 3 nodes\n  db\n"), "{}", run.out);
    assert!(run.out.contains("site/store/manifests/init.pp"), "{}", run.out);
    replace(&folder, "site/store/manifests/init.pp", "'16'", "'15'");
    replace(&folder, "site/store/manifests/init.pp", "class store", "# Nothing new.\nclass store");
    assert_eq!(reached(&folder, &["--since", "HEAD"]), [""; 0]);
}

/// The modules count that a Puppetfile names, and not what else it says.
#[test]
fn since_a_revision_a_comment_in_the_puppetfile_reaches_nobody() {
    let folder = repository();
    folder.write("Puppetfile", "mod 'base', local: true\n");
    commit(&folder);
    folder.write("Puppetfile", "# of this site\n\nmod 'base',\n  local: true\n");
    assert_eq!(reached(&folder, &["--since", "HEAD"]), [""; 0]);
    folder.write("Puppetfile", "mod 'base', local: true\nmod 'store', local: true\n");
    assert_eq!(reached(&folder, &["--since", "HEAD"]).len(), 3);
}

/// What a node would depend on behind its error nobody knows.
#[test]
fn since_a_revision_a_node_without_a_catalog_is_unknown() {
    let folder = repository();
    replace(&folder, "manifests/site.pp", "node 'db' {", "node 'db' { fail('broken')");
    commit(&folder);
    folder.write("data/nobody_reads_it.yaml", "a: 1\n");
    let run = impact(&folder, &["--since", "HEAD"]);
    assert!(run.out.starts_with("0 of 3 nodes\n") && run.code == Some(1), "{}", run.out);
    assert!(run.out.contains("not known of db, for ") && run.out.contains("broken"), "{}", run.out);
}

/// A node whose facts cannot be read has no answer: nobody can say whether it would be another one.
#[test]
fn since_a_revision_a_node_without_an_answer_is_unknown() {
    let folder = repository();
    folder.write("facts/bad.json", "{");
    commit(&folder);
    let run = impact(&folder, &["--since", "HEAD"]);
    assert!(run.out.starts_with("0 of 4 nodes\n") && run.code == Some(1), "{}", run.out);
    assert!(run.out.contains("not known of bad, for "), "{}", run.out);
}

fn write(folder: &Folder, files: &[(&str, &str)]) {
    files.iter().for_each(|(name, text)| folder.write(name, text));
}

fn unused(folder: &Folder, more: &[&str]) -> Run {
    folder.run(&[&["unused", "--facts", "facts", "--cache-dir", "cache", "--quiet"], more].concat())
}

#[test]
fn what_no_node_uses_is_told_with_its_place() {
    let folder = repository();
    write(
        &folder,
        &[
            ("site/base/manifests/old.pp", "# Nobody includes it.\nclass base::old { }\n"),
            ("site/base/manifests/thing.pp", "define base::thing { }\n"),
            ("site/base/functions/f.pp", "function base::f() { 1 }\n"),
            (
                "site/base/lib/puppet/functions/base/g.rb",
                "Puppet::Functions.create_function(:'base::g') { def g; 1; end }\n",
            ),
            ("site/base/types/port.pp", "type Base::Port = Integer\n"),
            ("site/base/templates/old.epp", "x"),
            ("site/base/files/folder/x", "x"),
            ("data/none.yaml", "a: 1\n"),
        ],
    );
    replace(&folder, "data/all.yaml", "base::greeting: hello\n", "base::greeting: hello\nbase::colour: red\n");
    let run = unused(&folder, &[]);
    let expected = "\
Classes
  base::old (site/base/manifests/old.pp:2)

Defined types
  base::thing (site/base/manifests/thing.pp:1)

Functions
  base::f (site/base/functions/f.pp:1)
  base::g (site/base/lib/puppet/functions/base/g.rb:1)

Type aliases
  Base::Port (site/base/types/port.pp)

Templates
  base/old.epp (site/base/templates/old.epp)

Files
  base/folder/x (site/base/files/folder/x)

Files of data
  none.yaml (data/none.yaml)

Keys of data
  base::colour (data/all.yaml:2)

9 things that no node uses, of 3 nodes
";
    assert_eq!((run.out.as_str(), run.code), (expected, Some(0)), "{}", run.err);
    // Whoever uses them is seen.
    replace(
        &folder,
        "site/store/manifests/init.pp",
        "class store {",
        "class store {\n  include base::old\n  base::thing { 'x': }\n  $all = [base::f(), base::g(), lookup('base::colour'), \
         assert_type(Base::Port, 1)]\n  file { '/x': content => epp('base/old.epp') }\n  file { '/y': source => 'puppet:///modules/base/folder', recurse => \
         true }",
    );
    let run = unused(&folder, &[]);
    assert_eq!(
        run.out, "Files of data\n  none.yaml (data/none.yaml)\n\n1 thing that no node uses, of 3 nodes\n",
        "{}",
        run.err
    );
}

#[cfg(unix)]
#[test]
fn what_is_found_served_or_left_to_the_agent_is_used() {
    use std::os::unix::fs::symlink;
    let folder = repository();
    let listed = "Puppet::Functions.create_function(:'base::listed') do\n  def listed\n    \
                  Dir.glob(File.join(__dir__, '../../../../files/globbed/*.conf')).length\n  end\nend\n";
    let secret = "Puppet::Functions.create_function(:'base::secret') { def secret; 1; end }\n";
    write(
        &folder,
        &[
            ("site/base/files/found", "x"),
            ("site/base/files/globbed/a.conf", "x"),
            ("site/base/files/globbed/other", "x"),
            ("site/base/files/remote/x", "x"),
            ("site/base/files/real", "x"),
            ("site/base/files/links/README", "x"),
            ("site/base/files/inside", "x"),
            ("site/base/files/nobody", "x"),
            ("site/base/lib/puppet/functions/base/listed.rb", listed),
            ("site/base/lib/puppet/functions/base/secret.rb", secret),
            ("site/base/lib/puppet/functions/base/idle.rb", &secret.replace("secret", "idle")),
        ],
    );
    symlink("real", folder.path().join("site/base/files/link")).unwrap();
    symlink("../inside", folder.path().join("site/base/files/links/inside")).unwrap();
    replace(
        &folder,
        "site/store/manifests/init.pp",
        "class store {",
        "class store {\n  notify { \"${find_file('base/found')} ${base::listed()}\": }\n  file { '/r': source => \
         'puppet://server.example.org/modules/base/remote', recurse => true }\n  file { '/l': source => 'puppet:///modules/base/link' }\n  file { \
         '/d': source => 'puppet:///modules/base/links', recurse => true }\n  file { '/s': content => Deferred('base::secret', []) }",
    );
    let run = unused(&folder, &[]);
    let expected = "\
Functions
  base::idle (site/base/lib/puppet/functions/base/idle.rb:1)

Files
  base/globbed/other (site/base/files/globbed/other)
  base/nobody (site/base/files/nobody)

3 things that no node uses, of 3 nodes
";
    assert_eq!((run.out.as_str(), run.code), (expected, Some(0)), "{}", run.err);
}

#[test]
fn a_folder_that_the_puppetfile_installs_into_is_left_out() {
    let folder = repository();
    write(
        &folder,
        &[
            ("environment.conf", "modulepath = site:external\n"),
            ("Puppetfile", "moduledir './external'\nmod 'a/one', '1.0.0'\nmod 'own', local: true\nmod \"in#{side}\"\n"),
            ("external/one/manifests/init.pp", "class one { }\n"),
            ("external/dependency/manifests/init.pp", "class dependency { }\n"),
            ("external/own/manifests/init.pp", "class own { }\n"),
        ],
    );
    let names = |run: &Run| {
        let lines = run.out.lines().filter(|line| line.contains("(external/")).map(str::to_owned);
        lines.collect::<Vec<_>>()
    };
    assert_eq!(names(&unused(&folder, &[])), ["  own (external/own/manifests/init.pp:1)"]);
    assert_eq!(names(&unused(&folder, &["--all"])).len(), 3);
}

#[test]
fn what_a_change_made_unused_is_told_alone() {
    let folder = repository();
    write(&folder, &[("site/base/manifests/old.pp", "class base::old { }\n")]);
    commit(&folder);
    replace(&folder, "manifests/site.pp", "include store", "");
    let run = unused(&folder, &["--since", "HEAD"]);
    let expected = "Classes\n  store (site/store/manifests/init.pp:1)\n\n1 thing that no node uses, of 3 nodes\n";
    assert_eq!(run.out, expected, "{}", run.err);
}

#[test]
fn a_failing_node_is_told_as_unknown() {
    let folder = repository();
    replace(&folder, "site/store/manifests/init.pp", "package", "fail('x')\n  package");
    let run = unused(&folder, &[]);
    assert!(run.out.contains("1 of them without a catalog: what they would use is not known (db)"), "{}", run.out);
    assert_eq!(run.code, Some(1));
}

/// Files of a repository that an edit may be made in.
fn editable(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match path.is_dir() {
            true => editable(&path, found),
            false if ["pp", "yaml", "epp", "erb"].contains(&extension) => found.push(path),
            false => {}
        }
    }
}

/// The text with another value somewhere. `None`: there is none.
fn edited(path: &Path, text: &str, below: &mut impl FnMut(usize) -> usize) -> Option<String> {
    let is_code = path.extension().is_some_and(|extension| extension == "pp");
    let is_data = path.extension().is_some_and(|extension| extension == "yaml");
    let lines: Vec<&str> = text.lines().collect();
    let is_value = |line: &str| match (is_code, is_data) {
        (true, _) => line.matches('\'').count() >= 2 && !line.trim_start().starts_with('#'),
        (_, true) => line.contains(": ") && line.ends_with(char::is_alphanumeric),
        _ => true,
    };
    let places: Vec<usize> = (0..lines.len()).filter(|at| is_value(lines[*at])).collect();
    let at = *places.get(below(places.len().max(1)))?;
    let line = match is_code {
        true => {
            let end = lines[at].rfind('\'')?;
            format!("{}Z{}", &lines[at][..end], &lines[at][end..])
        }
        false => format!("{}Z", lines[at]),
    };
    let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    lines[at] = line;
    Some(lines.join("\n") + "\n")
}

/// Moves a file of data and a module elsewhere, and leaves links in their places.
#[cfg(unix)]
fn lay_links(repository: &Path) {
    let moved = repository.join("moved");
    fs::create_dir(&moved).unwrap();
    for (place, name, target) in
        [("data/common.yaml", "common.yaml", "../moved/common.yaml"), ("site/profile", "profile", "../moved/profile")]
    {
        fs::rename(repository.join(place), moved.join(name)).unwrap();
        std::os::unix::fs::symlink(target, repository.join(place)).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn no_node_that_an_edit_changes_is_left_out() {
    let folder = Folder::with(&[]);
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    copy(&fixtures.join("control-repo"), &folder.path().join("repo"));
    lay_links(&folder.path().join("repo"));
    git(&folder, &["init", "--quiet", "--initial-branch=main"]);
    commit(&folder);
    let facts = fixtures.join("facts");
    let run = |command: &str, more: &[&str]| -> Value {
        let arguments =
            [command, "--environment-dir", "repo", "--facts", facts.to_str().unwrap(), "--cache-dir", "cache"];
        let run =
            folder.run(&[&arguments, more, &["--quiet", "--format", "json", "--nodes", "*01.example.org"]].concat());
        // A path that nobody looks for is an error, and reaches nobody.
        let is_missing = command == "impact" && run.err.contains("is not there, and no node looks for it");
        let out = if is_missing { r#"{"nodes": []}"# } else { &run.out };
        serde_json::from_str(out).unwrap_or_else(|_| panic!("{}", run.err))
    };
    let names = |json: &Value, is_meant: &dyn Fn(&Value) -> bool| -> BTreeSet<String> {
        let nodes = json["nodes"].as_array().unwrap().iter().filter(|node| is_meant(node));
        nodes.map(|node| node["name"].as_str().unwrap().to_owned()).collect()
    };
    let mut files = Vec::new();
    editable(&folder.path().join("repo"), &mut files);
    let mut twister = MersenneTwister::from_integer(20_261_128);
    let mut below = |limit: usize| twister.below(limit as u64).unwrap() as usize;
    let (mut edits, mut changed_nodes) = (0, 0);
    // `PANTIN_EDITS=1000 cargo test --test cli no_node_that` makes more of them.
    let most = std::env::var("PANTIN_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(30);
    while edits < most {
        let path = &files[below(files.len())];
        let text = fs::read_to_string(path).unwrap();
        let Some(new) = edited(path, &text, &mut below) else { continue };
        edits += 1;
        let impact = || names(&run("impact", &[path.to_str().unwrap()]), &|_| true);
        let before = impact();
        // A file that goes is seen by whoever would see it come.
        let goes = below(4) == 0 && !path.is_symlink();
        let missing = goes.then(|| {
            fs::remove_file(path).unwrap();
            impact()
        });
        if !goes {
            fs::write(path, &new).unwrap();
        }
        let since = names(&run("impact", &["--since", "HEAD"]), &|_| true);
        let changed = names(&run("diff", &["HEAD"]), &|node| {
            !["unchanged", "failing"].contains(&node["status"].as_str().unwrap())
        });
        fs::write(path, &text).unwrap();
        assert!(changed.is_subset(&before), "{}: {changed:?} {before:?}", path.display());
        assert!(changed.is_subset(&since), "{}: {changed:?} {since:?}", path.display());
        match missing {
            Some(missing) => assert!(changed.is_subset(&missing), "{}: {changed:?} {missing:?}", path.display()),
            None => assert!(since.is_subset(&before), "{}: {since:?} {before:?}", path.display()),
        }
        changed_nodes += changed.len();
    }
    assert!(changed_nodes > 30, "{changed_nodes}");
}
