//! Numbers as facts write them for people.

const PREFIXES: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// `23.54 GiB`, `512 bytes`
pub(crate) fn bytes(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut exponent = (u64::BITS - 1 - bytes.leading_zeros()) / 10;
    let mut number = (100.0 * (bytes as f64 / 1024_f64.powi(exponent as i32))).round() / 100.0;
    if number >= 1024.0 {
        exponent += 1;
        number = 1.0;
    }
    format!("{number:.2} {}", PREFIXES[exponent as usize - 1])
}

/// Bytes in units of 1024 times 1024.
pub(crate) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / (1024.0 * 1024.0)
}

/// `2.45 GHz`; nothing of no hertz.
pub(crate) fn hertz(hertz: u64) -> Option<String> {
    if hertz == 0 {
        return None;
    }
    let group = (hertz.ilog10() / 3).min(4);
    let prefix = ["", "k", "M", "G", "T"][group as usize];
    Some(format!("{:.2} {prefix}Hz", hertz as f64 / 1000_f64.powi(group as i32)))
}

/// `5.62%` of memory.
pub(crate) fn percent(used: u64, total: u64) -> String {
    format!("{:.2}%", used as f64 / total as f64 * 100.0)
}

/// `5.62%` of a file system: all and nothing have no digits behind the point.
pub(crate) fn capacity(used: u64, total: u64) -> String {
    match used {
        _ if used == total => "100%".to_owned(),
        0 => "0%".to_owned(),
        _ => percent(used, total),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_facter_writes_them() {
        assert_eq!(bytes(1023), "1023 bytes");
        assert_eq!(bytes(1024), "1.00 KiB");
        assert_eq!(bytes(25_276_063_744), "23.54 GiB");
        assert_eq!(bytes(274_877_906_944), "256.00 GiB");
        assert_eq!(bytes((1 << 30) - 1), "1.00 GiB");
        assert_eq!(bytes(u64::MAX), "16.00 EiB");
        assert_eq!(hertz(2_450_000_000).as_deref(), Some("2.45 GHz"));
        assert_eq!(hertz(800_000_000).as_deref(), Some("800.00 MHz"));
        assert_eq!(hertz(0), None);
        assert_eq!((capacity(0, 5), capacity(5, 5), capacity(1, 3)), ("0%".into(), "100%".into(), "33.33%".into()));
        assert_eq!(capacity(0, 0), "100%");
    }
}
