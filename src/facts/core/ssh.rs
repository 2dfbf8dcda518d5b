//! The fact `ssh` and its legacy flat facts: public keys of this host, with the digests that a name server can tell of them.

use pantin_base::hex::hex;
use pantin_values::scalar::BinaryFormat;
use pantin_values::{Binary, Value};
use sha1::{Digest, Sha1};
use sha2::Sha256;

use crate::found::{Found, hash, table, text};
use crate::probe::Probe;

const FOLDERS: [&str; 5] = ["/etc/ssh", "/usr/local/etc/ssh", "/etc", "/usr/local/etc", "/etc/opt/ssh"];

/// Files of keys: the type of a key, its name here, and its number in records of a name server.
const ALGORITHMS: [(&str, &str, &str, u32); 4] = [
    ("ssh_host_rsa_key.pub", "ssh-rsa", "rsa", 1),
    ("ssh_host_dsa_key.pub", "ssh-dss", "dsa", 2),
    ("ssh_host_ecdsa_key.pub", "ecdsa-sha2-nistp256", "ecdsa", 3),
    ("ssh_host_ed25519_key.pub", "ssh-ed25519", "ed25519", 4),
];

pub(crate) fn collect(probe: &Probe<'_>, found: &mut Found) {
    let mut keys: Vec<(String, Value)> = Vec::new();
    for folder in FOLDERS {
        for (file, ..) in ALGORITHMS {
            let Some(line) = probe.tree.read(&format!("{folder}/{file}")) else { continue };
            let mut words = line.split_whitespace();
            let (Some(kind), Some(key)) = (words.next(), words.next()) else { continue };
            let Some((_, _, name, number)) = ALGORITHMS.iter().find(|(_, known, ..)| *known == kind) else { continue };
            let bytes = Binary::parse(key, BinaryFormat::Relaxed).map(|key| key.bytes().to_vec()).unwrap_or_default();
            let sha1 = format!("SSHFP {number} 1 {}", hex::<String>(Sha1::digest(&bytes)));
            let sha256 = format!("SSHFP {number} 2 {}", hex::<String>(Sha256::digest(&bytes)));
            found.legacy(format!("ssh{name}key"), text(key));
            found.legacy(format!("sshfp_{name}"), text(format!("{sha1}\n{sha256}")));
            let fact = hash([
                ("fingerprints", hash([("sha1", text(sha1)), ("sha256", text(sha256))])),
                ("key", text(key)),
                ("type", text(kind)),
            ]);
            keys.retain(|(known, _)| known != name);
            keys.push(((*name).to_owned(), fact));
        }
    }
    if !keys.is_empty() {
        found.fact("ssh", table(keys));
    }
}

#[cfg(test)]
mod tests {
    use pantin_base::Language;
    use pantin_machine::InMemory;

    use super::*;
    use crate::probe::Tree;

    #[test]
    fn a_key_has_the_digests_of_its_bytes() {
        let machine = InMemory::new()
            .with_file("/etc/ssh/ssh_host_ed25519_key.pub", "ssh-ed25519 YWJj root@web01\n")
            .with_file("/etc/ssh/ssh_host_ecdsa_key.pub", "ecdsa-sha2-nistp521 YWJj root@web01\n");
        let mut found = Found::default();
        collect(&Probe::new(Tree::whole_machine(&machine), Language::Puppet8), &mut found);
        let names: Vec<&str> = found.legacy.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["sshed25519key", "sshfp_ed25519"]);
        let (_, records) = &found.legacy[1];
        assert!(
            records.as_str().unwrap().starts_with("SSHFP 4 1 a9993e364706816aba3e25717850c26c9cd0d89d\nSSHFP 4 2 ")
        );
    }
}
