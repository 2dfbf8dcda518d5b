//! The memory that this process takes, where the system reports it.

/// In bytes. `None`: nobody tells.
pub fn resident_bytes() -> Option<u64> {
    resident(&std::fs::read_to_string("/proc/self/status").ok()?)
}

fn resident(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim_end().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_in_kilobytes() {
        assert_eq!(resident("Name:\tpantin\nVmPeak:\t  99 kB\nVmRSS:\t   123456 kB\n"), Some(123_456 << 10));
        assert_eq!(resident("Name:\tpantin\n"), None);
    }
}
