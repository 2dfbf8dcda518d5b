//! Users, groups, and the keys that let users in.

use pantin_values::{Str, Value};

use super::automatic::{AutomaticTarget, Rule, Subject, is_number};
use super::declaration::{Declaration, PLAIN};

pub(super) static TYPES: &[Declaration] = &[
    Declaration {
        name: "group",
        summary: "A group of users.",
        properties: "ensure gid members attributes",
        parameters: "auth_membership name* allowdupe ia_load_module attribute_membership system forcelocal provider",
        ..PLAIN
    },
    Declaration {
        name: "ssh_authorized_key",
        module: Some("sshkeys_core"),
        summary: "A key that a user may log in with.",
        properties: "ensure type key user target options",
        parameters: "name* drop_privileges provider",
        automatic: &[Rule::require("user", |key| {
            key.first_text("user").map(AutomaticTarget::Named).into_iter().collect()
        })],
        ..PLAIN
    },
    Declaration {
        name: "user",
        summary: "An account.",
        properties: "ensure home uid gid comment shell password password_min_age password_max_age password_warn_days
            groups expiry roles auths profiles keys project attributes salt iterations loginclass",
        parameters: "name* membership system allowdupe managehome role_membership auth_membership profile_membership
            key_membership ia_load_module attribute_membership forcelocal purge_ssh_keys provider",
        automatic: &[Rule::require("group", groups_of_user), Rule::require("user", roles_of_user)],
        ..PLAIN
    },
];

/// Returns the primary group, by name or number, and the others. Those that the user has on the machine already, and
/// that no catalog names, are unknown here.
fn groups_of_user(user: &Subject) -> Vec<AutomaticTarget> {
    let primary = user.values("gid").iter().filter_map(|gid| match gid {
        Value::Integer(number) => Some(AutomaticTarget::WithGid(*number)),
        Value::String(text) if is_number(text) => text.parse().ok().map(AutomaticTarget::WithGid),
        Value::String(name) => Some(AutomaticTarget::Named(name.clone())),
        _ => None,
    });
    primary.chain(listed(user, "groups")).collect()
}

fn roles_of_user(user: &Subject) -> Vec<AutomaticTarget> {
    listed(user, "roles").collect()
}

/// Returns a list as the agent keeps it: sorted, each once, and a comma in an element separates as well.
fn listed(user: &Subject, attribute: &str) -> impl Iterator<Item = AutomaticTarget> + use<> {
    let mut names: Vec<Str> = user.values(attribute).iter().filter_map(Value::as_str).map(Str::from).collect();
    names.sort_unstable();
    names.dedup();
    let names = names.join(",");
    let split: Vec<AutomaticTarget> =
        names.split(',').filter(|name| !name.is_empty()).map(AutomaticTarget::named).collect();
    split.into_iter()
}
