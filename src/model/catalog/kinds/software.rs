//! Packages, where they come from, and the services that they bring.

use super::automatic::{AutomaticTarget, Rule, Subject};
use super::declaration::{Declaration, PLAIN};
use super::title::{TitlePattern, multi_line};

const PACKAGE: Declaration = Declaration {
    name: "package",
    summary: "A package of the system, or of a language.",
    properties: "ensure package_settings flavor mark",
    parameters: "name* provider* command* source instance status adminfile responsefile configfiles category
        platform root vendor description allowcdrom enable_only install_only install_options uninstall_options
        allow_virtual reinstall_on_refresh",
    titles: package_titles,
    automatic: &[Rule::require("file", files_of_package)],
    ..PLAIN
};

/// The types of this family that OpenVox has changed.
pub(super) static TYPES_OF_OPENVOX8: &[Declaration] = &[Declaration {
    parameters: "name* provider* command* source instance status adminfile responsefile configfiles category
        platform root vendor description allowcdrom enable_only install_only environment install_options
        uninstall_options allow_virtual reinstall_on_refresh",
    ..PACKAGE
}];

pub(super) static TYPES: &[Declaration] = &[
    PACKAGE,
    Declaration {
        name: "service",
        summary: "A program in the background.",
        properties: "ensure enable logonaccount flags",
        parameters: "logonpassword binary hasstatus name* path pattern restart start status stop control hasrestart
            manifest timeout provider",
        ..PLAIN
    },
    Declaration {
        name: "yumrepo",
        module: Some("yumrepo_core"),
        summary: "A repository that yum or dnf takes packages from.",
        properties: "ensure descr mirrorlist baseurl enabled gpgcheck payload_gpgcheck repo_gpgcheck gpgkey
            mirrorlist_expire include exclude gpgcakey includepkgs enablegroups module_hotfixes failovermethod
            keepalive retries http_caching timeout metadata_expire protect priority minrate throttle bandwidth cost
            proxy proxy_username proxy_password s3_enabled sslcacert sslverify sslclientcert sslclientkey metalink
            skip_if_unavailable assumeyes deltarpm_percentage deltarpm_metadata_percentage username password",
        parameters: "name* target provider",
        ..PLAIN
    },
];

/// The title is the name alone, whatever the other namevars are.
fn package_titles() -> Vec<TitlePattern> {
    vec![TitlePattern::native(multi_line("(.*)"), &["name"], |_| true)]
}

fn files_of_package(package: &Subject) -> Vec<AutomaticTarget> {
    let answers = ["responsefile", "adminfile"].into_iter().filter_map(|attribute| package.text(attribute));
    let source = package.text("source").filter(|source| source.starts_with('/'));
    answers.chain(source).map(AutomaticTarget::Named).collect()
}
