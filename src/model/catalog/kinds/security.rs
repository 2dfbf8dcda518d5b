//! The native types for SELinux.

use super::automatic::{AutomaticTarget, Rule, Subject};
use super::declaration::{Declaration, PLAIN};

pub(super) static TYPES: &[Declaration] = &[
    Declaration {
        name: "selboolean",
        module: Some("selinux_core"),
        summary: "A switch of the SELinux policy.",
        properties: "value",
        parameters: "name* persistent provider",
        ..PLAIN
    },
    Declaration {
        name: "selmodule",
        module: Some("selinux_core"),
        summary: "A module of the SELinux policy.",
        properties: "ensure syncversion",
        parameters: "name* selmoduledir selmodulepath provider",
        automatic: &[Rule::require("file", file_of_module)],
        ..PLAIN
    },
];

fn file_of_module(module: &Subject) -> Vec<AutomaticTarget> {
    if let Some(path) = module.text("selmodulepath") {
        return vec![AutomaticTarget::Named(path)];
    }
    let folder = module.text("selmoduledir").unwrap_or_else(|| "/usr/share/selinux/targeted".into());
    module.name().map(|name| AutomaticTarget::named(&format!("{folder}/{name}.pp"))).into_iter().collect()
}
