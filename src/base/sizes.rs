//! Sizes of memory and disk space as a person writes them: `500M`, `8G`.

/// `500M`, `8G`
pub fn bytes_of_text(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 'K')) => (&text[..at], 1 << 10),
        Some((at, 'M')) => (&text[..at], 1 << 20),
        Some((at, 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    bytes.ok_or_else(|| format!("'{text}' is no size such as 500M or 8G"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_two() {
        assert_eq!(bytes_of_text("17"), Ok(17));
        assert_eq!(bytes_of_text("2K"), Ok(2048));
        assert_eq!(bytes_of_text("256M"), Ok(256 << 20));
        assert_eq!(bytes_of_text("8G"), Ok(8 << 30));
        for wrong in ["", "M", "-1M", "1.5G", "1T", "many", "99999999999G"] {
            assert!(bytes_of_text(wrong).is_err(), "{wrong}");
        }
    }
}
