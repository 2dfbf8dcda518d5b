//! What Ruby code of modules may read, and how a person allows it more.

use crate::{Folder, Run};

const READ: &str = "Puppet::Functions.create_function(:'m::read') do\n  def read(path)\n    File.read(path)\n  rescue \
                    Exception\n    'rescued'\n  end\nend\n";
const LIST: &str = "Puppet::Functions.create_function(:'m::list') do\n  def list(pattern)\n    Dir.glob(pattern).map { \
                    |path| File.basename(path) }\n  end\nend\n";
const THERE: &str = "Puppet::Functions.create_function(:'m::there') do\n  def there(path)\n    File.exist?(path)\n  \
                     end\nend\n";

/// The folder has the environment in `env` and something else in `other`.
fn repository(code: &str) -> Folder {
    let functions = "env/modules/m/lib/puppet/functions/m";
    let folder = Folder::with(&[
        (&format!("{functions}/read.rb"), READ),
        (&format!("{functions}/list.rb"), LIST),
        (&format!("{functions}/there.rb"), THERE),
        ("env/environment.conf", "modulepath = modules\n"),
        ("env/data/inside.txt", "from inside"),
        ("env/modules/m/templates/t.erb", "<%= IO.readlines(@path).size %>"),
        ("other/outside.txt", "from outside"),
        ("conf/known.txt", "from the settings"),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("other"), folder.path().join("env/data/link")).unwrap();
    folder.write("env/manifests/site.pp", code.replace("AT", &folder.real_path()));
    folder
}

fn compile(folder: &Folder, more: &[&str]) -> Run {
    folder.run(&[&["compile", "a", "--environment-dir", "env"], more].concat())
}

fn notices(run: &Run) -> Vec<&str> {
    run.err.lines().filter_map(|line| line.strip_prefix("Notice: Scope(Class[main]): ")).collect()
}

#[test]
fn the_environment_is_read() {
    let folder = repository(
        "notice(m::read('AT/env/data/inside.txt'))\nnotice(m::list('AT/env/data/*.txt'))\n\
         notice(m::there('AT/env/data/../data/gone'))\n$path = 'AT/env/data/inside.txt'\nnotice(template('m/t.erb'))",
    );
    let run = compile(&folder, &[]);
    assert_eq!(notices(&run), ["from inside", "[inside.txt]", "false", "1"], "{}", run.err);
}

#[cfg(unix)]
#[test]
fn anything_else_is_an_error_that_nobody_rescues() {
    const FUNCTIONS: &str = "/env/modules/m/lib/puppet/functions/m";
    for (code, path, leads, at) in [
        ("m::read('AT/other/outside.txt')", "other/outside.txt", None, "read.rb, line: 3"),
        (
            "m::read('AT/env/../other/outside.txt')",
            "env/../other/outside.txt",
            Some("other/outside.txt"),
            "read.rb, line: 3",
        ),
        (
            "m::read('AT/env/data/link/outside.txt')",
            "env/data/link/outside.txt",
            Some("other/outside.txt"),
            "read.rb, line: 3",
        ),
        ("m::read('AT/other/gone')", "other/gone", None, "read.rb, line: 3"),
        ("m::there('AT/other')", "other", None, "there.rb, line: 3"),
        ("m::list('AT/other/*')", "other", None, "list.rb, line: 3"),
        ("m::list('AT/env/data/l*/*')", "env/data/link/outside.txt", Some("other/outside.txt"), "list.rb, line: 3"),
    ] {
        let folder = repository(&format!("notice({code})"));
        let at_folder = folder.real_path();
        let run = compile(&folder, &[]);
        let real = leads.unwrap_or(path);
        let leads = leads.map(|real| format!(", which leads to '{at_folder}/{real}'")).unwrap_or_default();
        let error = format!(
            "Ruby code of modules may not read '{at_folder}/{path}'{leads}: it reads the environment, modules and the \
             folders of Puppet's settings; --ruby-reads {at_folder}/{real}, or the setting ruby_reads, allows it (file: \
             {at_folder}{FUNCTIONS}/{at})"
        );
        assert!(run.err.contains(&error) && run.code == Some(1), "{code}: {}\n{error}", run.err);
    }
}

#[test]
fn a_template_is_held_to_it() {
    let folder = repository("$path = 'AT/other/outside.txt'\nnotice(template('m/t.erb'))");
    let run = compile(&folder, &[]);
    let error = "may not read '";
    assert!(run.err.contains(error) && run.err.contains("env/modules/m/templates/t.erb, line: 1)"), "{}", run.err);
    let allowed = compile(&folder, &["--ruby-reads", "other"]);
    assert_eq!(notices(&allowed), ["1"], "{}", allowed.err);
}

#[test]
fn a_person_allows_more_by_an_option_or_a_setting() {
    let folder = repository("notice(m::read('AT/other/outside.txt'))\nnotice(m::read('AT/conf/known.txt'))");
    let other = format!("ruby_reads={}/other", folder.real_path());
    let both = format!("{other}:{}/conf", folder.real_path());
    let allowed = ["from outside", "from the settings"];
    for more in [
        &["--ruby-reads", "other/outside.txt", "--ruby-reads", "conf"][..],
        &["--ruby-reads", "."],
        &["--ruby-reads", "other", "--confdir", "conf"],
        &["--set", &both],
        &["--set", &other, "--ruby-reads", "conf"],
    ] {
        let run = compile(&folder, more);
        assert_eq!(notices(&run), allowed, "{more:?}: {}", run.err);
    }
    // What is allowed need not be there.
    let absent = repository("notice(m::there('AT/nowhere/file'))");
    let run = compile(&absent, &["--ruby-reads", "nowhere"]);
    assert_eq!(notices(&run), ["false"], "{}", run.err);
    let eval = folder.run(&["eval", "--modulepath", "env/modules", "-e", "m::read('/etc/hostname')"]);
    assert!(eval.err.contains("may not read '/etc/hostname'"), "{}", eval.err);
}

/// An answer of before is none for another policy.
#[test]
fn what_is_kept_is_kept_for_what_was_allowed() {
    let folder = repository("notice(m::read('AT/other/outside.txt'))");
    for _ in 0..2 {
        assert_eq!(notices(&compile(&folder, &["--ruby-reads", "other"])), ["from outside"]);
        assert!(compile(&folder, &[]).err.contains("may not read"));
    }
    let setting = format!("[main]\nruby_reads = {}/other\n", folder.real_path());
    for (conf, is_allowed) in [(&*setting, true), ("", false), (&*setting, true)] {
        folder.write("conf/puppet.conf", conf);
        let run = compile(&folder, &["--confdir", "conf"]);
        assert_eq!(notices(&run), if is_allowed { vec!["from outside"] } else { vec![] }, "{}", run.err);
    }
}

/// Whoever writes the hiera.yaml says which file a back end reads, wherever it lies.
#[test]
fn a_back_end_reads_the_file_that_it_is_given() {
    let folder = repository("notice(lookup('key'))");
    folder.write(
        "env/modules/m/lib/puppet/functions/m/data.rb",
        "Puppet::Functions.create_function(:'m::data') do\n  dispatch :data do\n    param 'Hash', :options\n    param \
         'Puppet::LookupContext', :context\n  end\n  def data(options, context)\n    { 'key' => \
         File.read(options['path']) }\n  end\nend\n",
    );
    let file = format!("{}/other/outside.txt", folder.real_path());
    folder.write(
        "env/hiera.yaml",
        format!("version: 5\nhierarchy:\n  - {{name: own, data_hash: 'm::data', path: '{file}'}}\n"),
    );
    let run = compile(&folder, &[]);
    assert_eq!(notices(&run), ["from outside"], "{}", run.err);
}
