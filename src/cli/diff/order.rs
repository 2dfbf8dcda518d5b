//! The order in which differing resources are told: first what runs or grants something, whatever else changes.
//!
//! A report has room for so many. Who opens a pull request may add hundreds of harmless files, and one command.

use pantin_repository::comparison::DifferenceGroup;

/// Types whose resources run something, by the first part of their names.
const RUNNING: [&str; 12] = [
    "Exec",
    "Cron",
    "Service",
    "Scheduled_task",
    "Systemd",
    "Supervisord",
    "Package",
    "Augeas",
    "Mount",
    "Yumrepo",
    "Apt",
    "Kmod",
];

/// Types whose resources let somebody in, or let somebody do something.
const GRANTING: [&str; 14] = [
    "User",
    "Group",
    "Ssh_authorized_key",
    "Sshkey",
    "Accounts",
    "Sudo",
    "Ssh",
    "Firewall",
    "Nftables",
    "Acl",
    "Selboolean",
    "Selmodule",
    "Polkit",
    "Pam",
];

/// Parts of the paths of files by which something is run, or granted.
const PATHS: [&str; 13] = [
    "/sudoers",
    "/.ssh",
    "/ssh/",
    "/cron",
    "/pam.d",
    "/systemd",
    "/init.d",
    "/rc.local",
    "/profile",
    "/passwd",
    "/shadow",
    "/security/",
    "/bin/",
];

/// So few are read to the end, in the order of their types.
const FEW: usize = 20;

/// Returns the groups, where there are many those of resources that run or grant something before the others.
pub(super) fn by_concern<'c>(groups: impl Iterator<Item = &'c DifferenceGroup>) -> Vec<&'c DifferenceGroup> {
    let mut groups: Vec<&DifferenceGroup> = groups.collect();
    if groups.len() > FEW {
        groups.sort_by_key(|group| !is_of_concern(&group.first().reference));
    }
    groups
}

fn is_of_concern(reference: &str) -> bool {
    let Some((type_name, title)) = reference.split_once('[') else { return false };
    let family = type_name.split("::").next().unwrap_or(type_name);
    let runs_or_grants = RUNNING.iter().chain(&GRANTING).any(|known| known.eq_ignore_ascii_case(family));
    let is_file = matches!(family, "File" | "File_line" | "Concat");
    runs_or_grants || is_file && PATHS.iter().any(|part| title.contains(part)) || title.contains("/sbin/")
}

#[cfg(test)]
mod tests {
    use super::is_of_concern;

    #[test]
    fn what_runs_or_grants_is_of_concern() {
        for reference in ["Exec[a]", "User[root]", "Systemd::Unit_file[a]", "File[/etc/sudoers.d/x]", "Cron[x]"] {
            assert!(is_of_concern(reference), "{reference}");
        }
        for reference in ["File[/etc/motd]", "Notify[a]", "Concat::Fragment[a]"] {
            assert!(!is_of_concern(reference), "{reference}");
        }
    }
}
