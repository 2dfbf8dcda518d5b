//! `extlib::cache_data`: a text stands for what a server keeps, and no folder of the server is opened.

use std::process::Command;

use crate::{Folder, Run};

const FUNCTION: &str = "Puppet::Functions.create_function(:'extlib::cache_data') do\n  dispatch :cache_data do\n    param \
                        'String[1]', :namespace\n    param 'String[1]', :name\n    param 'Any', :initial_data\n  end\n\n  def \
                        cache_data(namespace, name, initial_data)\n    File.read(File.join(Puppet[:vardir], namespace, \
                        name))\n  end\nend\n";
const SITE: &str = "$made = extlib::cache_data('shop', 'database password', Sensitive('by chance'))\nnotice($made, \
                    $made.unwrap)\nnotice(extlib::cache_data('shop', 'key', fqdn_rand(1000)))\n";

fn repository(metadata: &str) -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("manifests/site.pp", SITE),
        ("modules/extlib/metadata.json", metadata),
        ("modules/extlib/lib/puppet/functions/extlib/cache_data.rb", FUNCTION),
    ])
}

fn metadata(name: &str) -> String {
    let about = r#""version": "7.0.0", "author": "a", "license": "l", "source": "s", "dependencies": []"#;
    format!(r#"{{"name": "{name}", {about}}}"#)
}

#[test]
fn a_text_stands_for_what_a_server_keeps() {
    let folder = repository(&metadata("puppet-extlib"));
    let run = || folder.run(&["compile", "a", "--environment-dir", ".", "--os", "debian-12", "--format", "summary"]);
    let first = run();
    let warning = |name: &str| {
        let begin = "Warning: extlib::cache_data keeps its data in a folder of the server";
        format!("{begin}: [cache_data {name}] stands for it\n")
    };
    for name in ["database password", "key"] {
        assert!(first.err.contains(&warning(name)), "{}", first.err);
    }
    let values = "Notice: Scope(Class[main]): Sensitive [value redacted] [cache_data database password]\n";
    assert!(first.err.contains(values), "{}", first.err);
    assert!(first.err.contains("Notice: Scope(Class[main]): [cache_data key]\n"), "{}", first.err);
    let said = |run: &Run| -> String {
        // The time that it took is another one.
        run.err.lines().filter(|line| !line.contains("Compiled catalog for")).map(|line| format!("{line}\n")).collect()
    };
    assert_eq!((first.code, said(&run())), (Some(0), said(&first)));
}

#[test]
fn the_function_of_another_module_is_run_as_it_is_written() {
    let folder = repository(&metadata("mine-extlib"));
    let run = folder.run(&["compile", "a", "--environment-dir", ".", "--os", "debian-12", "--format", "summary"]);
    assert!(!run.err.contains("stands for it") && run.err.contains("No such file or directory"), "{}", run.err);
    assert_eq!(run.code, Some(1));
}

#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn a_ruby_of_ones_own_reads_the_folder_and_that_is_said_before() {
    let folder = repository(&metadata("puppet-extlib"));
    folder.write("var/shop/database password", "kept");
    folder.write("var/shop/key", "also kept");
    let ruby = Command::new("ruby").args(["-e", "print RbConfig.ruby"]).output().unwrap();
    let ruby = String::from_utf8(ruby.stdout).unwrap();
    // What the small Ruby has runs in it: this function does not.
    let file = "modules/extlib/lib/puppet/functions/extlib/cache_data.rb";
    folder.write(file, format!("require 'matrix'\n{FUNCTION}"));
    let vardir = format!("vardir={}/var", folder.real_path());
    let world = ["compile", "a", "--environment-dir", ".", "--os", "debian-12", "--format", "summary"];
    let run = folder.run(&[&world[..], &["--ruby", &ruby, "--set", &vardir]].concat());
    let warning = "Warning: extlib::cache_data runs in your Ruby: it reads files of the server below vardir, and writes new ones\n";
    assert_eq!(run.err.matches(warning).count(), 2, "{}", run.err);
    assert!(run.err.find(warning) < run.err.find("also kept") && !run.err.contains("stands for it"), "{}", run.err);
}
