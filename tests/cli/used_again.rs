//! What the nodes of one process share: each node's catalog is the one that it has alone.

use std::collections::BTreeMap;

use crate::{Folder, Run};

/// Templates that look at what differs, at what differs only sometimes, or do more than look.
const TEMPLATES: [(&str, &str); 6] = [
    ("plain", "<%= @role %> <%= scope['facts']['size'] %>\n"),
    ("branch", "<% if @role == 'web' %><%= @facts['name'] %><% else %>as all<% end %>\n"),
    ("whole", "<%= @facts.keys.sort.join(' ') %>\n"),
    ("there", "<%= has_variable?('extra') ? 'extra' : 'none' %> <%= @extra.inspect %>\n"),
    ("changed", "<% @list << @role %><%= @list.join(',') %>\n"),
    (
        "called",
        "<%= scope.function_md5([@facts['name']]) rescue 'no' %> <%= scope.call_function('upcase', [@role]) %>\n",
    ),
];

const CLASS: &str = r#"
class tpl (T::Size $size = $facts['size'], Optional[String] $found = undef, String $none = 'none') {
  $role = $facts['role']
  $list = ['first']
  if $facts['size'] == 1 { $extra = 'e' }
  $names = ['plain', 'branch', 'whole', 'there', 'changed', 'called']
  $names.each |$name| { notify { $name: message => template("tpl/${name}.erb") } }
  notify { 'after': message => [$list, $found, $none, inline_template('<%= @size %>'), T::Size] }
}
"#;

fn nodes() -> Folder {
    let mut files: Vec<(String, String)> =
        TEMPLATES.iter().map(|(name, text)| (format!("site/tpl/templates/{name}.erb"), (*text).to_owned())).collect();
    let mut add = |path: &str, text: &str| files.push((path.to_owned(), text.to_owned()));
    add("environment.conf", "modulepath = site\n");
    add("hiera.yaml", "version: 5\nhierarchy:\n  - name: n\n    paths: ['%{facts.role}.yaml', '%{facts.name}.yaml']\n");
    add("data/web.yaml", "tpl::found: of the web\nlookup_options:\n  tpl::none: {merge: first}\n");
    add("data/w2.yaml", "tpl::none: but here\n");
    add("manifests/site.pp", "include tpl\n");
    add("site/tpl/manifests/init.pp", CLASS);
    add("site/t/types/size.pp", "type T::Size = Variant[T::Small, T::Large]\n");
    add("site/t/types/small.pp", "type T::Small = Integer[0, 9]\n");
    add("site/t/types/large.pp", "type T::Large = Integer[10]\n");
    let facts =
        [("w1", "web", 1), ("w2", "web", 1), ("w3", "web", 20), ("d1", "db", 1), ("d2", "db", 20), ("d3", "db", -1)];
    for (name, role, size) in facts {
        let facts = format!(r#"{{"name": "{name}", "role": "{role}", "size": {size}}}"#);
        add(&format!("facts/{name}.json"), &facts);
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Folder::with(&files)
}

/// Without what is never the same twice.
fn without_its_name(catalog: &str) -> String {
    catalog.split(",\"resources\":").skip(1).collect::<String>().trim().to_owned()
}

fn answer(run: &Run) -> String {
    match run.code {
        Some(0) => without_its_name(&run.out),
        _ => run.err.clone(),
    }
}

#[test]
fn each_node_has_the_catalog_that_it_has_alone() {
    let folder = nodes();
    let alone: BTreeMap<&str, String> = ["w1", "w2", "w3", "d1", "d2", "d3"]
        .map(|node| (node, answer(&folder.run(&["compile", node, "--facts", "facts", "--no-cache"]))))
        .into();
    assert!(alone["w2"].contains("but here") && alone["w1"].contains("of the web"), "{alone:?}");
    assert!(alone["d3"].contains("expects a T::Size"), "{}", alone["d3"]);
    assert!(alone["w1"].contains("first,web") && alone["w3"].contains("none nil"), "{alone:?}");
    // In either order: what one node has left must not count for the next.
    for order in [["w1", "w2", "w3", "d1", "d2", "d3"], ["d3", "d2", "d1", "w3", "w2", "w1"]] {
        let out = folder.run(&[&["compile", "--facts", "facts", "--no-cache", "--out", "out/"][..], &order].concat());
        assert_eq!(out.code, Some(1), "{}", out.err);
        for node in order.iter().filter(|node| **node != "d3") {
            let text = std::fs::read_to_string(folder.path().join(format!("out/{node}.json"))).unwrap();
            assert_eq!(without_its_name(&text), alone[node], "{node}");
        }
    }
}
