//! The fact `processors` and its legacy flat facts.

use std::collections::BTreeSet;

use pantin_values::Value;

use super::os_release::Distribution;
use crate::found::{Found, hash, integer, text};
use crate::probe::{Probe, Tree};
use crate::units;

const FOLDER: &str = "/sys/devices/system/cpu";
const MEGAHERTZ: u64 = 1_000_000;

pub(crate) fn collect(probe: &Probe<'_>, found: &mut Found) {
    let tree = probe.tree;
    let isa = isa(probe);
    found.legacy("hardwareisa", text(&isa));
    let table = tree.read("/proc/cpuinfo").unwrap_or_default();
    let cpus = CpuTable::parse(&table);
    let topology = Topology::read(tree);
    let physical = if cpus.sockets.is_empty() { topology.sockets } else { cpus.sockets.len() as u64 };
    found.legacy("processorcount", integer(cpus.count));
    found.legacy("physicalprocessorcount", integer(physical));
    for (number, model) in cpus.models.iter().enumerate() {
        found.legacy(format!("processor{number}"), text(model));
    }
    found.fact(
        "processors",
        hash([
            ("cores", topology.cores_per_socket.map(integer).unwrap_or_default()),
            ("count", integer(cpus.count)),
            ("isa", text(isa)),
            ("models", Value::array(cpus.models.iter().map(|model| Value::string(model.as_str())))),
            ("physicalcount", integer(physical)),
            ("speed", text(cpus.hertz.and_then(units::hertz))),
            ("threads", topology.threads_per_core.map(integer).unwrap_or_default()),
        ]),
    );
}

/// Returns what `uname -p` says: the `uname` of some distributions knows no more than the kernel's own call.
fn isa(probe: &Probe<'_>) -> String {
    let distribution = probe.os_release().distribution;
    let knows = distribution.is_of_red_hat()
        || matches!(distribution, Distribution::Ubuntu | Distribution::Mint | Distribution::Suse);
    if knows { probe.tree.machine.kernel().machine } else { "unknown".to_owned() }
}

/// `/proc/cpuinfo`
#[derive(Default)]
struct CpuTable {
    count: u64,
    models: Vec<String>,
    sockets: BTreeSet<u64>,
    hertz: Option<u64>,
}

impl CpuTable {
    fn parse(text: &str) -> CpuTable {
        let mut table = CpuTable::default();
        for line in text.lines() {
            let Some((name, value)) = line.split_once(':') else { continue };
            let value = value.rsplit(':').next().unwrap_or(value).trim();
            match name.trim() {
                "processor" => table.count += 1,
                "model name" | "cpu" => table.models.push(value.to_owned()),
                "physical id" => {
                    table.sockets.insert(leading_number(value).unwrap_or_default());
                }
                "clock" | "cpu MHz" => {
                    table.hertz = leading_number(value).map(|number| number.saturating_mul(MEGAHERTZ)).or(table.hertz);
                }
                _ => {}
            }
        }
        table
    }
}

fn leading_number(text: &str) -> Option<u64> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// How threads, cores and sockets belong together.
#[derive(Default)]
struct Topology {
    sockets: u64,
    threads_per_core: Option<u64>,
    cores_per_socket: Option<u64>,
}

impl Topology {
    fn read(tree: Tree<'_>) -> Topology {
        let names = tree.list(FOLDER);
        let is_cpu = |name: &&String| {
            name.strip_prefix("cpu")
                .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
        };
        let (mut packages, mut cores, mut sockets) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut threads = 0_u32;
        for name in names.iter().filter(is_cpu) {
            let read = |file: &str| tree.read_trimmed(&format!("{FOLDER}/{name}/topology/{file}"));
            packages.extend(read("physical_package_id"));
            sockets.extend(read("core_siblings"));
            if let Some(siblings) = read("thread_siblings") {
                let count = siblings.chars().filter_map(|digit| digit.to_digit(16)).map(u32::count_ones).sum::<u32>();
                threads = threads.max(count);
                cores.insert(siblings);
            }
        }
        Topology {
            sockets: packages.len() as u64,
            threads_per_core: (threads > 0).then(|| u64::from(threads)),
            cores_per_socket: (cores.len() as u64).checked_div(sockets.len() as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use pantin_machine::InMemory;

    use super::*;

    #[test]
    fn processors_are_counted() {
        let table = CpuTable::parse(
            "processor\t: 0\nmodel name\t: A: B\ncpu MHz\t\t: 2450.7\nphysical id\t: 0\n\nprocessor\t: 1\nphysical id\t: 1\n",
        );
        assert_eq!((table.count, table.models, table.hertz), (2, vec!["B".to_owned()], Some(2_450_000_000)));
        assert_eq!(table.sockets.len(), 2);
    }

    #[test]
    fn four_cores_of_two_threads_in_two_sockets() {
        let mut machine = InMemory::new().with_folder(FOLDER).with_folder(&format!("{FOLDER}/cpufreq"));
        for cpu in 0..8 {
            let folder = format!("{FOLDER}/cpu{cpu}/topology");
            machine = machine
                .with_folder(&format!("{FOLDER}/cpu{cpu}"))
                .with_file(&format!("{folder}/physical_package_id"), format!("{}\n", cpu / 4))
                .with_file(&format!("{folder}/core_siblings"), if cpu < 4 { "0f\n" } else { "f0\n" })
                .with_file(&format!("{folder}/thread_siblings"), format!("{:02x}\n", 3 << (cpu / 2 * 2)));
        }
        let topology = Topology::read(Tree::whole_machine(&machine));
        assert_eq!((topology.sockets, topology.threads_per_core, topology.cores_per_socket), (2, Some(2), Some(2)));
    }
}
