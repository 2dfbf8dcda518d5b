//! Where things lie under the root, and how their names read back.
//!
//! ```text
//! <root>/CACHEDIR.TAG                     backups leave the folder out
//! <root>/clean.lock                       held while the store is cleaned
//! <root>/last-cleaned                     its time says when
//! <root>/v<format>-<16 digits of build>/  one version
//!     last-opened                         its time is the version's last use
//!     <2 digits>/lock                     held while a bundle is merged
//!     <2 digits>/<64 digits>.<kind>       an entry
//! <any of them>/.tmp-...                  a file being written
//! ```
//!
//! Names only: it must not touch the file system.

use crate::Key;
use std::path::{Path, PathBuf};

pub(crate) const TAG_NAME: &str = "CACHEDIR.TAG";
/// The text the convention asks for (https://bford.info/cachedir/).
pub(crate) const TAG_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
    # A cache of pantin. It may be deleted at any time.\n";
pub(crate) const CLEAN_LOCK_NAME: &str = "clean.lock";
pub(crate) const CLEANED_NAME: &str = "last-cleaned";
pub(crate) const OPENED_NAME: &str = "last-opened";
pub(crate) const LOCK_NAME: &str = "lock";
pub(crate) const TEMPORARY_PREFIX: &str = ".tmp-";
const IDENTITY_DIGITS: usize = 16;

/// The kinds of entries. The numbers are part of the stored format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Kind {
    Answer = 1,
    Bundle = 2,
    Blob = 3,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Answer, Self::Bundle, Self::Blob];

    fn extension(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Bundle => "bundle",
            Self::Blob => "blob",
        }
    }
}

/// The folder of a version.
pub(crate) fn version_name(format_version: u32, build_identity: &Key) -> String {
    let identity = build_identity.to_hex();
    format!("v{format_version}-{}", &identity[..IDENTITY_DIGITS])
}

/// Whether `name` is one that [`version_name`] makes. Strict: folders that
/// answer to this are deleted whole, and a root may have been chosen badly.
pub(crate) fn is_version_name(name: &str) -> bool {
    let Some((format, identity)) = name.strip_prefix('v').and_then(|rest| rest.split_once('-')) else {
        return false;
    };
    let canonical = format.parse::<u32>().is_ok_and(|number| number.to_string() == format);
    canonical && identity.len() == IDENTITY_DIGITS && identity.bytes().all(is_hex_digit)
}

/// Whether a store puts something of this name into its root.
pub(crate) fn is_name_in_root(name: &str) -> bool {
    [TAG_NAME, CLEAN_LOCK_NAME, CLEANED_NAME].contains(&name)
        || name.starts_with(TEMPORARY_PREFIX)
        || is_version_name(name)
}

pub(crate) fn is_shard_name(name: &str) -> bool {
    name.len() == 2 && name.bytes().all(is_hex_digit)
}

fn is_hex_digit(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

pub(crate) fn shard_path(version: &Path, key: &Key) -> PathBuf {
    version.join(format!("{:02x}", key.as_bytes()[0]))
}

pub(crate) fn entry_path(version: &Path, key: &Key, kind: Kind) -> PathBuf {
    let mut path = shard_path(version, key);
    let mut name = key.to_hex();
    name.push('.');
    name.push_str(kind.extension());
    path.push(name);
    path
}

/// The key and kind of the entry that `name` in the folder `shard` stands for.
pub(crate) fn parse_entry_name(shard: &str, name: &str) -> Option<(Key, Kind)> {
    let (digits, extension) = name.split_once('.')?;
    if !digits.starts_with(shard) {
        return None;
    }
    let kind = Kind::ALL.into_iter().find(|kind| kind.extension() == extension)?;
    Some((Key::from_hex(digits)?, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_name_reads_back_and_its_like_does_not() {
        let name = version_name(7, &Key::from_bytes([0xab; 32]));
        assert_eq!(name, "v7-abababababababab");
        assert!(is_version_name(&name));
        for other in [
            "v7",
            "v-abababababababab",
            "v07-abababababababab",
            "v+7-abababababababab",
            "v7-abababababababa",
            "v7-ababababababababa",
            "v7-ABABABABABABABAB",
            "v7-abababababababag",
            "w7-abababababababab",
            "v4294967296-abababababababab",
        ] {
            assert!(!is_version_name(other), "{other}");
        }
    }

    #[test]
    fn an_entry_name_reads_back_and_its_like_does_not() {
        let key = Key::of(b"content");
        for kind in Kind::ALL {
            let path = entry_path(Path::new("v"), &key, kind);
            let name = path.file_name().unwrap().to_str().unwrap();
            let shard = path.parent().unwrap().file_name().unwrap();
            let shard = shard.to_str().unwrap();
            assert!(is_shard_name(shard));
            assert_eq!(parse_entry_name(shard, name), Some((key, kind)));
            assert_eq!(parse_entry_name("zz", name), None);
            assert_eq!(parse_entry_name(shard, &name.to_uppercase()), None);
            assert_eq!(parse_entry_name(shard, &format!("{name}x")), None);
            assert_eq!(parse_entry_name(shard, &name[1..]), None);
        }
        assert!(!is_shard_name("AB"));
        assert!(!is_shard_name("abc"));
    }
}
