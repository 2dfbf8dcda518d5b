//! The providers of the agent's types: which features each has, as Puppet declares them, and which one is the usual one on a system.
//!
//! Knows of no machine: what is usual is said by the facts of a node.

use pantin_base::Language;

use super::node_system::OperatingSystem;

/// The features of a provider that some attribute or value of its type needs.
struct ProviderRow {
    type_name: &'static str,
    name: &'static str,
    features: &'static [&'static str],
}

const fn row(type_name: &'static str, name: &'static str, features: &'static [&'static str]) -> ProviderRow {
    ProviderRow { type_name, name, features }
}

#[rustfmt::skip]
const PROVIDERS: &[ProviderRow] = &[
    row("service", "base", &[]),
    row("service", "bsd", &["enableable"]),
    row("service", "daemontools", &["enableable"]),
    row("service", "debian", &["enableable"]),
    row("service", "freebsd", &["enableable"]),
    row("service", "gentoo", &["enableable"]),
    row("service", "init", &[]),
    row("service", "launchd", &["enableable"]),
    row("service", "openbsd", &["enableable", "flaggable"]),
    row("service", "openrc", &["enableable"]),
    row("service", "openwrt", &["enableable"]),
    row("service", "rcng", &["enableable"]),
    row("service", "redhat", &["enableable"]),
    row("service", "runit", &["enableable"]),
    row("service", "service", &[]),
    row("service", "smf", &["enableable"]),
    row("service", "src", &["enableable"]),
    row("service", "systemd", &["enableable", "maskable"]),
    row("service", "upstart", &["enableable"]),
    row("service", "windows", &["configurable_timeout", "delayed_startable", "enableable", "manages_logon_credentials", "manual_startable"]),
    row("package", "aix", &["upgradeable", "versionable"]),
    row("package", "appdmg", &[]),
    row("package", "apple", &[]),
    row("package", "apt", &["holdable", "install_options", "purgeable", "upgradeable", "versionable", "virtual_packages"]),
    row("package", "aptitude", &["holdable", "purgeable", "upgradeable", "versionable"]),
    row("package", "aptrpm", &["purgeable", "upgradeable", "versionable"]),
    row("package", "blastwave", &["upgradeable"]),
    row("package", "dnf", &["install_only", "install_options", "purgeable", "upgradeable", "versionable", "virtual_packages"]),
    row("package", "dnfmodule", &["disableable", "purgeable", "supports_flavors", "upgradeable", "versionable"]),
    row("package", "dpkg", &["holdable", "purgeable", "upgradeable", "virtual_packages"]),
    row("package", "fink", &["holdable", "purgeable", "upgradeable", "versionable"]),
    row("package", "freebsd", &["purgeable", "upgradeable"]),
    row("package", "gem", &["install_options", "targetable", "uninstall_options", "upgradeable", "versionable"]),
    row("package", "hpux", &[]),
    row("package", "macports", &["upgradeable", "versionable"]),
    row("package", "nim", &["upgradeable", "versionable"]),
    row("package", "openbsd", &["install_options", "purgeable", "supports_flavors", "uninstall_options", "upgradeable", "versionable"]),
    row("package", "opkg", &["upgradeable"]),
    row("package", "pip", &["install_options", "targetable", "upgradeable", "versionable"]),
    row("package", "pip2", &["install_options", "targetable", "upgradeable", "versionable"]),
    row("package", "pip3", &["install_options", "targetable", "upgradeable", "versionable"]),
    row("package", "pkg", &["holdable", "install_options", "upgradeable", "versionable"]),
    row("package", "pkgdmg", &[]),
    row("package", "pkgin", &["upgradeable", "versionable"]),
    row("package", "pkgng", &["install_options", "upgradeable", "versionable"]),
    row("package", "pkgutil", &["upgradeable"]),
    row("package", "portage", &["install_options", "purgeable", "uninstall_options", "upgradeable", "versionable", "virtual_packages"]),
    row("package", "ports", &["purgeable", "upgradeable"]),
    row("package", "portupgrade", &["upgradeable"]),
    row("package", "puppet_gem", &["install_options", "uninstall_options", "upgradeable", "versionable"]),
    row("package", "puppetserver_gem", &["install_options", "uninstall_options", "upgradeable", "versionable"]),
    row("package", "rpm", &["install_only", "install_options", "uninstall_options", "upgradeable", "versionable", "virtual_packages"]),
    row("package", "rug", &["upgradeable", "versionable"]),
    row("package", "sun", &["install_options", "upgradeable"]),
    row("package", "sunfreeware", &["upgradeable"]),
    row("package", "tdnf", &["install_options", "purgeable", "upgradeable", "versionable", "virtual_packages"]),
    row("package", "up2date", &["upgradeable"]),
    row("package", "urpmi", &["purgeable", "upgradeable", "versionable"]),
    row("package", "windows", &["install_options", "uninstall_options", "versionable"]),
    row("package", "yum", &["install_only", "install_options", "purgeable", "upgradeable", "versionable", "virtual_packages"]),
    row("package", "zypper", &["install_options", "upgradeable", "versionable", "virtual_packages"]),
    row("user", "aix", &["manages_aix_lam", "manages_expiry", "manages_homedir", "manages_local_users_and_groups", "manages_password_age", "manages_passwords", "manages_shell"]),
    row("user", "directoryservice", &["manages_password_salt", "manages_passwords", "manages_shell"]),
    row("user", "hpuxuseradd", &["manages_homedir", "manages_passwords"]),
    row("user", "ldap", &["manages_passwords", "manages_shell"]),
    row("user", "openbsd", &["manages_expiry", "manages_homedir", "manages_loginclass", "manages_passwords", "manages_shell", "system_users"]),
    row("user", "pw", &["manages_expiry", "manages_homedir", "manages_passwords", "manages_shell"]),
    row("user", "user_role_add", &["manages_homedir", "manages_password_age", "manages_passwords", "manages_roles", "manages_shell", "manages_solaris_rbac"]),
    row("user", "useradd", &["manages_expiry", "manages_homedir", "manages_password_age", "manages_passwords", "manages_shell", "system_users"]),
    row("user", "windows_adsi", &["manages_homedir", "manages_passwords", "manages_roles"]),
    row("group", "aix", &["manages_aix_lam", "manages_local_users_and_groups", "manages_members"]),
    row("group", "directoryservice", &["manages_members"]),
    row("group", "groupadd", &["system_groups"]),
    row("group", "ldap", &[]),
    row("group", "pw", &["manages_members"]),
    row("group", "windows_adsi", &["manages_members"]),
];

/// Features that are there or not by what the machine has, so that nobody knows: of `useradd` and `groupadd` with libuser.
const UNKNOWN: [(&str, &str); 3] = [
    ("useradd", "manages_local_users_and_groups"),
    ("groupadd", "manages_local_users_and_groups"),
    ("groupadd", "manages_members"),
];

/// Features of packages that OpenVox took from a provider.
const GONE_IN_OPENVOX8: [(&str, &str); 2] = [("openbsd", "upgradeable"), ("openbsd", "versionable")];

/// Returns true if a provider has a feature; `None` if nobody knows the provider, or the machine decides.
pub(crate) fn has_feature(type_name: &str, provider: &str, feature: &str, language: Language) -> Option<bool> {
    if UNKNOWN.contains(&(provider, feature)) {
        return None;
    }
    if type_name == "package" && language >= Language::OpenVox8 && GONE_IN_OPENVOX8.contains(&(provider, feature)) {
        return Some(false);
    }
    let row = PROVIDERS.iter().find(|row| row.name == provider && row.type_name == type_name)?;
    Some(row.features.contains(&feature))
}

/// Returns the name as the table has it, with its number among all.
pub(super) fn find(type_name: &str, name: &str) -> Option<(u8, &'static str)> {
    let place = PROVIDERS.iter().position(|row| row.name == name && row.type_name == type_name)?;
    Some((place as u8 + 1, PROVIDERS[place].name))
}

/// Returns the provider that carries services out on a system where a resource names none.
pub(super) fn usual_service(system: &OperatingSystem, language: Language) -> Option<&'static str> {
    let OperatingSystem { name, family, major, .. } = system;
    let is_major = |known: &[&str]| known.contains(&major.as_str());
    let either = |is_old: bool, old: &'static str| Some(if is_old { old } else { "systemd" });
    match (name.as_str(), family.as_str()) {
        ("debian", _) => either(is_major(&["5", "6", "7"]), "debian"),
        ("ubuntu", _) => either(is_major(&["10.04", "12.04", "14.04", "14.10"]), "upstart"),
        ("linuxmint", _) => either(is_major(&["10", "11", "12", "13", "14", "15", "16", "17"]), "upstart"),
        ("devuan", _) => Some("debian"),
        ("cumuluslinux", _) if is_major(&["3", "4"]) => Some("systemd"),
        ("fedora", _) => Some("systemd"),
        ("amazon", _) => either(!is_major(&["2", "2023"]), "redhat"),
        (_, "redhat") => match language {
            Language::Puppet7 => either(!is_major(&["7", "8", "9"]), "redhat"),
            _ => either(name == "redhat" && is_major(&["4", "5", "6"]), "redhat"),
        },
        (_, "suse") => either(is_major(&["10", "11"]), "redhat"),
        (_, "archlinux" | "coreos") => Some("systemd"),
        ("freebsd" | "dragonfly", _) => Some("freebsd"),
        ("openbsd", _) => Some("openbsd"),
        ("netbsd", _) => Some("rcng"),
        ("darwin", _) => Some("launchd"),
        ("openwrt", _) => Some("openwrt"),
        (_, "solaris") => Some("smf"),
        ("aix", _) => Some("src"),
        ("windows", _) => Some("windows"),
        _ => None,
    }
}

/// Returns the provider that carries packages out on a system where a resource names none.
pub(super) fn usual_package(system: &OperatingSystem, language: Language) -> Option<&'static str> {
    let OperatingSystem { name, family, major, .. } = system;
    match (name.as_str(), family.as_str()) {
        (_, "debian") => Some("apt"),
        ("amazon", _) => Some("yum"),
        ("fedora", _) => Some("dnf"),
        (_, "redhat") => Some(if ["4", "5", "6", "7"].contains(&major.as_str()) { "yum" } else { "dnf" }),
        ("suse" | "sles" | "sled" | "opensuse", _) => Some("zypper"),
        ("archlinux" | "manjarolinux", _) => Some("pacman"),
        (_, "gentoo") => Some("portage"),
        ("freebsd" | "dragonfly", _) => Some("pkgng"),
        ("openbsd", _) => Some("openbsd"),
        ("netbsd" | "smartos", _) => Some("pkgin"),
        ("darwin", _) => Some("pkgdmg"),
        ("openwrt", _) => Some("opkg"),
        ("turrisos", _) if language >= Language::OpenVox8 => Some("opkg"),
        ("aix", _) => Some("aix"),
        ("windows", _) => Some("windows"),
        _ => None,
    }
}

/// Returns the providers of users and groups of a system.
pub(super) fn usual_accounts(system: &OperatingSystem) -> Option<(&'static str, &'static str)> {
    match system.kernel.as_str() {
        "linux" => Some(("useradd", "groupadd")),
        "windows" => Some(("windows_adsi", "windows_adsi")),
        "darwin" => Some(("directoryservice", "directoryservice")),
        "freebsd" => Some(("pw", "pw")),
        "openbsd" => Some(("openbsd", "groupadd")),
        "aix" => Some(("aix", "aix")),
        _ => None,
    }
}
