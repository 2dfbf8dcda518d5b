//! The files for pipelines: their steps run, as they are pasted, in a scratch clone of a control repository.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use pantin::regex::{Options, Regex};
use pantin::values::Value;
use pantin::values::data::yaml;

use crate::comments::Server;
use crate::{Folder, Run, finish};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read_yaml(name: &str) -> Value {
    let text = fs::read(root().join(name)).unwrap();
    yaml::load(&text, name, yaml::Options::default()).unwrap()
}

fn get<'v>(value: &'v Value, path: &[&str]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, name| match value {
        Value::Hash(members) => members.get_str(name),
        _ => None,
    })
}

fn items(value: Option<&Value>) -> &[Value] {
    match value {
        Some(Value::Array(items)) => items,
        _ => &[],
    }
}

fn members(value: Option<&Value>) -> Vec<(String, String)> {
    let Some(Value::Hash(members)) = value else { return Vec::new() };
    let text = |value: &Value| pantin::values::ops::to_s(value);
    members.iter().map(|(name, value)| (text(name), text(value))).collect()
}

/// A scratch place: a repository with a change on a branch, and programs that stand in for those of a runner.
struct Place {
    folder: Folder,
}

impl Place {
    fn new() -> Place {
        let place = Place { folder: Folder::with(&[]) };
        let bin = place.path("bin");
        fs::create_dir_all(&bin).unwrap();
        fs::create_dir_all(place.path("artifacts")).unwrap();
        for (name, text) in [
            ("sudo", "exec \"$@\""),
            ("gem", "exit 0"),
            ("r10k", "[ \"$*\" = 'puppetfile install' ]"),
            ("rustup", "exit 0"),
            ("cargo", "[ \"$1\" = install ]"),
            ("comment-report", &format!("exec '{}/packaging/comment-report' \"$@\"", root().display())),
        ] {
            let file = bin.join(name);
            fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
            run(Command::new("chmod").arg("+x").arg(&file));
        }
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pantin"), bin.join("pantin")).unwrap();
        let script = format!(
            "cp -r '{root}/fixtures/control-repo' repo && mkdir repo/facts && cp '{root}'/fixtures/facts/web0[12]* '{root}'/fixtures/facts/ns01* \
             repo/facts && cd repo && git init -q -b production && git add -A && git commit -qm first && git checkout -qb change && \
             sed -i 's/^  timezone:/&/; s/Europe.Amsterdam/Europe\\/Oslo/' data/common.yaml && git commit -qam second",
            root = root().display()
        );
        let made = place.shell("", &script, &[]);
        assert_eq!(made.code, Some(0), "{}{}", made.out, made.err);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A clone for one job, on the branch with the change.
    fn check_out(&self, name: &str) {
        let made = self.shell("", &format!("git clone -q -b change repo '{name}'"), &[]);
        assert_eq!(made.code, Some(0), "{}", made.err);
    }

    /// Runs a script as a runner does.
    fn shell(&self, folder: &str, script: &str, variables: &[(String, String)]) -> Run {
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]);
        command.current_dir(self.path(folder)).env_clear();
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("HOME", self.path(""))
            .env("CI", "true");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "a").env(format!("GIT_{who}_EMAIL"), "a@example.org");
        }
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        finish(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    fn run_accepted(&self, folder: &str, script: &str, variables: &[(String, String)]) -> Run {
        let run = self.shell(folder, script, variables);
        assert_eq!(run.code, Some(0), "{script}\n{}{}", run.out, run.err);
        run
    }
}

fn run(command: &mut Command) {
    assert!(command.status().unwrap().success());
}

fn variable(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}

const KEY: &str = "a key of these tests, of more than 32 letters";

/// What GitHub puts into the place of `${{ … }}`.
fn filled_in(text: &str, known: &BTreeMap<String, String>) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${{") {
        let (expression, after) = after.split_once("}}").unwrap();
        let value = known.get(expression.trim()).unwrap_or_else(|| panic!("what is {expression}?"));
        filled.push_str(before);
        filled.push_str(value);
        rest = after;
    }
    filled + rest
}

/// What the jobs of GitHub are given.
fn github(place: &Place, job: &str) -> (BTreeMap<String, String>, Vec<(String, String)>) {
    let workspace = place.path(job).display().to_string();
    let known = [
        ("github.workspace", workspace.as_str()),
        ("github.sha", "0123456789"),
        ("github.server_url", "https://github.example.org"),
        ("github.action_repository", "o/pantin"),
        ("github.action_ref", "main"),
        ("runner.os", "Linux"),
        ("runner.arch", "X64"),
        ("runner.temp", &format!("{workspace}-temp")),
        ("vars.PANTIN_SOURCE", "https://example.org/pantin.git"),
        ("vars.PANTIN_REVISION", "v1"),
        ("secrets.PANTIN_CACHE_KEY", KEY),
    ];
    let known = known.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let summary = place.path("summary.md").display().to_string();
    let added = place.path("github-path").display().to_string();
    let variables = vec![
        variable("GITHUB_ACTIONS", "true"),
        variable("GITHUB_BASE_REF", "production"),
        variable("GITHUB_STEP_SUMMARY", summary),
        variable("GITHUB_PATH", added),
        variable("GITHUB_ACTION_PATH", root().display().to_string()),
    ];
    (known, variables)
}

/// Posts the report as the action `packaging/comment` does, to a server of our own.
fn assert_comment(place: &Place, report: &str) {
    let server = Server::default();
    let variables = [
        variable("GITHUB_TOKEN", "a-token"),
        variable("GITHUB_API_URL", server.start()),
        variable("GITHUB_REPOSITORY", "o/r"),
        variable("PULL_REQUEST", "7"),
        variable("no_proxy", "127.0.0.1"),
    ];
    let posted = place.run_accepted("", &format!("comment-report '{report}'"), &variables);
    assert_eq!(posted.out, "posted a comment\n");
    let comments = server.comments();
    assert!(comments.len() == 1 && comments[0].contains("nodes change"), "{comments:?}");
}

#[test]
fn the_file_for_github_runs_as_it_is_pasted() {
    let place = Place::new();
    let pipeline = read_yaml("docs/ci/github.yml");
    assert_eq!(members(get(&pipeline, &["permissions"])), [variable("contents", "read")]);
    for job in ["modules", "catalogs"] {
        let (mut known, mut variables) = github(&place, job);
        for path in [&["env"][..], &["jobs", job, "env"]] {
            for (name, value) in members(get(&pipeline, path)) {
                let value = filled_in(&value, &known);
                known.insert(format!("env.{name}"), value.clone());
                variables.push((name, value));
            }
        }
        for step in items(get(&pipeline, &["jobs", job, "steps"])) {
            let name_of = |key: &str| get(step, &["with", key]).map(pantin::values::ops::to_s).unwrap_or_default();
            match get(step, &["uses"]).and_then(Value::as_str) {
                Some("actions/checkout@v4") => place.check_out(job),
                Some("actions/upload-artifact@v4") => {
                    let from = place.path(job).join(name_of("path"));
                    fs::copy(from, place.path("artifacts").join(name_of("name"))).unwrap();
                }
                Some("actions/download-artifact@v4") => {
                    fs::copy(place.path("artifacts/modules"), place.path(job).join("modules.tar")).unwrap();
                }
                Some(action) => assert!(action.starts_with("actions/cache"), "{action}"),
                None => {
                    let script = get(step, &["run"]).and_then(Value::as_str).unwrap();
                    place.run_accepted(job, &filled_in(script, &known), &variables);
                }
            }
        }
    }
    let summary = fs::read_to_string(place.path("summary.md")).unwrap();
    assert!(summary.starts_with("## ✅ 3 nodes"), "{summary}");
    assert_comment(&place, "artifacts/pantin-report");
}

#[test]
fn the_action_takes_a_released_binary_or_builds_one() {
    let place = Place::new();
    let action = read_yaml("action.yml");
    place.check_out("job");
    // A release: an archive with a binary, beside its checksum.
    let name = "pantin-1.2.3-x86_64-unknown-linux-musl";
    let script = format!(
        "mkdir -p releases/v1.2.3/{name} && cd releases/v1.2.3 && printf '#!/bin/sh\\necho released \"$@\"\\n' > {name}/pantin && chmod +x \
         {name}/pantin && tar -czf {name}.tar.gz {name} && rm -r {name} && sha256sum ./*.tar.gz > SHA256SUMS"
    );
    place.run_accepted("", &script, &[]);
    fs::remove_file(place.path("bin/pantin")).unwrap();
    let releases = serve(place.path("releases"));
    let install = format!("'{}/packaging/install-release'", root().display());
    let at = [variable("PANTIN_RELEASES", &*releases), variable("no_proxy", "127.0.0.1")];
    let installed = place.run_accepted("", &format!("{install} v1.2.3 installed"), &at);
    assert_eq!(installed.out, "released --version\n");
    assert_eq!(place.shell("", &format!("{install} 9.9.9 installed"), &at).code, Some(3));
    assert_eq!(place.shell("", &format!("{install} ../x installed"), &at).code, Some(1));
    place.run_accepted("releases/v1.2.3", "echo x >> pantin-1.2.3-x86_64-unknown-linux-musl.tar.gz", &[]);
    let refused = place.shell("", &format!("{install} 1.2.3 other"), &at);
    assert!(refused.code == Some(1) && refused.err.contains("is not what SHA256SUMS says"), "{}", refused.err);
    // Without a version the action builds.
    let cargo = "#!/bin/sh\n[ \"$1\" = install ] || exit 1\nwhile [ \"$1\" != --root ]; do shift; done\nmkdir -p \"$2/bin\"\nln -s \"$REAL\" \
                 \"$2/bin/pantin\"\n";
    fs::write(place.path("bin/cargo"), cargo).unwrap();
    let (known, mut variables) = github(&place, "job");
    variables.push(variable("REAL", env!("CARGO_BIN_EXE_pantin")));
    let inputs = |text: &str| {
        let text = text.replace("${{ inputs.arguments }}", "--facts facts").replace("${{ inputs.version }}", "");
        let text =
            text.replace("${{ inputs.diff-arguments }}", "--facts facts").replace("${{ inputs.cache-key }}", KEY);
        filled_in(&text, &known)
    };
    for step in items(get(&action, &["runs", "steps"])) {
        let Some(script) = get(step, &["run"]).and_then(Value::as_str) else { continue };
        let own = members(get(step, &["env"])).into_iter().map(|(name, value)| (name, inputs(&value)));
        let mut all: Vec<(String, String)> = variables.iter().cloned().chain(own).collect();
        if let Ok(added) = fs::read_to_string(place.path("github-path")) {
            let path = std::env::var("PATH").unwrap_or_default();
            all.push(variable("PATH", format!("{}:{}:{path}", added.trim(), place.path("bin").display())));
        }
        place.run_accepted("job", script, &all);
    }
    assert_comment(&place, "job-temp/pantin-report/report.md");
}

/// Serves the files of a folder until the process ends; gives where.
fn serve(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut line = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            reader.read_line(&mut line).unwrap();
            let mut header = String::from("x");
            while !header.trim().is_empty() {
                header.clear();
                reader.read_line(&mut header).unwrap();
            }
            let path = line.split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_owned();
            let (status, body) = match fs::read(folder.join(path)) {
                Ok(body) => (200, body),
                Err(_) => (404, Vec::new()),
            };
            let head = format!("HTTP/1.1 {status} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    address
}

/// The variables that GitLab gives to a job.
fn gitlab(place: &Place, job: &Value, pipeline: &Value) -> Vec<(String, String)> {
    let directory = place.path("job").display().to_string();
    let base = match get(job, &["extends"]).and_then(Value::as_str) {
        Some(base) => members(get(pipeline, &[base, "variables"])),
        None => Vec::new(),
    };
    let own = members(get(pipeline, &["variables"])).into_iter().chain(base).chain(members(get(job, &["variables"])));
    let own = own.map(|(name, value)| (name, value.replace("$CI_PROJECT_DIR", &directory)));
    let given = [
        variable("GITLAB_CI", "true"),
        variable("PANTIN_CACHE_KEY", KEY),
        variable("CI_MERGE_REQUEST_DIFF_BASE_SHA", "origin/production"),
    ];
    let arguments = [variable("PANTIN_ARGUMENTS", "--facts facts")];
    given.into_iter().chain(own).chain(arguments).collect()
}

#[test]
fn the_files_for_gitlab_run_as_they_are_pasted() {
    let place = Place::new();
    place.check_out("job");
    for (file, jobs) in [
        ("docs/ci/gitlab.yml", &["modules", "pantin"][..]),
        ("packaging/gitlab-ci.yml", &["pantin validate", "pantin fleet", "pantin diff"]),
    ] {
        let pipeline = read_yaml(file);
        for job in jobs {
            let job = get(&pipeline, &[job]).unwrap();
            let lines: Vec<&str> = items(get(job, &["script"])).iter().filter_map(Value::as_str).collect();
            place.run_accepted("job", &lines.join("\n"), &gitlab(&place, job, &pipeline));
        }
    }
    for report in ["quality.json", "fleet.xml", "validate.xml", "diff.md"] {
        assert!(fs::metadata(place.path("job").join(report)).unwrap().len() > 0, "{report}");
    }
    assert_comment(&place, "job/diff.md");
}

#[test]
fn the_file_for_jenkins_runs_as_it_is_pasted() {
    let place = Place::new();
    place.check_out("job");
    let file = fs::read_to_string(root().join("docs/ci/Jenkinsfile")).unwrap();
    let mut scripts = Vec::new();
    let mut rest = file.as_str();
    while let Some((_, after)) = rest.split_once("sh '") {
        let (script, after) = match after.strip_prefix("''") {
            Some(long) => long.split_once("'''").unwrap(),
            None => after.split_once('\'').unwrap(),
        };
        scripts.push(script);
        rest = after;
    }
    assert_eq!(scripts.len(), 3);
    assert!(file.contains("FACTS = 'facts'"));
    let variables = [
        variable("FACTS", "facts"),
        variable("JENKINS_URL", "http://jenkins.example.org"),
        variable("CHANGE_ID", ""),
        variable("PANTIN_CACHE", place.path("cache").display().to_string()),
        variable("PANTIN_CACHE_KEY", KEY),
    ];
    for script in scripts {
        place.run_accepted("job", script, &variables);
    }
    assert!(fs::read_to_string(place.path("job/fleet.xml")).unwrap().contains("<testcase"));
}

#[test]
fn the_hooks_of_pre_commit_run_for_the_files_that_matter() {
    let place = Place::new();
    place.check_out("job");
    let hooks = read_yaml("docs/ci/pre-commit.yaml");
    let repositories = items(get(&hooks, &["repos"]));
    let hooks = items(get(&repositories[0], &["hooks"]));
    let runs_for = |hook: &Value, file: &str| {
        let pattern = get(hook, &["files"]).and_then(Value::as_str).unwrap();
        Regex::new(pattern, Options::default()).unwrap().is_match(file).unwrap()
    };
    let (validate, fleet) = (&hooks[0], &hooks[1]);
    for file in ["site/a/manifests/init.pp", "a/templates/x.erb", "data/common.yaml", "hiera.yaml", "environment.conf"]
    {
        assert!(runs_for(validate, file), "{file}");
    }
    for file in [
        "site-modules/a/manifests/b.pp",
        "dist/a/files/x",
        "hieradata/a.yaml",
        "hiera.d/a.yaml",
        "data/a.yaml",
        "Puppetfile",
    ] {
        assert!(runs_for(fleet, file), "{file}");
    }
    for file in ["README.md", "docs/site/x.md"] {
        assert!(!runs_for(validate, file) && !runs_for(fleet, file), "{file}");
    }
    let entry = |hook: &Value| get(hook, &["entry"]).and_then(Value::as_str).unwrap().to_owned();
    place.run_accepted("job", &format!("{} manifests/site.pp hiera.yaml data/common.yaml", entry(validate)), &[]);
    place.run_accepted("job", &entry(fleet), &[]);
}

/// The scripts of a workflow, each with the name of its step.
fn scripts(workflow: &Value) -> Vec<(String, String)> {
    let Some(Value::Hash(jobs)) = get(workflow, &["jobs"]) else { panic!("no jobs") };
    let steps = jobs.values().flat_map(|job| items(get(job, &["steps"])));
    let text = |step: &Value, name: &str| get(step, &[name]).and_then(Value::as_str).map(str::to_owned);
    steps.filter_map(|step| Some((text(step, "name").unwrap_or_default(), text(step, "run")?))).collect()
}

#[test]
fn the_workflows_of_this_repository_run_what_is_here() {
    let place = Place::new();
    let version = env!("CARGO_PKG_VERSION");
    let mut names = Vec::new();
    for file in fs::read_dir(root().join(".github/workflows")).unwrap() {
        let name = format!(".github/workflows/{}", file.unwrap().file_name().to_string_lossy());
        let workflow = read_yaml(&name);
        assert_eq!(members(get(&workflow, &["permissions"])), [variable("contents", "read")], "{name}");
        for (step, script) in scripts(&workflow) {
            let parsed = place.shell("", &format!("bash -n <<'SCRIPT'\n{script}\nSCRIPT"), &[]);
            assert!(parsed.code == Some(0) && parsed.err.is_empty(), "{name}: {step}: {}", parsed.err);
            for word in
                script.split_whitespace().filter(|word| [".ci/", "packaging/"].iter().any(|at| word.starts_with(at)))
            {
                assert!(root().join(word).is_file(), "{name}: {step}: there is no {word}");
            }
            if step == "The tag is the version" {
                let here = root().display().to_string();
                let check = |tag: &str| {
                    let tag = [variable("GITHUB_REF_NAME", tag)];
                    place.shell("", &format!("cd '{here}'; {script}"), &tag).code
                };
                assert_eq!((check(&format!("v{version}")), check("v9.9.9")), (Some(0), Some(1)));
            }
            names.push(step);
        }
    }
    for needed in ["Gate", "Build", "Binaries", "Release", "Publish", "The tag is the version"] {
        assert!(names.iter().any(|name| name == needed), "{needed}: {names:?}");
    }
}
