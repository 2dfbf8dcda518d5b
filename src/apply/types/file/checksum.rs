//! Checksums of contents: by which algorithm, how one is written, which value is none.

use md5::Md5;
use pantin_base::hex::hex;
use pantin_machine::{FileStat, Reading};
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

/// How a content is told from another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ChecksumType {
    Sha256,
    Sha256Lite,
    Md5,
    Md5Lite,
    Sha1,
    Sha1Lite,
    Sha512,
    Sha384,
    Sha224,
    Mtime,
    Ctime,
    None,
    /// The ETag that the server of an `http:` source sends; of a file that lies here, its MD5.
    Etag,
}

/// How much of a content the lite ones look at.
const LITE_BYTES: usize = 512;

const NAMES: [(&str, ChecksumType); 13] = [
    ("sha256", ChecksumType::Sha256),
    ("sha256lite", ChecksumType::Sha256Lite),
    ("md5", ChecksumType::Md5),
    ("md5lite", ChecksumType::Md5Lite),
    ("sha1", ChecksumType::Sha1),
    ("sha1lite", ChecksumType::Sha1Lite),
    ("sha512", ChecksumType::Sha512),
    ("sha384", ChecksumType::Sha384),
    ("sha224", ChecksumType::Sha224),
    ("mtime", ChecksumType::Mtime),
    ("ctime", ChecksumType::Ctime),
    ("none", ChecksumType::None),
    ("etag", ChecksumType::Etag),
];

impl ChecksumType {
    pub(crate) fn from_name(name: &str) -> Option<ChecksumType> {
        NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }

    pub(crate) fn name(self) -> &'static str {
        NAMES.into_iter().find(|(_, kind)| *kind == self).map_or("none", |(name, _)| name)
    }

    /// Returns false for times and for none, which say nothing of the bytes.
    pub(crate) fn is_digest(self) -> bool {
        !matches!(self, ChecksumType::Mtime | ChecksumType::Ctime | ChecksumType::None)
    }

    pub(crate) fn is_time(self) -> bool {
        matches!(self, ChecksumType::Mtime | ChecksumType::Ctime)
    }

    /// Returns the digest of bytes; nothing for times and for none.
    pub(crate) fn digest(self, bytes: &[u8]) -> String {
        let start = &bytes[..bytes.len().min(LITE_BYTES)];
        match self {
            ChecksumType::Sha256 => hex(Sha256::digest(bytes)),
            ChecksumType::Sha256Lite => hex(Sha256::digest(start)),
            ChecksumType::Md5 | ChecksumType::Etag => hex(Md5::digest(bytes)),
            ChecksumType::Md5Lite => hex(Md5::digest(start)),
            ChecksumType::Sha1 => hex(Sha1::digest(bytes)),
            ChecksumType::Sha1Lite => hex(Sha1::digest(start)),
            ChecksumType::Sha512 => hex(Sha512::digest(bytes)),
            ChecksumType::Sha384 => hex(Sha384::digest(bytes)),
            ChecksumType::Sha224 => hex(Sha224::digest(bytes)),
            ChecksumType::Mtime | ChecksumType::Ctime | ChecksumType::None => String::new(),
        }
    }

    /// Returns the checksum of bytes: `{sha256}…`.
    pub(crate) fn sum(self, bytes: &[u8]) -> String {
        let algorithm = if self == ChecksumType::Etag { ChecksumType::Md5 } else { self };
        format!("{{{}}}{}", algorithm.name(), self.digest(bytes))
    }

    /// Returns the time that stands for the content of a file: `{mtime}2021-01-01 00:00:00 +0000`.
    pub(crate) fn sum_of_time(self, stat: &FileStat, machine: &dyn Reading) -> String {
        let time = if self == ChecksumType::Mtime { stat.stamp.mtime } else { stat.stamp.ctime };
        format!("{{{}}}{}", self.name(), machine.local(time).plain())
    }

    /// Returns true if a value may be a checksum of this type.
    pub(crate) fn accepts(self, value: &str) -> bool {
        let is_hex = |length: usize| value.len() == length && value.bytes().all(|byte| byte.is_ascii_hexdigit());
        match self {
            ChecksumType::Sha256 | ChecksumType::Sha256Lite => is_hex(64),
            ChecksumType::Md5 | ChecksumType::Md5Lite => is_hex(32),
            ChecksumType::Sha1 | ChecksumType::Sha1Lite => is_hex(40),
            ChecksumType::Sha512 => is_hex(128),
            ChecksumType::Sha384 => is_hex(96),
            ChecksumType::Sha224 => is_hex(56),
            ChecksumType::Mtime | ChecksumType::Ctime => seconds_of(value).is_some(),
            ChecksumType::None => value.is_empty(),
            ChecksumType::Etag => (32..=64).any(is_hex),
        }
    }
}

/// Returns true for `{name}` with something behind it: a checksum in the place of a content.
pub(crate) fn is_checksum(text: &str) -> bool {
    let Some((name, value)) = text.strip_prefix('{').and_then(|rest| rest.split_once('}')) else { return false };
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (3..=10).contains(&name.len()) && is_name(name) && value.starts_with(|first: char| !first.is_whitespace())
}

/// Returns what stands behind `{name}`.
pub(crate) fn value_of(checksum: &str) -> &str {
    let is_one = checksum.starts_with('{');
    checksum.split_once('}').filter(|_| is_one).map_or(checksum, |(_, value)| value)
}

/// Returns the seconds of a time as checksums have it: `2021-01-01 00:00:00 +0000`, or a date.
pub(crate) fn seconds_of(text: &str) -> Option<i64> {
    let mut words = text.split([' ', 'T']);
    let mut date = words.next()?.splitn(3, '-').map(str::parse::<i64>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    let mut clock =
        words.next().unwrap_or("0:0:0").split(':').map(|part| part.split('.').next().unwrap_or(part).parse::<i64>());
    let mut part = || clock.next().unwrap_or(Ok(0)).ok();
    let (hour, minute, second) = (part()?, part()?, part()?);
    let ahead = words.next().map_or(Some(0), |zone| {
        let digits = zone.trim_start_matches(['+', '-']).replace(':', "");
        let number: i64 = if zone == "UTC" || zone == "Z" { 0 } else { digits.parse().ok()? };
        let seconds = number / 100 * 3600 + number % 100 * 60;
        Some(if zone.starts_with('-') { -seconds } else { seconds })
    })?;
    let date = pantin_machine::Date {
        year,
        month: u32::try_from(month).ok().filter(|month| (1..=12).contains(month))?,
        day: u32::try_from(day).ok().filter(|day| (1..=31).contains(day))?,
        weekday: 0,
        hour: 0,
        minute: 0,
        second: 0,
        nanoseconds: 0,
        offset: 0,
    };
    Some(date.time().seconds + hour * 3600 + minute * 60 + second - ahead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lite_checksums_look_at_the_start() {
        let (short, long) = (vec![b'a'; 512], vec![b'a'; 600]);
        assert_eq!(ChecksumType::Md5Lite.sum(&short), ChecksumType::Md5Lite.sum(&long));
        assert_ne!(ChecksumType::Md5.sum(&short), ChecksumType::Md5.sum(&long));
        assert_eq!(ChecksumType::Md5.sum(b"d\n"), "{md5}e29311f6f1bf1af907f9ef9f44b8328b");
    }

    #[test]
    fn times_are_compared_by_their_seconds() {
        assert_eq!(seconds_of("2021-01-01 00:00:00 +0000"), Some(1_609_459_200));
        assert_eq!(seconds_of("2021-01-01 02:00:00 +0200"), Some(1_609_459_200));
        assert_eq!(seconds_of("no time"), None);
    }

    #[test]
    fn a_content_may_look_like_a_checksum() {
        assert!(is_checksum("{md5}abc") && is_checksum("{sha256lite}x"));
        assert!(!is_checksum("{md5} x") && !is_checksum("{ab}x") && !is_checksum("md5}x"));
        assert_eq!(value_of("{md5}abc"), "abc");
    }
}
