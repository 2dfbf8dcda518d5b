//! Bytes as hexadecimal digits in lower case, and as UUIDs.

/// Two digits a byte, in whatever letters are put together in.
pub fn hex<T: FromIterator<char>>(bytes: impl AsRef<[u8]>) -> T {
    bytes.as_ref().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The same, each byte with its lower half first.
pub fn hex_low_first<T: FromIterator<char>>(bytes: impl AsRef<[u8]>) -> T {
    bytes.as_ref().iter().flat_map(|byte| [digit(byte & 15), digit(byte >> 4)]).collect()
}

fn digit(half: u8) -> char {
    char::from(b"0123456789abcdef"[usize::from(half)])
}

/// Returns a UUID as RFC 4122 writes one: of these bytes, but for the bits that tell its version and that it follows
/// that standard.
pub fn uuid(mut bytes: [u8; 16], version: u8) -> String {
    bytes[6] = bytes[6] & 0x0f | version << 4;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let groups = [&bytes[..4], &bytes[4..6], &bytes[6..8], &bytes[8..10], &bytes[10..]];
    groups.map(hex::<String>).join("-")
}

#[cfg(test)]
mod tests {
    use super::{hex, hex_low_first, uuid};

    #[test]
    fn every_byte_is_two_digits() {
        assert_eq!(hex::<String>([0x00, 0x0a, 0xff, 0x71]), "000aff71");
        assert_eq!(hex_low_first::<String>([0x00, 0x0a, 0xff, 0x71]), "00a0ff17");
    }

    #[test]
    fn a_uuid_tells_its_version() {
        assert_eq!(uuid([0xff; 16], 4), "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(uuid([0; 16], 5), "00000000-0000-5000-8000-000000000000");
    }
}
