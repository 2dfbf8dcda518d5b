//! `pantin apply --root`: a tree is changed as its own root, and nothing beside it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use libtest_mimic::Trial;

use crate::machine::{MARKER, refuse_other_roots};
use crate::workspace::{Workspace, mount};

type Test = fn(&ScratchRoot) -> Result<(), String>;

const TESTS: &[(&str, Test)] = &[
    ("changes the tree alone", changes_the_tree_alone),
    ("has processes and folders of its own", has_processes_of_its_own),
    ("comes to the same twice", comes_to_the_same_twice),
    ("takes a catalog of another node", takes_a_catalog_of_another_node),
    ("follows the edits of a repository", follows_edits),
    ("applies everything again after a time", applies_everything_again),
    ("verifies what a partial run left", verifies_partial_runs),
    ("shows in a plan how files differ", shows_differences_in_plans),
    ("believes the stamps of files that it has read", believes_stamps),
    ("refuses the root of this machine", refuses_own_root),
    ("refuses whoever is not root", refuses_others),
];

pub(crate) fn trials(workspace: Option<&Arc<Workspace>>) -> Vec<Trial> {
    let trial = |(name, test): &(&str, Test)| {
        let (name, test) = (format!("--root: {name}"), *test);
        match workspace.map(Arc::clone) {
            Some(workspace) => Trial::test(name, move || {
                ScratchRoot::make(&workspace).and_then(|root| test(&root)).map_err(Into::into)
            }),
            None => Trial::test(name, || Ok(())).with_ignored_flag(true),
        }
    };
    TESTS.iter().map(trial).collect()
}

/// A tree over the base that lives for one test.
struct ScratchRoot {
    folder: PathBuf,
    root: PathBuf,
}

impl ScratchRoot {
    fn make(workspace: &Workspace) -> Result<ScratchRoot, String> {
        let folder = tempfile::Builder::new().tempdir_in(&workspace.folder).map_err(|error| error.to_string())?.keep();
        let [root, upper, work] = ["root", "upper", "work"].map(|name| folder.join(name));
        for path in [&root, &upper, &work] {
            fs::create_dir(path).map_err(|error| error.to_string())?;
        }
        let options =
            format!("lowerdir={},upperdir={},workdir={}", workspace.base.display(), upper.display(), work.display());
        mount(&["-t", "overlay", "overlay", "-o", &options], &root)?;
        let made = ScratchRoot { folder, root };
        fs::write(made.path(MARKER), "").map_err(|error| error.to_string())?;
        Ok(made)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_default()
    }

    /// Applies code in the tree, which has to be one that the tests made.
    fn apply(&self, arguments: &[&str]) -> Result<(Option<i32>, String), String> {
        refuse_other_roots(&self.root)?;
        let root = self.root.display().to_string();
        Ok(said(pantin().args(["--root", &root]).args(arguments)))
    }
}

impl Drop for ScratchRoot {
    fn drop(&mut self) {
        let _ = Command::new("umount").args(["-R", "-l"]).arg(&self.root).stderr(Stdio::null()).status();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// `pantin apply` for a machine of a test. It never applies anything to this machine: without `--root` it is refused.
fn pantin() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
    command.args(["apply", "--certname", "web01", "--color", "never"]).stdin(Stdio::null());
    command
}

fn said(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().expect("pantin starts");
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), text)
}

fn expect(is_so: bool, what: impl Into<String>) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(what.into()) }
}

/// A path that is on no machine.
const UNLIKELY: &str = "/etc/made-in-the-tree-of-a-test-of-pantin";

fn changes_the_tree_alone(root: &ScratchRoot) -> Result<(), String> {
    let code = format!(
        "file {{ '{UNLIKELY}': content => \"x\\n\", owner => 'games' }} exec {{ '/usr/bin/touch /srv/touched': }}"
    );
    let (exit, text) = root.apply(&["-e", &code, "--verbose"])?;
    expect(exit == Some(0), &text)?;
    expect(root.text(UNLIKELY) == "x\n", "the file is in the tree")?;
    expect(root.path("/srv/touched").exists(), "the command ran in the tree")?;
    expect(!Path::new(UNLIKELY).exists() && !Path::new("/srv/touched").exists(), "this machine is as it was")?;
    let state = root.path("/opt/puppetlabs/puppet/cache/state/state.yaml");
    expect(state.exists(), format!("the state is in the tree: {text}"))
}

/// `pantin watch --apply`: everything at first, then what an edit asks for, and nothing while there is an error.
fn follows_edits(root: &ScratchRoot) -> Result<(), String> {
    refuse_other_roots(&root.root)?;
    let repository = tempfile::tempdir().map_err(|error| error.to_string())?;
    let write = |path: &str, text: &str| {
        let path = repository.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path.with_extension("new"), text).unwrap();
        fs::rename(path.with_extension("new"), path).unwrap();
    };
    let site = |content: &str| {
        let asked = "exec { '/bin/true': unless => '/usr/bin/touch /srv/asked' }";
        let files = format!(
            "file {{ '/etc/watched': content => \"{content}\\n\" }}\nfile {{ '/etc/other': content => 'other' }}\n\
             file {{ '/etc/copied': source => 'puppet:///modules/copied/source' }}"
        );
        format!("{asked}\n{files}\n")
    };
    write("environment.conf", "modulepath = modules\n");
    write("manifests/site.pp", &site("one"));
    write("modules/copied/files/source", "source one\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
    command.args(["watch", "--apply", "--format", "json", "--root"]).arg(&root.root).current_dir(repository.path());
    command.env("PANTIN_CACHE", repository.path().join(".cache")).stdin(Stdio::null());
    let mut watch = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|error| error.to_string())?;
    let mut events = BufReader::new(watch.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut applied = || events.find(|line| line.contains(r#""event":"applied""#)).unwrap_or_default();
    let mut edits = || {
        let first = applied();
        expect(first.contains(r#""exit":2"#) && first.contains(r#""full":true"#), &first)?;
        expect(
            root.text("/etc/watched") == "one\n" && root.path("/srv/asked").exists(),
            "the first run is a full one",
        )?;
        let _ = fs::remove_file(root.path("/srv/asked"));
        fs::write(root.path("/etc/other"), "by somebody else").map_err(|error| error.to_string())?;
        write("manifests/site.pp", &site("two"));
        let second = applied();
        expect(second.contains(r#""exit":2"#) && second.contains(r#""full":false"#), &second)?;
        expect(root.text("/etc/watched") == "two\n", "the edit is applied")?;
        expect(root.text("/etc/other") == "by somebody else", "what nobody edited is left alone")?;
        expect(!root.path("/srv/asked").exists(), "nobody else is asked")?;
        write("manifests/site.pp", "file {");
        write("manifests/site.pp", &site("three"));
        expect(applied().contains(r#""exit":2"#), "the mended edit is applied")?;
        expect(root.text("/etc/watched") == "three\n", "with what it says")?;
        write("modules/copied/files/source", "source two\n");
        let copied = applied();
        expect(copied.contains(r#""exit":2"#) && copied.contains(r#""full":false"#), &copied)?;
        expect(root.text("/etc/copied") == "source two\n", "a file that is copied is an edit too")
    };
    let ended = edits();
    let _ = watch.kill();
    let _ = watch.wait();
    ended
}

/// `--full-every`: the second full run mends what somebody else has changed.
fn applies_everything_again(root: &ScratchRoot) -> Result<(), String> {
    refuse_other_roots(&root.root)?;
    let repository = tempfile::tempdir().map_err(|error| error.to_string())?;
    fs::write(repository.path().join("environment.conf"), "").unwrap();
    fs::create_dir(repository.path().join("manifests")).unwrap();
    fs::write(repository.path().join("manifests/site.pp"), "file { '/etc/mended': content => 'right' }").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
    command.args(["watch", "--apply", "--full-every", "1s", "--format", "json", "--root"]).arg(&root.root);
    command.env("PANTIN_CACHE", repository.path().join(".cache")).stdin(Stdio::null()).current_dir(repository.path());
    let mut watch = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|error| error.to_string())?;
    let mut events = BufReader::new(watch.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut applied = || events.find(|line| line.contains(r#""event":"applied""#)).unwrap_or_default();
    let first = applied();
    let broken = fs::write(root.path("/etc/mended"), "by somebody else");
    // The next run may have begun before.
    let mut is_mended = false;
    for _ in 0..3 {
        is_mended |= applied().contains(r#""full":true"#) && root.text("/etc/mended") == "right";
    }
    let _ = watch.kill();
    let _ = watch.wait();
    expect(first.contains(r#""exit":2"#) && broken.is_ok(), first)?;
    expect(is_mended, "a later full run mends it")
}

fn verifies_partial_runs(root: &ScratchRoot) -> Result<(), String> {
    let code = |content: &str| {
        format!("file {{ '/srv/a': content => '{content}' }} file {{ '/srv/b': content => 'b' }} notify {{ 'words': }}")
    };
    let partial = ["--changed", "--verify", "--entry", "case", "--detailed-exitcodes"];
    let (exit, text) = root.apply(&["-e", &code("one"), "--entry", "case"])?;
    expect(exit == Some(0), text)?;
    let (exit, text) = root.apply(&[&["-e", &code("two")], &partial[..]].concat())?;
    expect(exit == Some(2) && text.contains("Notice: Verified: a full run would change nothing"), text)?;
    fs::write(root.path("/srv/b"), "by somebody else").map_err(|error| error.to_string())?;
    let (exit, text) = root.apply(&[&["-e", &code("three")], &partial[..]].concat())?;
    expect(exit == Some(6) && text.contains("Error: File[/srv/b]: a full run would still change content"), &text)?;
    expect(root.text("/srv/b") == "by somebody else", "verifying changes nothing")
}

fn shows_differences_in_plans(root: &ScratchRoot) -> Result<(), String> {
    refuse_other_roots(&root.root)?;
    let (exit, text) = root.apply(&["-e", "file { '/srv/a': content => \"one\\n\" }", "--entry", "case"])?;
    expect(exit == Some(0), text)?;
    let plan = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pantin"));
        command.args(["plan", "--certname", "web01", "--color", "never", "--entry", "case", "--root"]).arg(&root.root);
        command.args(["-e", "file { '/srv/a': content => \"two\\n\" }"]).args(more).stdin(Stdio::null());
        said(&mut command)
    };
    let (exit, text) = plan(&["--show_diff"]);
    expect(exit == Some(2) && text.contains("\n       -one\n") && text.contains("\n       +two\n"), &text)?;
    let (_, text) = plan(&["--show_diff", "--format", "json"]);
    expect(text.contains("\"diff\"") && text.contains("+two"), &text)?;
    expect(!plan(&[]).1.contains("+two") && root.text("/srv/a") == "one\n", "only where it is asked for")
}

/// A file that has its stamp still is not read again; `--no-stamps` reads it.
fn believes_stamps(root: &ScratchRoot) -> Result<(), String> {
    let code = "file { '/srv/a': content => 'right' }";
    fs::write(root.path("/srv/a"), "right").map_err(|error| error.to_string())?;
    std::thread::sleep(std::time::Duration::from_secs(4));
    let apply = |more: &[&str]| root.apply(&[&["-e", code, "--entry", "case", "--detailed-exitcodes"], more].concat());
    expect(apply(&[])?.0 == Some(0), "it is in step")?;
    let kept =
        fs::read_dir(root.path("/opt/puppetlabs/puppet/cache/state/pantin")).map_err(|error| error.to_string())?;
    let is_table = |name: &str| name.starts_with("sums-");
    let kept = kept.flatten().find(|entry| entry.file_name().to_str().is_some_and(is_table));
    let kept = kept.ok_or("what was read is remembered")?.path();
    let table = fs::read(&kept).map_err(|error| error.to_string())?;
    fs::write(root.path("/srv/a"), "wrong").map_err(|error| error.to_string())?;
    expect(apply(&[])?.0 == Some(2) && root.text("/srv/a") == "right", "another stamp says that it may be another")?;
    fs::write(&kept, &table[1..]).map_err(|error| error.to_string())?;
    expect(apply(&[])?.0 == Some(0), "a damaged table is none")?;
    expect(apply(&["--no-stamps"])?.0 == Some(0), "it can be asked to read all")
}

fn has_processes_of_its_own(root: &ScratchRoot) -> Result<(), String> {
    fs::create_dir_all(root.path("/run/left")).map_err(|error| error.to_string())?;
    let code = "exec { '/bin/sh -c \"ls /proc | grep -c ^[0-9] > /srv/count; ls -A /run > /srv/run; readlink /proc/1/exe > /srv/first\"': }";
    let (exit, text) = root.apply(&["-e", code])?;
    expect(exit == Some(0), &text)?;
    let count: u32 = root.text("/srv/count").trim().parse().map_err(|_| format!("no count: {text}"))?;
    expect((2..=6).contains(&count), format!("{count} processes are seen"))?;
    expect(root.text("/srv/run").trim().is_empty(), "/run is new")?;
    expect(root.path("/run/left").exists(), "what stood in /run before stands there again")?;
    expect(
        fs::read_dir(root.path("/proc")).is_ok_and(|mut entries| entries.next().is_none()),
        "/proc is not mounted any more",
    )
}

fn comes_to_the_same_twice(root: &ScratchRoot) -> Result<(), String> {
    let code = "file { '/srv/a': ensure => directory } file { '/srv/a/b': content => \"x\\n\" }";
    let (first, text) = root.apply(&["-e", code, "--detailed-exitcodes"])?;
    expect(first == Some(2), &text)?;
    let (second, text) = root.apply(&["-e", code, "--detailed-exitcodes"])?;
    expect(second == Some(0), &text)
}

fn takes_a_catalog_of_another_node(root: &ScratchRoot) -> Result<(), String> {
    let catalog = root.folder.join("catalog.json");
    let text = r#"{"name":"db07","environment":"production","resources":[
        {"type":"Stage","title":"main","parameters":{}},{"type":"Class","title":"main","parameters":{}},
        {"type":"File","title":"/srv/of-db07","kind":"compilable_type","parameters":{"content":"x\n"}}],
        "edges":[{"source":"Stage[main]","target":"Class[main]"},{"source":"Class[main]","target":"File[/srv/of-db07]"}]}"#;
    fs::write(&catalog, text).map_err(|error| error.to_string())?;
    let (exit, text) = root.apply(&["--catalog", &catalog.display().to_string()])?;
    expect(exit == Some(0) && root.text("/srv/of-db07") == "x\n", text)
}

fn refuses_own_root(_: &ScratchRoot) -> Result<(), String> {
    let (exit, text) = said(pantin().args(["--root", "/", "--noop", "-e", "notify { 'x': }"]));
    expect(exit != Some(0) && text.contains("--root: / is the root of this machine"), text)
}

fn refuses_others(root: &ScratchRoot) -> Result<(), String> {
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups", env!("CARGO_BIN_EXE_pantin")]);
    command.args(["apply", "--root"]).arg(&root.root).args(["--certname", "web01", "-e", "notify { 'x': }"]);
    let (exit, text) = said(command.stdin(Stdio::null()).env("HOME", "/nonexistent"));
    expect(exit != Some(0), &text)?;
    expect(!root.path("/var/lib/puppet/state/state.yaml").exists(), "nothing was applied")
}
