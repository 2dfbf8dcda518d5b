//! Legacy facts, which Puppet 8 no longer has, and the structured ones that say the same. They help the reader of an error.

/// Each legacy fact with the way to its value in the structured facts.
#[rustfmt::skip]
const MODERN: &[(&str, &[&str])] = &[
    ("architecture", &["os", "architecture"]),
    ("augeasversion", &["augeas", "version"]),
    ("bios_release_date", &["dmi", "bios", "release_date"]),
    ("bios_vendor", &["dmi", "bios", "vendor"]),
    ("bios_version", &["dmi", "bios", "version"]),
    ("domain", &["networking", "domain"]),
    ("fqdn", &["networking", "fqdn"]),
    ("gid", &["identity", "group"]),
    ("hardwareisa", &["processors", "isa"]),
    ("hardwaremodel", &["os", "hardware"]),
    ("hostname", &["networking", "hostname"]),
    ("id", &["identity", "user"]),
    ("interfaces", &["networking", "interfaces"]),
    ("ipaddress", &["networking", "ip"]),
    ("ipaddress6", &["networking", "ip6"]),
    ("lsbdistcodename", &["os", "distro", "codename"]),
    ("lsbdistdescription", &["os", "distro", "description"]),
    ("lsbdistid", &["os", "distro", "id"]),
    ("lsbdistrelease", &["os", "distro", "release", "full"]),
    ("lsbmajdistrelease", &["os", "distro", "release", "major"]),
    ("macaddress", &["networking", "mac"]),
    ("manufacturer", &["dmi", "manufacturer"]),
    ("memoryfree", &["memory", "system", "available"]),
    ("memorysize", &["memory", "system", "total"]),
    ("netmask", &["networking", "netmask"]),
    ("network", &["networking", "network"]),
    ("operatingsystem", &["os", "name"]),
    ("operatingsystemmajrelease", &["os", "release", "major"]),
    ("operatingsystemrelease", &["os", "release", "full"]),
    ("osfamily", &["os", "family"]),
    ("physicalprocessorcount", &["processors", "physicalcount"]),
    ("processorcount", &["processors", "count"]),
    ("productname", &["dmi", "product", "name"]),
    ("rubyplatform", &["ruby", "platform"]),
    ("rubysitedir", &["ruby", "sitedir"]),
    ("rubyversion", &["ruby", "version"]),
    ("selinux", &["os", "selinux", "enabled"]),
    ("serialnumber", &["dmi", "product", "serial_number"]),
    ("swapfree", &["memory", "swap", "available"]),
    ("swapsize", &["memory", "swap", "total"]),
    ("uptime", &["system_uptime", "uptime"]),
    ("uptime_days", &["system_uptime", "days"]),
    ("uptime_hours", &["system_uptime", "hours"]),
    ("uptime_seconds", &["system_uptime", "seconds"]),
    ("uuid", &["dmi", "product", "uuid"]),
];

/// Returns what helps where no variable has the name of a legacy fact.
pub(super) fn help_for(variable: &str) -> Option<String> {
    let name = variable.strip_prefix("::").unwrap_or(variable);
    let (_, keys) = MODERN.iter().find(|(legacy, _)| *legacy == name)?;
    let keys: String = keys.iter().map(|key| format!("['{key}']")).collect();
    Some(format!("'{name}' is a legacy fact, which Puppet 8 does not have: $facts{keys} says the same"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legacy_fact_has_a_modern_name() {
        assert!(MODERN.is_sorted_by_key(|(legacy, _)| *legacy));
        let help = "'fqdn' is a legacy fact, which Puppet 8 does not have: $facts['networking']['fqdn'] says the same";
        assert_eq!(help_for("::fqdn").as_deref(), Some(help));
        assert_eq!((help_for("fqdn").is_some(), help_for("web::fqdn"), help_for("kernel")), (true, None, None));
    }
}
