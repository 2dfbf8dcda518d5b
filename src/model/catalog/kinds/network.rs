//! Names and keys of hosts, mail, and file systems that are mounted.

use std::sync::Arc;

use pantin_values::Str;

use super::automatic::{AutomaticTarget, Rule, Subject, folders_above, one_line};
use super::declaration::{Declaration, PLAIN};
use super::title::{self, TitlePattern};

pub(super) static TYPES: &[Declaration] = &[
    Declaration {
        name: "augeas",
        module: Some("augeas_core"),
        summary: "Changes to a configuration file, by its structure.",
        properties: "returns",
        parameters: "name* context onlyif changes root load_path force type_check lens incl show_diff provider",
        ..PLAIN
    },
    Declaration {
        name: "host",
        module: Some("host_core"),
        summary: "An entry of the hosts file.",
        properties: "ensure ip host_aliases comment target",
        parameters: "name* provider",
        ..PLAIN
    },
    Declaration {
        name: "mailalias",
        module: Some("mailalias_core"),
        summary: "Who gets the mail of an alias.",
        properties: "ensure recipient file target",
        parameters: "name* provider",
        ..PLAIN
    },
    Declaration {
        name: "mount",
        module: Some("mount_core"),
        summary: "A file system and where it is mounted.",
        properties: "ensure device blockdevice fstype options pass atboot dump target",
        parameters: "name* remounts provider",
        automatic: &[Rule::require("mount", mounts_above), Rule::before("file", files_below)],
        canonical_name: Some(without_last_slashes),
        ..PLAIN
    },
    Declaration {
        name: "sshkey",
        module: Some("sshkeys_core"),
        summary: "The key that a host is known by.",
        properties: "ensure key host_aliases target",
        parameters: "type* name* provider",
        titles: sshkey_titles,
        agent_title: Some(host_and_type),
        ..PLAIN
    },
];

/// `HOST@TYPE`, or a host alone.
fn sshkey_titles() -> Vec<TitlePattern> {
    vec![
        TitlePattern::native(title::one_line("^(.*?)@(.*)$"), &["name", "type"], |_| false),
        TitlePattern::native(title::one_line("^([^@]+)$"), &["name"], |_| false),
    ]
}

/// However it was written: the host, and the full name of the type.
fn host_and_type(key: &Subject) -> Str {
    let (host, kind) = (key.text("name").unwrap_or_default(), key.text("type").unwrap_or_default());
    let full = match kind.as_str() {
        "dsa" => "ssh-dss",
        "ed25519" => "ssh-ed25519",
        "rsa" => "ssh-rsa",
        "ecdsa-sk" => "sk-ecdsa-sha2-nistp256@openssh.com",
        "ed25519-sk" => "sk-ssh-ed25519@openssh.com",
        full => full,
    };
    format!("{host}@{full}").into()
}

fn without_last_slashes(name: &str) -> Str {
    match name.trim_end_matches('/') {
        "" => "/".into(),
        trimmed => trimmed.into(),
    }
}

/// Returns the mounts of the folders above, from the root on.
fn mounts_above(mount: &Subject) -> Vec<AutomaticTarget> {
    let mut folders = mount.name().map(|path| folders_above(&path)).unwrap_or_default();
    folders.reverse();
    folders.into_iter().map(AutomaticTarget::Named).collect()
}

/// Everything in it. The name is part of a pattern, in which a dot is any character.
fn files_below(mount: &Subject) -> Vec<AutomaticTarget> {
    mount.name().map(|name| AutomaticTarget::PathLike(Arc::new(one_line(&format!("^{name}/."))))).into_iter().collect()
}
