//! What is described: functions and types of Puppet, and what the repository at hand defines.

use serde_json::Value;

use crate::Folder;

fn repository() -> Folder {
    Folder::with(&[
        ("environment.conf", ""),
        (
            "modules/ntp/manifests/init.pp",
            "# @summary Sets the clock\n#\n# Everywhere.\n#\n# @param servers\n#   Whom to ask.\n# @example\n#   include ntp\n\
             class ntp(\n  Array[String] $servers = ['a'],\n) { }\n",
        ),
        ("modules/ntp/functions/fit.pp", "# Fits.\nfunction ntp::fit(Integer $x) >> Integer { $x }\n"),
        (
            "modules/ntp/lib/puppet/type/clock.rb",
            "Puppet::Type.newtype(:clock) do\n  newparam(:name, namevar: true)\n  newproperty(:zone)\nend\n",
        ),
    ])
}

#[test]
fn what_the_repository_defines_is_described_by_its_comment() {
    let folder = repository();
    let said = folder.run(&["doc", "ntp"]);
    let expected = format!(
        "class ntp ({}/modules/ntp/manifests/init.pp:9)\nSets the clock\n\nEverywhere.\n\nParameters\n  Array[String] $servers \
         = ['a']\n      Whom to ask.\n\nExample\n  include ntp\n",
        folder.real_path()
    );
    assert_eq!((said.out.as_str(), said.code), (expected.as_str(), Some(0)), "{}", said.err);
    let said = folder.run(&["doc", "function", "ntp::fit", "--json"]);
    let found: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&found["text"], &found["returns"]), (&"Fits.".into(), &"Integer".into()));
    let said = folder.run(&["doc", "resource", "clock"]);
    assert!(said.out.contains("Named by:    name\nProperties:  zone\n"), "{}{}", said.out, said.err);
}

#[test]
fn resource_types_of_puppet_are_described() {
    let folder = Folder::with(&[]);
    let said = folder.run(&["doc", "resource", "file"]);
    assert!(said.out.starts_with("file\n") && said.out.contains("Named by:    path\n"), "{}", said.out);
    let all = folder.run(&["doc", "resource"]).out;
    assert!(all.lines().count() > 20 && all.contains("\nservice "), "{all}");
    let said = folder.run(&["doc", "notise"]);
    assert_eq!((said.err.as_str(), said.code), ("Error: nothing is called 'notise'; did you mean notice?\n", Some(1)));
    let said = folder.run(&["doc", "resource", "fiel"]);
    assert_eq!(said.err, "Error: there is no resource 'fiel'; did you mean file?\n");
}
