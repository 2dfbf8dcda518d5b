//! The fact `memory` and its legacy flat facts.

use pantin_values::Value;

use crate::found::{Found, hash, integer, text};
use crate::probe::Probe;
use crate::units;

pub(crate) fn collect(probe: &Probe<'_>, found: &mut Found) {
    let Some(table) = probe.tree.read("/proc/meminfo") else { return };
    let bytes = |name: &str| {
        let line = table.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
    };
    let Some(total) = bytes("MemTotal") else { return };
    let free = bytes("MemAvailable")
        .or_else(|| Some(bytes("MemFree")? + bytes("Buffers")? + bytes("Cached")?))
        .unwrap_or_default();
    let swap =
        bytes("SwapTotal").filter(|total| *total > 0).map(|total| (total, bytes("SwapFree").unwrap_or_default()));
    found.fact(
        "memory",
        hash([
            ("swap", swap.map(|(total, free)| space(total, free)).unwrap_or_default()),
            ("system", space(total, free)),
        ]),
    );
    collect_legacy(("memoryfree", "memorysize"), total, free, found);
    if let Some((total, free)) = swap {
        collect_legacy(("swapfree", "swapsize"), total, free, found);
    }
}

fn space(total: u64, free: u64) -> Value {
    let used = total.saturating_sub(free);
    hash([
        ("available", text(units::bytes(free))),
        ("available_bytes", integer(free)),
        ("capacity", text(units::percent(used, total))),
        ("total", text(units::bytes(total))),
        ("total_bytes", integer(total)),
        ("used", text(units::bytes(used))),
        ("used_bytes", integer(used)),
    ])
}

fn collect_legacy(names: (&str, &str), total: u64, free: u64, found: &mut Found) {
    for (name, bytes) in [(names.0, free), (names.1, total)] {
        found.legacy(name, text(units::bytes(bytes)));
        found.legacy(format!("{name}_mb"), Value::Float(units::megabytes(bytes)));
    }
}
