//! Whether what came over the bridge is kept: only where the person has said that it depends on what was asked alone.

use serde_json::{Value, json};

use super::{repository, ruby};
use crate::Folder;
use crate::cache::{anew, fleet};
use crate::watch::Watcher;

/// Every call leaves a line in a file, which nobody here can know of.
const COUNTS: &str = "\
require 'helper/kind'
require 'matrix'

Puppet::Functions.create_function(:'m::counts') do
  dispatch(:counts) { param 'String', :file }

  def counts(file)
    File.write(file, \"run\\n\", mode: 'a')
    \"#{Helper.kind(1)} #{closure_scope['facts']['kernel']}\"
  end
end
";

const DECLARED: &[&str] = &["--set", "deterministic_functions=m::other,m::counts"];

struct Counted {
    folder: Folder,
    ruby: String,
}

impl Counted {
    /// One node calls the function, the other one does not.
    fn new() -> Counted {
        let ruby = ruby();
        let folder = repository("");
        folder.write("modules/m/lib/puppet/functions/m/counts.rb", COUNTS);
        let file = folder.cache.path().join("count").display().to_string();
        folder.write(
            "manifests/site.pp",
            format!("node web1 {{ notify {{ 'n': message => m::counts('{file}') }} }}\nnode default {{ }}\n"),
        );
        folder.write("facts/other.json", r#"{"role": "web", "kernel": "Linux"}"#);
        Counted { folder, ruby }
    }

    fn calls(&self) -> usize {
        std::fs::read_to_string(self.folder.cache.path().join("count")).unwrap_or_default().lines().count()
    }

    /// The nodes that were compiled.
    fn fleet(&self, more: &[&str]) -> Vec<String> {
        let report = fleet(&self.folder, &[&["--ruby", &self.ruby], more].concat());
        assert_eq!(report["summary"]["failed"].as_u64().unwrap_or(0), 0, "{report}");
        anew(&report).into_iter().map(str::to_owned).collect()
    }
}

#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn a_function_that_nobody_vouches_for_is_called_each_time() {
    let counted = Counted::new();
    assert_eq!(counted.fleet(&[]), ["other", "web1"]);
    assert_eq!(counted.fleet(&[]), ["web1"]);
    assert_eq!(counted.calls(), 2);
}

#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn one_that_is_declared_deterministic_is_called_again_where_what_it_asked_is_another() {
    let counted = Counted::new();
    assert_eq!(counted.fleet(DECLARED).len(), 2);
    assert_eq!((counted.fleet(DECLARED), counted.calls()), (vec![], 1));
    // A file of the module that it has required, and one that nobody has.
    counted.folder.write(
        "modules/m/lib/helper/deep/er.rb",
        "module Helper\n  module Deep\n    def self.name(_)\n      'new'\n    end\n  end\nend\n",
    );
    counted.folder.write("modules/m/lib/helper/idle.rb", "");
    assert_eq!((counted.fleet(DECLARED), counted.calls()), (vec!["web1".to_owned()], 2));
    // What it was kept for is what was declared then.
    assert_eq!(counted.fleet(&[]).len(), 2);
}

/// Writes a file in one step: who watches would else see an empty one between.
fn replace(folder: &Folder, name: &str, text: &str) {
    let aside = folder.cache.path().join("aside");
    std::fs::write(&aside, text).unwrap();
    std::fs::rename(aside, folder.path().join(name)).unwrap();
}

/// The message of the only resource that changes next.
fn new_message(watcher: &Watcher) -> Value {
    let event = watcher.change();
    event["changes"][0]["parameters"][0]["to"].clone()
}

#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn an_edit_of_what_it_has_asked_is_seen_while_somebody_watches() {
    let counted = Counted::new();
    for declared in [DECLARED, &[]] {
        let more = [&["--format", "json", "--ruby", &counted.ruby][..], declared].concat();
        let watcher = Watcher::start(&counted.folder, &more);
        assert_eq!(watcher.event()["nodes"], json!(2));
        replace(&counted.folder, "facts/web1.json", r#"{"role": "web", "kernel": "Hurd"}"#);
        assert_eq!(new_message(&watcher), "Integer Hurd");
        // The worker has loaded the file that was: another worker takes over.
        let other = "module Helper\n  def self.kind(value)\n    \"kind of #{value}\"\n  end\nend\n";
        replace(&counted.folder, "modules/m/lib/helper/kind.rb", other);
        assert_eq!(new_message(&watcher), "kind of 1 Hurd");
        replace(
            &counted.folder,
            "modules/m/lib/puppet/functions/m/counts.rb",
            &COUNTS.replace("#{Helper", "now #{Helper"),
        );
        assert_eq!(new_message(&watcher), "now kind of 1 Hurd");
        drop(watcher);
        replace(&counted.folder, "modules/m/lib/helper/kind.rb", super::modules::KIND);
        replace(&counted.folder, "modules/m/lib/puppet/functions/m/counts.rb", COUNTS);
        replace(&counted.folder, "facts/web1.json", r#"{"role": "web", "kernel": "Linux"}"#);
    }
}
