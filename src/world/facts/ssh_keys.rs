//! The keys of the host in made-up facts. They were made for that, and nobody has the other half.

use pantin_values::Value;

use super::os::{NamedFacts, hash};

struct HostKey {
    name: &'static str,
    key_type: &'static str,
    key: &'static str,
    /// As records of DNS have them.
    sha1: &'static str,
    sha256: &'static str,
}

/// Returns the fact `ssh`.
pub(super) fn structured() -> Value {
    let of_key = |known: &HostKey| {
        let fingerprints = hash([("sha1", known.sha1.into()), ("sha256", known.sha256.into())]);
        hash([("fingerprints", fingerprints), ("key", known.key.into()), ("type", known.key_type.into())])
    };
    Value::hash(KEYS.iter().map(|known| (Value::from(known.name), of_key(known))))
}

/// Returns what agents before Puppet 8 sent as well.
pub(super) fn legacy() -> NamedFacts {
    let of_key = |known: &HostKey| {
        let records = format!("{}\n{}", known.sha1, known.sha256);
        [
            (format!("ssh{}key", known.name), Value::from(known.key)),
            (format!("sshfp_{}", known.name), Value::from(records)),
        ]
    };
    KEYS.iter().flat_map(of_key).collect()
}

const KEYS: [HostKey; 3] = [
    HostKey {
        name: "ecdsa",
        key_type: "ecdsa-sha2-nistp256",
        key: "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBDgPkaJGVBzxG0H0g+QoHIoUb6Ju7cOqxLjO2f\
              tluR3722+nLFR6bqkBKOk3zLNk0RiZ39Mjc3mgHKg0ER558xo=",
        sha1: "SSHFP 3 1 eb6bf0d8591f4987451f43ee8cf491250abea698",
        sha256: "SSHFP 3 2 040ce3817b59e7fe7d227dd047c8eb695f4f8e7324c295f0cce168b78c9067b3",
    },
    HostKey {
        name: "ed25519",
        key_type: "ssh-ed25519",
        key: "AAAAC3NzaC1lZDI1NTE5AAAAIMxfFxfeTT8bFCZ0xfps2TxQeSNM5765Po5OKSqagtV8",
        sha1: "SSHFP 4 1 9c9243e098fc7329cd3012849161abcc63607dd8",
        sha256: "SSHFP 4 2 4793094406740bf8a67f67f27877d29f68e0dd7bc098698e2c539336e5e03e3c",
    },
    HostKey {
        name: "rsa",
        key_type: "ssh-rsa",
        key: "AAAAB3NzaC1yc2EAAAADAQABAAABgQDIxh/KvAmKQlXf85AOx2Z0IMEPNt/M58mRWzIIL7Rf4FHikxa4WgFGjb03P3\
              fS1odCDZSqHtZZv+Jr4vt77utCkkIf9RKDTFRDbtqVb4jXk1Yy2ySVlyI/AtZJ5H/kZqmvqr4UrXXf5TNBlqElEyGW\
              L2Kjw/I58NYShKaWs746ATCU5zvm7W9d136Jj2d90DUoXieiVaaVixuxJ6aRo3s//Lw4HeQU7wz11JPEEqAOnXJBHL\
              X8KoI7dPeii0KZoArbjolSmmr67/Q/tq31os1lMn5+LfCDnkeXOcKth4owNvZu35F8bT1JvqwBdC842uA/OPlB2uEs\
              uPCjnX3PO1ISB1dUw6+bxkxu4Bt8JIfMUNezZUGu5pxDYGY2vW3khJMC9EPeaePEjxD71NYgudDdP62AQw2l/8yy5Z\
              uQhrBN1XCNKYj/B2T0ITsUGfY+0AEiQQ7foxPednhQBdRcmNHiFzPu2ePK60v3ddEgsSUZefYsMefAnsf7jVZinFEA\
              88c=",
        sha1: "SSHFP 1 1 711c6b4e02798268b1aee17eb69d6f3bcf745f34",
        sha256: "SSHFP 1 2 630d165fc2b054b8ca21dcebc22de3d23b4a3071d723d27b44e1c0c1dcaacd8b",
    },
];
