//! Modules of the Forge that bring resource types and functions under names that do not tell the module. It helps a person who misses
//! one of them, and decides nothing.

/// A module, and what it brings: a whole name, or with a `*` the beginning of names.
type Brought = (&'static str, &'static [&'static str]);

const RESOURCE_TYPES: [Brought; 46] = [
    ("puppetlabs/stdlib", &["anchor", "file_line"]),
    ("puppetlabs/concat", &["concat", "concat_file", "concat_fragment"]),
    ("puppetlabs/inifile", &["ini_setting", "ini_subsetting"]),
    ("puppetlabs/augeas_core", &["augeas"]),
    ("puppetlabs/cron_core", &["cron"]),
    ("puppetlabs/host_core", &["host"]),
    ("puppetlabs/mount_core", &["mount"]),
    ("puppetlabs/nagios_core", &["nagios_*"]),
    ("puppetlabs/selinux_core", &["selboolean", "selmodule"]),
    ("puppetlabs/sshkeys_core", &["ssh_authorized_key", "sshkey"]),
    ("puppetlabs/yumrepo_core", &["yumrepo"]),
    ("puppetlabs/zfs_core", &["zfs", "zpool"]),
    ("puppetlabs/zone_core", &["zone"]),
    ("puppetlabs/mailalias_core", &["mailalias"]),
    ("puppetlabs/k5login_core", &["k5login"]),
    ("puppetlabs/macdslocal_core", &["computer", "macauthorization", "mcx"]),
    ("puppetlabs/scheduled_task", &["scheduled_task"]),
    ("puppetlabs/firewall", &["firewall", "firewallchain"]),
    ("puppetlabs/mysql", &["mysql_*"]),
    ("puppetlabs/postgresql", &["postgresql_*"]),
    ("puppetlabs/vcsrepo", &["vcsrepo"]),
    ("puppetlabs/java_ks", &["java_ks"]),
    ("puppetlabs/lvm", &["filesystem", "logical_volume", "physical_volume", "volume_group"]),
    ("puppetlabs/docker", &["docker_*"]),
    ("puppetlabs/reboot", &["reboot"]),
    ("puppetlabs/registry", &["registry_key", "registry_value"]),
    ("puppetlabs/acl", &["acl"]),
    ("puppetlabs/iis", &["iis_*"]),
    ("puppetlabs/hocon", &["hocon_setting"]),
    ("puppetlabs/chocolatey", &["chocolateyconfig", "chocolateyfeature", "chocolateysource"]),
    ("puppetlabs/splunk_hec", &["splunk_hec"]),
    ("puppet/archive", &["archive"]),
    ("puppet/alternatives", &["alternatives", "alternative_entry"]),
    ("puppet/corosync", &["cs_*"]),
    ("puppet/grafana", &["grafana_*"]),
    ("puppet/mongodb", &["mongodb_*"]),
    ("puppet/network", &["network_config", "network_route"]),
    ("puppet/openssl", &["cert_file", "dhparam", "ssl_pkey", "x509_cert", "x509_request"]),
    ("puppet/posix_acl", &["posix_acl"]),
    ("puppet/rabbitmq", &["rabbitmq_*"]),
    ("puppet/selinux", &["selinux_fcontext", "selinux_login", "selinux_permissive", "selinux_port"]),
    ("puppet/systemd", &["loginctl_user"]),
    ("puppet/windowsfeature", &["windowsfeature"]),
    ("puppet/zabbix", &["zabbix_*"]),
    ("puppet/augeasproviders_sysctl", &["sysctl"]),
    ("puppet/augeasproviders_shellvar", &["shellvar"]),
];

const FUNCTIONS: [Brought; 5] = [
    ("puppetlabs/mysql", &["mysql_*"]),
    ("puppetlabs/postgresql", &["postgresql_*"]),
    ("puppetlabs/docker", &["docker_*"]),
    ("puppet/extlib", &["cache_data", "default_content", "random_password", "resources_deep_merge", "sort_by_version"]),
    ("puppet/zabbix", &["zabbix_*"]),
];

/// Authors of modules whose name says what is missing.
const AUTHORS: [(&str, &[&str]); 2] = [
    (
        "puppetlabs",
        &[
            "accounts",
            "apache",
            "apt",
            "concat",
            "docker",
            "exec",
            "facter_task",
            "firewall",
            "haproxy",
            "inifile",
            "java",
            "java_ks",
            "lvm",
            "motd",
            "mysql",
            "ntp",
            "postgresql",
            "puppet_agent",
            "puppetdb",
            "reboot",
            "registry",
            "service",
            "stdlib",
            "tomcat",
            "translate",
            "vcsrepo",
        ],
    ),
    (
        "puppet",
        &[
            "archive",
            "augeasproviders_core",
            "collectd",
            "consul",
            "elasticsearch",
            "epel",
            "extlib",
            "gitlab",
            "grafana",
            "jenkins",
            "keepalived",
            "letsencrypt",
            "logrotate",
            "mongodb",
            "nginx",
            "nodejs",
            "openvpn",
            "php",
            "prometheus",
            "python",
            "r10k",
            "rabbitmq",
            "redis",
            "rsyslog",
            "selinux",
            "ssh",
            "sssd",
            "systemd",
            "unattended_upgrades",
            "vault_lookup",
            "yum",
            "zabbix",
        ],
    ),
];

/// Returns the module that brings a resource type of this name.
pub(super) fn module_of_resource_type(name: &str) -> Option<&'static str> {
    module_with(&RESOURCE_TYPES, name)
}

/// Returns the module that brings a function of this name.
pub(super) fn module_of_function(name: &str) -> Option<&'static str> {
    module_with(&FUNCTIONS, name)
}

/// Returns the author of a module that most people mean by this name.
pub(super) fn author_of_module(module: &str) -> Option<&'static str> {
    AUTHORS.iter().find(|(_, modules)| modules.contains(&module)).map(|(author, _)| *author)
}

fn module_with(table: &[Brought], name: &str) -> Option<&'static str> {
    let brings = |known: &&str| match known.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == *known,
    };
    table.iter().find(|(_, names)| names.iter().any(brings)).map(|(module, _)| *module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_its_module() {
        assert_eq!(module_of_resource_type("firewall"), Some("puppetlabs/firewall"));
        assert_eq!(module_of_resource_type("mysql_grant"), Some("puppetlabs/mysql"));
        assert_eq!(module_of_resource_type("firewalls"), None);
        assert_eq!(module_of_function("postgresql_password"), Some("puppetlabs/postgresql"));
        assert_eq!((author_of_module("nginx"), author_of_module("ours")), (Some("puppet"), None));
    }
}
