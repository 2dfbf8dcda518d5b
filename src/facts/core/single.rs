//! Facts of one value, each from one place.

use pantin_machine::Who;
use pantin_values::Value;

use crate::found::{Found, hash, integer, text};
use crate::probe::Probe;

/// What the kernel counts the times of processes in, a hundredth of a second, on every kind of machine.
const TICKS: u64 = 100;

pub(crate) fn identity(probe: &Probe<'_>, found: &mut Found) {
    let machine = probe.tree.machine;
    let (uid, own_gid) = machine.identity();
    let user = machine.user(Who::Id(uid)).ok().flatten();
    let gid = user.as_ref().map_or(own_gid, |user| user.gid);
    let group = machine.group(Who::Id(gid)).ok().flatten().map(|group| group.name);
    let user = user.map(|user| user.name);
    found.legacy("id", text(user.as_ref()));
    found.legacy("gid", text(group.as_ref()));
    found.fact(
        "identity",
        hash([
            ("gid", Value::Integer(i64::from(gid))),
            ("group", text(group)),
            ("privileged", Value::Boolean(uid == 0)),
            ("uid", Value::Integer(i64::from(uid))),
            ("user", text(user)),
        ]),
    );
}

pub(crate) fn path(probe: &Probe<'_>, found: &mut Found) {
    let path = probe.tree.machine.variable("PATH");
    found.fact("path", text(path.map(|path| path.to_string_lossy().into_owned())));
}

pub(crate) fn timezone(probe: &Probe<'_>, found: &mut Found) {
    let machine = probe.tree.machine;
    found.fact("timezone", text(machine.zone_name(machine.now())));
}

pub(crate) fn uptime(probe: &Probe<'_>, found: &mut Found) {
    let Some(machine) = probe.tree.read("/proc/uptime") else { return };
    let Some(machine) = machine.split(['.', ' ']).next().and_then(|seconds| seconds.parse::<u64>().ok()) else {
        return;
    };
    // A container is as old as its first process.
    let own = if probe.virtualization().is_docker() { start_of_first_process(probe) } else { None };
    let seconds = machine.saturating_sub(own.unwrap_or_default());
    let (minutes, hours, days) = (seconds / 60 % 60, seconds / 3600, seconds / 86_400);
    let words = match days {
        0 => format!("{hours}:{minutes:02} hours"),
        1 => "1 day".to_owned(),
        _ => format!("{days} days"),
    };
    let fact = hash([
        ("days", integer(days)),
        ("hours", integer(hours)),
        ("seconds", integer(seconds)),
        ("uptime", text(words)),
    ]);
    let flat =
        [("uptime", "uptime"), ("uptime_days", "days"), ("uptime_hours", "hours"), ("uptime_seconds", "seconds")];
    found.legacy_members(&fact, &flat);
    found.fact("system_uptime", fact);
}

/// In seconds after the machine's own start.
fn start_of_first_process(probe: &Probe<'_>) -> Option<u64> {
    let status = probe.tree.read("/proc/1/stat")?;
    // The name of the program stands in brackets and may hold anything.
    let (_, fields) = status.rsplit_once(')')?;
    fields.split_whitespace().nth(19)?.parse::<u64>().ok().map(|ticks| ticks / TICKS)
}

pub(crate) fn load_averages(probe: &Probe<'_>, found: &mut Found) {
    let Some(table) = probe.tree.read("/proc/loadavg") else { return };
    let mut numbers = table.split_whitespace().map_while(|number| number.parse::<f64>().ok()).map(Value::Float);
    let (one, five, fifteen) = (numbers.next(), numbers.next(), numbers.next());
    let members = [("15m", fifteen), ("1m", one), ("5m", five)];
    found.fact("load_averages", hash(members.map(|(name, value)| (name, value.unwrap_or_default()))));
}

pub(crate) fn filesystems(probe: &Probe<'_>, found: &mut Found) {
    let Some(table) = probe.tree.read("/proc/filesystems") else { return };
    let is_of_disks = |words: &Vec<&str>| matches!(words.as_slice(), [name] if *name != "fuseblk");
    let lines = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(is_of_disks);
    let mut names: Vec<&str> = lines.map(|words| words[0]).collect();
    names.sort_unstable();
    found.fact("filesystems", text(names.join(",")));
}

pub(crate) fn fips_enabled(probe: &Probe<'_>, found: &mut Found) {
    let is_on = probe.tree.read_trimmed("/proc/sys/crypto/fips_enabled").as_deref() == Some("1");
    found.fact("fips_enabled", Value::Boolean(is_on));
}

/// The version of Facter whose facts these are, and that of an agent that is packed with all it needs.
pub(crate) fn versions(probe: &Probe<'_>, found: &mut Found) {
    found.fact("facterversion", text(crate::facter_version(probe.language)));
    let agent = probe.tree.read_trimmed("/opt/puppetlabs/puppet/VERSION");
    let is_of_number = |letter: &char| letter.is_ascii_digit() || *letter == '.';
    found.fact(
        "aio_agent_version",
        text(agent.map(|version| version.chars().take_while(is_of_number).collect::<String>())),
    );
}

#[cfg(test)]
mod tests {
    use pantin_base::Language;
    use pantin_machine::InMemory;

    use super::*;
    use crate::probe::Tree;

    fn uptime_of(machine: &InMemory) -> Value {
        let mut found = Found::default();
        uptime(&Probe::new(Tree::whole_machine(machine), Language::Puppet8), &mut found);
        let Value::Hash(fact) = &found.structured[0].1 else { panic!("{found:?}") };
        fact.get_str("uptime").cloned().unwrap_or_default()
    }

    #[test]
    fn a_machine_is_as_old_as_it_says_and_a_container_as_its_first_process() {
        let machine = |uptime: &str| InMemory::new().with_file("/proc/uptime", uptime);
        assert_eq!(uptime_of(&machine("627.53 1200.00\n")), Value::from("0:10 hours"));
        assert_eq!(uptime_of(&machine("90000.00 1.00\n")), Value::from("1 day"));
        assert_eq!(uptime_of(&machine("180000 1.00\n")), Value::from("2 days"));
        let zeros = "0 ".repeat(18);
        let docker = machine("90000.00 1.00\n")
            .with_file("/proc/1/cgroup", "1:x:/docker/abc\n")
            .with_file("/proc/1/environ", "")
            .with_file("/proc/1/stat", format!("1 (a) b) S {zeros}8640000 0\n"));
        assert_eq!(uptime_of(&docker), Value::from("1:00 hours"));
    }
}
