//! The fence around a repository: no code of a pull request reads the secrets of the job that judges it, whatever reads it.

use std::path::Path;
use std::process::Command;

use crate::{Folder, Run, finish};

const READ: &str = "Puppet::Functions.create_function(:'m::read') do\n  def read(path)\n    File.read(path)\n  rescue \
                    Exception\n    'rescued'\n  end\nend\n";
const CALL: &str = "Puppet::Functions.create_function(:'m::through') do\n  def through(path)\n    \
                    call_function('file', path)\n  rescue StandardError\n    'rescued'\n  end\nend\n";
const SECRET: &str = "the-secret-of-the-job";

/// A repository of git in `repo`, and a secret beside it; `AT` in files is the folder of both.
fn repository(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(&[
        ("secret.txt", SECRET),
        ("secret.yaml", "key: the-secret-of-the-job\n"),
        ("secrets/one.yaml", "key: the-secret-of-the-job\n"),
        ("secret.pp", "notice('the-secret-of-the-job')"),
        ("secret.epp", "the-secret-of-the-job"),
        ("modules/outer/manifests/init.pp", "class outer { notice('the-secret-of-the-job') }"),
        ("repo/environment.conf", "modulepath = modules\n"),
        ("repo/modules/m/lib/puppet/functions/m/read.rb", READ),
        ("repo/modules/m/lib/puppet/functions/m/through.rb", CALL),
        ("repo/modules/m/files/inside.txt", "from inside"),
        ("repo/modules/m/templates/read.erb", "<%= File.read(@path) %>"),
        ("repo/facts/a.yaml", "from: facts\n"),
    ]);
    for (name, text) in files {
        folder.write(&format!("repo/{name}"), text.replace("AT", &folder.real_path()));
    }
    let repo = folder.path().join("repo");
    assert!(Command::new("git").args(["init", "--quiet"]).arg(&repo).status().unwrap().success());
    let config = repo.join(".git/config");
    let known = std::fs::read_to_string(&config).unwrap();
    std::fs::write(config, format!("{known}# {SECRET}\n")).unwrap();
    folder
}

fn pantin(folder: &Folder, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
    let mut command = folder.command(arguments);
    command.current_dir(folder.path().join("repo")).env("TOKEN", SECRET).envs(variables.iter().copied());
    finish(command.spawn().unwrap())
}

fn compile(folder: &Folder, variables: &[(&str, &str)], more: &[&str]) -> Run {
    pantin(folder, variables, &[&["compile", "a", "--format", "pretty"], more].concat())
}

const CI: &[(&str, &str)] = &[("CI", "true")];

fn says_secret(run: &Run) -> bool {
    run.out.contains(SECRET) || run.err.contains(SECRET)
}

type Reader = (&'static str, Vec<(&'static str, &'static str)>);

/// Each way in which code reads a file by its path.
fn code_readers() -> Vec<Reader> {
    let site = |code: &'static str| vec![("manifests/site.pp", code)];
    vec![
        ("file", site("notice(file('AT/secret.txt'))")),
        ("file, through a way up", site("notice(file('AT/repo/../secret.txt'))")),
        ("file of a module, through a way up", site("notice(file('m/../../../../secret.txt'))")),
        ("binary_file", site("notice(String(binary_file('AT/secret.txt'), '%s'))")),
        ("find_file", site("notice(find_file('AT/secret.txt'), 'the-secret-of-the-job')")),
        ("template", site("notice(template('AT/secret.txt'))")),
        ("epp", site("notice(epp('AT/secret.epp'))")),
        ("inline_epp", site("notice(inline_epp(\"<%= file('AT/secret.txt') %>\"))")),
        ("inline_template", site("notice(inline_template(\"<%= File.read('AT/secret.txt') %>\"))")),
        ("a template of a module", site("$path = 'AT/secret.txt'\nnotice(template('m/read.erb'))")),
        ("Ruby", site("notice(m::read('AT/secret.txt'))")),
        ("Ruby that calls a function", site("notice(m::through('AT/secret.txt'))")),
        ("git's own folder", site("notice(file('AT/repo/.git/config'))")),
        ("git's own folder, in Ruby", site("notice(m::through('AT/repo/.git/config'))")),
        (
            "a repository without a working copy",
            vec![
                ("manifests/site.pp", "notice(file('AT/repo/cache/x.git/config'))"),
                ("cache/x.git/HEAD", ""),
                ("cache/x.git/config", "the-secret-of-the-job"),
                ("cache/x.git/objects/x", ""),
                ("cache/x.git/refs/x", ""),
            ],
        ),
        ("the main manifest", vec![("environment.conf", "modulepath = modules\nmanifest = AT/secret.pp\n")]),
        ("modules", vec![("environment.conf", "modulepath = AT/modules\n"), ("manifests/site.pp", "include outer")]),
        (
            "modules by pantin.toml",
            vec![
                ("environment.conf", ""),
                ("pantin.toml", "basemodulepath = ['AT/modules']\n"),
                ("manifests/site.pp", "include outer"),
            ],
        ),
    ]
}

/// Each way in which Hiera reads a file by its path.
fn data_readers() -> Vec<Reader> {
    let hiera =
        |hierarchy: &'static str| vec![("manifests/site.pp", "notice(lookup('key'))"), ("hiera.yaml", hierarchy)];
    vec![
        ("Hiera: path", hiera("version: 5\nhierarchy:\n  - {name: x, data_hash: yaml_data, path: 'AT/secret.yaml'}\n")),
        (
            "Hiera: datadir",
            hiera("version: 5\nhierarchy:\n  - {name: x, data_hash: yaml_data, datadir: AT, path: secret.yaml}\n"),
        ),
        (
            "Hiera: glob",
            hiera("version: 5\nhierarchy:\n  - {name: x, data_hash: yaml_data, datadir: AT/secrets, glob: '*.yaml'}\n"),
        ),
        (
            "Hiera: mapped_paths",
            vec![
                ("manifests/site.pp", "$names = ['secret']\nnotice(lookup('key'))"),
                (
                    "hiera.yaml",
                    "version: 5\nhierarchy:\n  - {name: x, data_hash: yaml_data, datadir: AT, mapped_paths: [names, n, '%{n}.yaml']}\n",
                ),
            ],
        ),
    ]
}

#[test]
fn no_reader_leads_out_of_the_repository() {
    for (reader, files) in code_readers().into_iter().chain(data_readers()) {
        let folder = repository(&files);
        let open = compile(&folder, &[], &["--ruby-reads", "..", "--no-cache"]);
        assert!(says_secret(&open), "{reader}: the test itself: {}{}", open.out, open.err);
        for variable in ["CI", "GITHUB_ACTIONS", "GITLAB_CI", "JENKINS_URL"] {
            // The folder that Ruby may read is one that a person names: without it the fence has to hold alone.
            let fenced = compile(&folder, &[(variable, "true")], &["--no-cache"]);
            assert!(!says_secret(&fenced), "{reader}: {}{}", fenced.out, fenced.err);
            // Ruby may rescue an error of a function, and has no value all the same.
            let is_refused = fenced.code == Some(1) || fenced.err.contains("rescued");
            assert!(is_refused, "{reader}: {}{}", fenced.out, fenced.err);
        }
        let named = compile(&folder, CI, &["--no-cache", "--fence-add", "..", "--ruby-reads", ".."]);
        assert!(says_secret(&named), "{reader}: {}{}", named.out, named.err);
    }
}

#[test]
fn an_error_names_the_option_and_the_place() {
    let folder = repository(&[("manifests/site.pp", "\nnotice(file('AT/secret.txt'))")]);
    let at = folder.real_path();
    let run = compile(&folder, &[], &["--fence"]);
    let said = format!("'{at}/secret.txt' lies outside of the fence; --fence-add {at}/secret.txt lets code read it");
    assert!(run.err.contains(&said) && run.err.contains("site.pp, line: 2"), "{}", run.err);
    // What is not there is not there, as in Puppet.
    folder.write(
        "repo/manifests/site.pp",
        format!("notice(find_file('{at}/gone'))\nnotice(file('{at}/gone', '/dev/null'))"),
    );
    let run = compile(&folder, &[], &["--fence"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn links_count_by_where_they_lead() {
    use std::os::unix::fs::symlink;
    let folder = repository(&[("manifests/site.pp", "notice(file('AT/repo/data/out'))"), ("data/x", "")]);
    let data = folder.path().join("repo/data");
    for target in ["../../secret.txt", "chain", "folder/secret.txt"] {
        let _ = std::fs::remove_file(data.join("out"));
        symlink(target, data.join("out")).unwrap();
        if !data.join("chain").exists() {
            symlink("../../secret.txt", data.join("chain")).unwrap();
            symlink("../..", data.join("folder")).unwrap();
        }
        let run = compile(&folder, CI, &[]);
        assert!(!says_secret(&run) && run.err.contains("--fence-add"), "{target}: {}", run.err);
        assert!(says_secret(&compile(&folder, &[("CI", "false")], &[])), "{target}");
        assert!(says_secret(&compile(&folder, CI, &["--no-fence"])), "{target}");
    }
    // Facts that a person names, but that the repository has lead elsewhere.
    std::fs::remove_file(folder.path().join("repo/facts/a.yaml")).unwrap();
    symlink("../../secret.yaml", folder.path().join("repo/facts/a.yaml")).unwrap();
    folder.write("repo/manifests/site.pp", "notice($facts['key'])");
    let run = compile(&folder, CI, &["--facts", "facts"]);
    assert!(!says_secret(&run), "{}", run.err);
    // What is checked, and shown, without being compiled.
    symlink("../../secret.yaml", folder.path().join("repo/manifests/link.pp")).unwrap();
    let run = pantin(&folder, CI, &["validate", "--format", "text", "."]);
    assert!(!says_secret(&run) && run.code == Some(1), "{}{}", run.out, run.err);
    symlink("../secret.yaml", folder.path().join("repo/pantin.toml")).unwrap();
    let run = pantin(&folder, CI, &["config"]);
    assert!(!says_secret(&run) && format!("{}{}", run.out, run.err).contains("leads out"), "{}{}", run.out, run.err);
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_kernel_says_and_the_key_are_read_by_no_code() {
    for path in
        ["/proc/self/environ", "/proc/self/cwd/../secret.txt", concat!("/proc/self/ro", "ot/etc/hostname"), "/dev/fd/0"]
    {
        let folder = repository(&[("manifests/site.pp", "")]);
        for (code, is_rescued) in
            [(format!("notice(file('{path}'))"), false), (format!("notice(m::through('{path}'))"), true)]
        {
            folder.write("repo/manifests/site.pp", &code);
            for more in [&["--fence"][..], &["--no-fence"]] {
                let run = compile(&folder, &[], more);
                assert!(!says_secret(&run), "{code}: {}{}", run.out, run.err);
                let said = if is_rescued { "rescued" } else { "may be read by no code" };
                assert!(run.err.contains(said), "{code}: {}", run.err);
            }
        }
    }
    let folder = repository(&[("manifests/site.pp", "notice(file('KEY'))"), ("data/x", "")]);
    let key = folder.cache.path().canonicalize().unwrap().join("pantin/cache.key");
    assert_eq!(compile(&folder, &[], &["-e", "notice(1)"]).code, Some(0));
    assert!(key.exists());
    std::os::unix::fs::symlink(&key, folder.path().join("repo/data/key")).unwrap();
    for path in [key.display().to_string(), format!("{}/repo/data/key", folder.real_path())] {
        let run = compile(&folder, &[], &["-e", &format!("notice(binary_file('{path}'))")]);
        assert!(run.err.contains("may be read by no code"), "{}", run.err);
    }
}

#[test]
fn what_a_person_names_is_read() {
    let folder = repository(&[("manifests/site.pp", "notice($facts['key'])\ninclude outer")]);
    let facts = ["--facts", "../secret.yaml", "--modulepath", "modules:../modules"];
    let run = compile(&folder, CI, &facts);
    assert_eq!(run.err.matches(SECRET).count(), 2, "{}", run.err);
    folder.write("repo/manifests/site.pp", "notice(file('m/inside.txt'))\nnotice(epp('m/inside.epp'))");
    folder.write("repo/modules/m/templates/inside.epp", "a template");
    let run = compile(&folder, CI, &[]);
    assert!(run.err.contains("from inside") && run.err.contains("a template"), "{}", run.err);
    // A person's own configuration counts, and that of the repository does not.
    let at = folder.real_path();
    folder.write("repo/manifests/site.pp", format!("notice(file('{at}/secret.txt'))"));
    let own = folder.cache.path().join("pantin");
    std::fs::create_dir_all(&own).unwrap();
    for (text, is_read) in [
        (format!("fence_add = ['{at}/secret.txt']\n"), true),
        ("fence = 'off'\n".to_owned(), true),
        (String::new(), false),
    ] {
        std::fs::write(own.join("pantin.toml"), &text).unwrap();
        assert_eq!(says_secret(&compile(&folder, CI, &[])), is_read, "{text}");
    }
    for key in ["fence = 'off'", "fence_add = ['..']"] {
        folder.write("repo/pantin.toml", format!("{key}\n"));
        let run = compile(&folder, CI, &[]);
        assert!(run.err.contains("does not count in a file of a repository"), "{}", run.err);
    }
}

/// A file in place of a pipe of bash: both are named by the person.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_that_a_person_names_is_no_breach() {
    let folder = repository(&[("manifests/site.pp", "notice(file('AT/repo/../secret.txt'))")]);
    let at = folder.real_path();
    let link = Path::new(&at).join("named.yaml");
    std::os::unix::fs::symlink(Path::new(&at).join("secret.yaml"), &link).unwrap();
    folder.write("repo/manifests/site.pp", "notice($facts['key'])");
    let run = compile(&folder, CI, &["--facts", link.to_str().unwrap()]);
    assert!(says_secret(&run), "{}", run.err);
}

/// An answer without a fence is none within one, and the other way round.
#[test]
fn what_is_kept_is_kept_for_one_fence() {
    let folder = repository(&[("manifests/site.pp", "notice(file('AT/secret.txt'))")]);
    for _ in 0..2 {
        assert!(says_secret(&compile(&folder, &[], &[])));
        assert!(!says_secret(&compile(&folder, CI, &[])));
        assert!(says_secret(&compile(&folder, CI, &["--fence-add", "../secret.txt"])));
    }
}

#[test]
fn programs_that_no_fence_holds_are_refused_within_one() {
    let folder = repository(&[("manifests/site.pp", "")]);
    for more in [&["--ruby", "/bin/true"][..], &["--run-config-version"], &["--answers", "answers.yaml", "--record"]] {
        let run = compile(&folder, CI, more);
        assert!(run.err.contains("which no fence can hold") && run.code != Some(0), "{more:?}: {}", run.err);
        let run = compile(&folder, CI, &[more, &["--no-fence"]].concat());
        assert!(!run.err.contains("no fence can hold"), "{more:?}: {}", run.err);
    }
}

/// A report shows the line that a message names: code makes up messages.
#[cfg(target_os = "linux")]
#[test]
fn a_message_does_not_show_a_file_that_code_may_not_read() {
    let folder = repository(&[(
        "manifests/site.pp",
        "warning('a (file: AT/secret.txt, line: 1)')\nwarning('b (file: /proc/self/environ, line: 1)')",
    )]);
    let fleet =
        |more: &[&str]| pantin(&folder, &[], &[&["fleet", "--facts", "facts", "-q", "--no-cache"], more].concat());
    let run = fleet(&["--fence"]);
    assert!(!says_secret(&run) && run.out.contains("environ"), "{}{}", run.out, run.err);
    assert_eq!(fleet(&[]).out.matches(SECRET).count(), 1);
    let run = fleet(&["--fence", "--fence-add", ".."]);
    assert_eq!(run.out.matches(SECRET).count(), 1, "{}", run.out);
}

/// A key of eyaml may lie anywhere: it decrypts, and no code gets it.
#[test]
fn a_key_decrypts_and_is_no_value() {
    const PRIVATE: &str = include_str!("../data/eyaml/test-only-private-key.pem");
    let word = include_str!("../data/eyaml/values.txt").lines().next().unwrap();
    let hierarchy = "version: 5\nhierarchy:\n  - name: x\n    lookup_key: eyaml_lookup_key\n    path: x.eyaml\n    options:\n      \
                     pkcs7_private_key: AT/private.pem\n      pkcs7_public_key: AT/public.pem\n";
    let folder = repository(&[
        ("hiera.yaml", hierarchy),
        ("data/x.eyaml", &format!("word: {word}\n")),
        ("manifests/site.pp", "notice(lookup('word'))\nnotice(file('AT/private.pem'))"),
    ]);
    folder.write("private.pem", PRIVATE);
    folder.write("public.pem", include_str!("../data/eyaml/test-only-public-key.pem"));
    let run = compile(&folder, CI, &["--no-cache"]);
    assert!(run.err.contains("hunter2") && run.err.contains("private.pem' lies outside of the fence"), "{}", run.err);
    assert!(!run.err.contains("PRIVATE KEY"), "{}", run.err);
}
