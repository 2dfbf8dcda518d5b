//! What the tables say when they are asked, and the small functions of the automatic relationships. That the tables
//! are right is held by `cargo test --test compare -- kinds`, which asks the real Puppet.

use pantin_values::Value;

use super::automatic::{expand_path, folders_above, is_number};
use super::*;

fn targets(kind: &str, title: &str, parameters: &[(&str, Value)]) -> Vec<String> {
    let kind = native(kind).unwrap();
    let parameters = parameters.iter().map(|(name, value)| (Str::from(*name), value.clone())).collect();
    let subject = Subject::new(kind, title, &parameters);
    let of_rule =
        |rule: &Rule| (rule.targets)(&subject).into_iter().map(|target| shown(rule, &target)).collect::<Vec<_>>();
    kind.automatic().iter().flat_map(of_rule).collect()
}

fn shown(rule: &Rule, target: &AutomaticTarget) -> String {
    let wanted = match target {
        AutomaticTarget::Named(name) => name.to_string(),
        AutomaticTarget::Above(path) => folders_above(path).join(" or "),
        AutomaticTarget::WithGid(gid) => format!("gid {gid}"),
        AutomaticTarget::PathLike(pattern) => format!("like {}", pattern.source()),
    };
    format!("{} {} {wanted}", rule.relation.name(), rule.target_type)
}

fn text(text: &str) -> Value {
    Value::string(text)
}

#[test]
fn a_type_is_found_in_any_case_and_once() {
    let names: Vec<_> = all().iter().map(|kind| kind.name()).collect();
    let mut once = names.clone();
    once.dedup();
    assert_eq!(names, once);
    assert_eq!(names.len(), FAMILIES.iter().map(|family| family.len()).sum::<usize>());
    assert_eq!(native("Ssh_Authorized_Key").unwrap().type_name(), "Ssh_authorized_key");
    assert!(native("concat").is_none());
}

#[test]
fn attributes_are_properties_parameters_metaparameters_and_name() {
    let file = native("file").unwrap();
    assert_eq!(file.attribute("mode"), Some(Attribute::Property));
    assert_eq!(file.attribute("recurse"), Some(Attribute::Parameter));
    assert_eq!(file.attribute("before"), None);
    for name in ["mode", "recurse", "before", "name"] {
        assert!(file.is_attribute(name), "{name}");
    }
    assert!(!file.is_attribute("nope"));
    assert_eq!((file.sole_namevar(), native("package").unwrap().sole_namevar()), (Some("path"), None));
}

#[test]
fn a_title_that_no_pattern_matches_is_an_error() {
    let fault = native("file").unwrap().parse_title("").unwrap_err();
    assert_eq!(fault.message, "No set of title patterns matched the title \"\".");
}

#[test]
fn the_uniqueness_key_has_the_namevars_in_order_of_names() {
    let package = native("package").unwrap();
    let key = package.uniqueness_key("vim", |name| (name == "provider").then(|| text("gem"))).unwrap();
    assert_eq!(key, [None, Some(text("vim")), Some(text("gem"))]);
}

#[test]
fn a_file_requires_its_folder_its_target_and_its_owners() {
    let link = [("ensure", text("/usr/bin/vim")), ("owner", text("root")), ("group", text("0"))];
    assert_eq!(
        targets("file", "/usr/local/bin//vi/", &link),
        ["require file /usr/local/bin or /usr/local or /usr or /", "require file /usr/bin/vim", "require user root"]
    );
    assert_eq!(targets("file", "/", &[("ensure", text("directory"))]), ["require file "]);
}

#[test]
fn a_command_requires_the_files_its_lines_begin_with() {
    let lines = [
        ("command", text("/bin/a /b\n/c d\nx /y")),
        ("unless", Value::array([text("\"/q\" /r"), Value::array([text("/s"), text("/t")])])),
        ("user", Value::Integer(7)),
    ];
    assert_eq!(
        targets("exec", "it", &lines),
        ["require file /bin/a", "require file /c", "require file /s", "require user 7"]
    );
    assert_eq!(targets("exec", "\"/opt/my tool\" run", &[("user", text("7"))]), ["require file /opt/my tool"]);
}

#[test]
fn a_user_requires_groups_by_name_and_number() {
    let groups = Value::array([text("wheel"), text("adm"), text("wheel")]);
    assert_eq!(
        targets("user", "kim", &[("gid", text("100")), ("groups", groups)]),
        ["require group gid 100", "require group adm", "require group wheel"]
    );
}

#[test]
fn mounts_and_pools_require_what_they_lie_in() {
    assert_eq!(
        targets("mount", "/srv/a/", &[]),
        ["require mount /", "require mount /srv", "before file like ^/srv/a/."]
    );
    assert_eq!(targets("zfs", "tank/a/b", &[]), ["require zpool tank", "require zfs tank/a"]);
    assert_eq!(
        targets("zone", "z", &[("path", text("/zones/%s")), ("dataset", text("tank/z"))]),
        ["require file /zones/z", "require file /zones", "require zfs tank/z"]
    );
}

#[test]
fn paths_are_made_plain() {
    for (path, plain) in [("/", "/"), ("//a//b/./c/../d/", "/a/b/d"), ("/../..", "/")] {
        assert_eq!(expand_path(path), plain);
    }
    assert_eq!(folders_above("/a/b/c"), ["/a/b", "/a", "/"]);
    assert!(folders_above("/").is_empty() && folders_above("a").is_empty());
    assert!(is_number("12") && is_number("a\n12") && !is_number("12a") && !is_number(""));
}
