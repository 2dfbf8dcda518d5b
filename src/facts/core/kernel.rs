//! The facts `kernel`, `kernelrelease`, `kernelversion` and `kernelmajversion`.

use crate::found::{Found, text};
use crate::probe::Probe;

pub(crate) fn collect(probe: &Probe<'_>, found: &mut Found) {
    let kernel = probe.tree.machine.kernel();
    let numbers = kernel.release.split(|letter: char| !letter.is_ascii_digit()).filter(|number| !number.is_empty());
    let version: Vec<&str> = numbers.take(3).collect();
    let major: Vec<&str> = kernel.release.split('.').take(2).collect();
    found.fact("kernel", text(&kernel.name));
    found.fact("kernelmajversion", text(major.join(".")));
    found.fact("kernelrelease", text(&kernel.release));
    found.fact("kernelversion", text(version.join(".")));
}
