//! Who an object is says the same in every run: nothing that code is shown tells where in memory an object lies.

use std::collections::BTreeSet;
use std::thread;

use crate::Folder;

/// Numbers of objects, what they hash to, and whether each has one of its own.
const SHOWN: &str = "\
Puppet::Functions.create_function(:'m::shown') do
  def shown
    one = Object.new
    other = Object.new
    own = Class.new { def hash; [Object.new, 1].hash; end }.new
    ids = [one.object_id, other.object_id, 'text'.object_id, :word.object_id, [].__id__, one.object_id]
    hashes = [one.hash, [other].hash, own.hash, { a: other }.hash, one.hash]
    fixed = [nil.object_id, true.object_id, false.object_id, 20.object_id, :word.object_id == :word.object_id]
    found = { one => 1, [other] => 2 }
    (ids + hashes + fixed + [ids.uniq.size, found[one], found[[other]], found[Object.new]]).inspect
  end
end
";

#[test]
fn who_an_object_is_is_the_same_in_every_run() {
    let folder = Folder::with(&[
        ("environment.conf", ""),
        ("manifests/site.pp", "include m\n"),
        (
            "modules/m/manifests/init.pp",
            "class m {\n  notify { m::shown(): }\n  notify { template('m/t.erb'): }\n  file { \"/x/${facts['n']}\": }\n}\n",
        ),
        ("modules/m/lib/puppet/functions/m/shown.rb", SHOWN),
        ("modules/m/templates/t.erb", "<%= Object.new.object_id %> <%= Object.new.hash %> <%= 'x'.object_id %>"),
    ]);
    for number in 0..24 {
        folder.write(&format!("facts/n{number}.json"), format!("{{\"n\": {number}}}"));
    }
    // Several at a time, each on all threads.
    let outcomes: BTreeSet<String> = thread::scope(|scope| {
        let run = |number: usize| {
            let out = format!("out{number}");
            let run = folder.run(&["fleet", "-q", "--facts", "facts", "--no-cache", "--out", &out]);
            assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
            let catalog = |node: &str| {
                let path = folder.path().join(&out).join(format!("{node}.json"));
                let catalog: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
                catalog["resources"].to_string()
            };
            [catalog("n0"), catalog("n23").replace("/x/23", "/x/0")]
        };
        let four =
            (0..4).map(|worker| scope.spawn(move || (0..4).flat_map(|one| run(4 * worker + one)).collect::<Vec<_>>()));
        let four: Vec<_> = four.collect();
        four.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert_eq!(outcomes.len(), 1, "{outcomes:?}");
    let shown = outcomes.first().unwrap();
    assert!(shown.contains("8, 20, 0, 41, true, 5, 1, 2, nil]"), "{shown}");
}
