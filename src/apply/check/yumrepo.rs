//! The type `yumrepo` of the module yumrepo_core: its attributes, as far as they are checked.

use pantin_values::{Uri, Value};

use super::only_checked::make;
use crate::failure::Failure;
use crate::resource::{AttributeRule, Draft, Pattern};
use crate::types::ruby_values::{any_line, text_to_check};
use crate::types::tool_command::check_provider;
use crate::types::{TypeEntry, present_if_managed};
use crate::value::{inspect, text};

const ABSENT: &[(&str, &str)] = &[("absent", "absent")];
const SCHEMES: [&str; 4] = ["file", "http", "https", "ftp"];

const BOOLEAN: Pattern = Pattern {
    shown: "/^(true|false|0|1|no|yes)$/",
    matches: |text| any_line(text, |line| ["true", "false", "0", "1", "no", "yes"].contains(&line)),
};
const DIGITS: Pattern = Pattern { shown: "/^[0-9]+$/", matches: |text| any_line(text, is_number) };
const DECIMAL: Pattern = Pattern { shown: r"/^\d+$/", matches: |text| any_line(text, is_number) };
const PRIORITY: Pattern = Pattern {
    shown: r"/^-?\d+$/",
    matches: |text| any_line(text, |line| is_number(line.strip_prefix('-').unwrap_or(line))),
};
const FAILOVER: Pattern = Pattern {
    shown: "/^roundrobin|priority$/",
    matches: |text| any_line(text, |line| line.starts_with("roundrobin") || line.ends_with("priority")),
};
const CACHING: Pattern = Pattern {
    shown: "/^(packages|all|none)$/",
    matches: |text| any_line(text, |line| ["packages", "all", "none"].contains(&line)),
};
const EXPIRE: Pattern = Pattern {
    shown: "/^([0-9]+[dhm]?|never)$/",
    matches: |text| {
        any_line(text, |line| line == "never" || is_number(line.strip_suffix(['d', 'h', 'm']).unwrap_or(line)))
    },
};
const THROTTLE: Pattern = Pattern {
    shown: r"/^\d+[kMG%]?$/",
    matches: |text| any_line(text, |line| is_number(line.strip_suffix(['k', 'M', 'G', '%']).unwrap_or(line))),
};
const BANDWIDTH: Pattern = Pattern {
    shown: r"/^\d+[kMG]?$/",
    matches: |text| any_line(text, |line| is_number(line.strip_suffix(['k', 'M', 'G']).unwrap_or(line))),
};

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

const fn flag(name: &'static str) -> AttributeRule {
    AttributeRule::property(name).words(ABSENT).patterns(&[BOOLEAN])
}

const fn plain(name: &'static str) -> AttributeRule {
    AttributeRule::property(name)
}

const fn matching(name: &'static str, patterns: &'static [Pattern]) -> AttributeRule {
    AttributeRule::property(name).words(ABSENT).patterns(patterns)
}

pub(super) const YUMREPO: TypeEntry = TypeEntry {
    name: "yumrepo",
    namevar: Some("name"),
    provider: Some("inifile"),
    attributes: &[
        AttributeRule::property("ensure")
            .words(&[("present", "present"), ("absent", "absent")])
            .default_made(present_if_managed),
        plain("descr"),
        plain("mirrorlist").checked(|given, _| check_address("mirrorlist", given)),
        plain("baseurl").checked(|given, _| check_addresses("baseurl", given)),
        flag("enabled"),
        flag("gpgcheck"),
        flag("payload_gpgcheck"),
        flag("repo_gpgcheck"),
        plain("gpgkey").checked(|given, _| check_addresses("gpgkey", given)),
        matching("mirrorlist_expire", &[DIGITS]),
        plain("include").checked(|given, _| check_address("include", given)),
        plain("exclude"),
        plain("gpgcakey").checked(|given, _| check_address("gpgcakey", given)),
        plain("includepkgs"),
        flag("enablegroups"),
        flag("module_hotfixes"),
        matching("failovermethod", &[FAILOVER]),
        flag("keepalive"),
        matching("retries", &[DIGITS]),
        matching("http_caching", &[CACHING]),
        matching("timeout", &[DECIMAL]),
        matching("metadata_expire", &[EXPIRE]),
        flag("protect"),
        matching("priority", &[PRIORITY]),
        matching("minrate", &[DECIMAL]),
        matching("throttle", &[THROTTLE]),
        matching("bandwidth", &[BANDWIDTH]),
        matching("cost", &[DECIMAL]),
        plain("proxy").checked(check_proxy),
        plain("proxy_username"),
        plain("proxy_password"),
        flag("s3_enabled"),
        plain("sslcacert"),
        flag("sslverify"),
        plain("sslclientcert"),
        plain("sslclientkey"),
        plain("metalink").checked(|given, _| check_address("metalink", given)),
        flag("skip_if_unavailable"),
        flag("assumeyes"),
        matching("deltarpm_percentage", &[DECIMAL]),
        matching("deltarpm_metadata_percentage", &[DECIMAL]),
        plain("username"),
        plain("password"),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("target"),
        AttributeRule::parameter("provider")
            .checked(|given, draft| check_provider("yumrepo", &["inifile"], given, draft)),
    ],
    validate: None,
    spread_secret: None,
    make,
};

fn check_addresses(name: &str, given: &Value) -> Result<(), Failure> {
    if &*text(given) == "absent" {
        return Ok(());
    }
    let addresses = text_to_check(name, "split", given)?;
    addresses.split_ascii_whitespace().try_for_each(|address| check_text(name, address))
}

fn check_address(name: &str, given: &Value) -> Result<(), Failure> {
    match given {
        Value::String(address) if address == "absent" => Ok(()),
        Value::String(address) => check_text(name, address),
        other => Err(invalid(name, &format!("bad URI(is not URI?): {}", inspect(other)))),
    }
}

fn check_proxy(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match &*text(given) {
        // Newer systems take an empty one.
        "" => Ok(()),
        value if any_line(value, |line| line == "absent" || line == "_none_") => Ok(()),
        _ => check_address("proxy", given),
    }
}

fn has_known_scheme(address: &str) -> bool {
    address.split_once(':').is_some_and(|(scheme, _)| SCHEMES.contains(&&*scheme.to_ascii_lowercase()))
}

fn check_text(name: &str, address: &str) -> Result<(), Failure> {
    let detail = match Uri::parse(address) {
        Ok(_) if has_known_scheme(address) => return Ok(()),
        Ok(_) => "Must be a valid URL".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(invalid(name, &detail))
}

fn invalid(name: &str, detail: &str) -> Failure {
    Failure::new(format!("Validate method failed for class {name}: {detail}"))
}
