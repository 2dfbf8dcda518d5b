//! The types `ssh_authorized_key` and `sshkey` of the module sshkeys_core.

mod authorized_key;
mod authorized_keys_file;
mod host_key;
#[cfg(test)]
mod tests;

pub(super) use authorized_key::TYPE as SSH_AUTHORIZED_KEY;
pub(super) use authorized_keys_file::names_in;
pub(super) use host_key::{PROVIDER as SSHKEY_PROVIDER, TYPE as SSHKEY};

/// The kinds of keys, by their names and by the short ones that manifests may use.
const HOST_KEY_KINDS: &[(&str, &str)] = &[
    ("ssh-dss", "ssh-dss"),
    ("ssh-ed25519", "ssh-ed25519"),
    ("ssh-rsa", "ssh-rsa"),
    ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"),
    ("ecdsa-sha2-nistp384", "ecdsa-sha2-nistp384"),
    ("ecdsa-sha2-nistp521", "ecdsa-sha2-nistp521"),
    ("sk-ecdsa-sha2-nistp256@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"),
    ("sk-ssh-ed25519@openssh.com", "sk-ssh-ed25519@openssh.com"),
    ("dsa", "ssh-dss"),
    ("ed25519", "ssh-ed25519"),
    ("rsa", "ssh-rsa"),
    ("ecdsa-sk", "sk-ecdsa-sha2-nistp256@openssh.com"),
    ("ed25519-sk", "sk-ssh-ed25519@openssh.com"),
];

/// Those that let users in: certificates too.
const USER_KEY_KINDS: &[(&str, &str)] = &[
    ("ssh-dss", "ssh-dss"),
    ("ssh-rsa", "ssh-rsa"),
    ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"),
    ("ecdsa-sha2-nistp384", "ecdsa-sha2-nistp384"),
    ("ecdsa-sha2-nistp521", "ecdsa-sha2-nistp521"),
    ("ssh-ed25519", "ssh-ed25519"),
    ("sk-ecdsa-sha2-nistp256@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com"),
    ("sk-ssh-ed25519@openssh.com", "sk-ssh-ed25519@openssh.com"),
    ("ssh-rsa-cert-v01@openssh.com", "ssh-rsa-cert-v01@openssh.com"),
    ("ssh-ed25519-cert-v01@openssh.com", "ssh-ed25519-cert-v01@openssh.com"),
    ("ssh-dss-cert-v01@openssh.com", "ssh-dss-cert-v01@openssh.com"),
    ("ecdsa-sha2-nistp256-cert-v01@openssh.com", "ecdsa-sha2-nistp256-cert-v01@openssh.com"),
    ("ecdsa-sha2-nistp384-cert-v01@openssh.com", "ecdsa-sha2-nistp384-cert-v01@openssh.com"),
    ("ecdsa-sha2-nistp521-cert-v01@openssh.com", "ecdsa-sha2-nistp521-cert-v01@openssh.com"),
    ("dsa", "ssh-dss"),
    ("ed25519", "ssh-ed25519"),
    ("rsa", "ssh-rsa"),
    ("ecdsa-sk", "sk-ecdsa-sha2-nistp256@openssh.com"),
    ("ed25519-sk", "sk-ssh-ed25519@openssh.com"),
];
