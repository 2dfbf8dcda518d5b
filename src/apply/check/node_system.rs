//! The system of a node, by its facts: what of a resource's values depends on it.
//!
//! Knows nothing of the machine that this runs on.

use pantin_base::Language;
use pantin_values::{Hash, Value};

use super::providers;

/// The facts that say what system a node has, as paths below `facts`.
pub const SYSTEM_FACTS: [&[&str]; 7] = [
    &["kernel"],
    &["os", "name"],
    &["os", "family"],
    &["os", "release", "major"],
    // Of agents that send no structured facts.
    &["operatingsystem"],
    &["osfamily"],
    &["operatingsystemmajrelease"],
];

/// A number of a system has so many bits at most.
pub(super) const SYSTEM_BITS: u32 = 40;

/// What facts say of a system, in lower case; empty where they say nothing.
#[derive(Debug, Default)]
pub(super) struct OperatingSystem {
    pub kernel: String,
    pub name: String,
    pub family: String,
    pub major: String,
}

/// The system of a node, as far as it decides which values its agent takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeSystem {
    pub language: Language,
    platform: Platform,
    /// With their numbers.
    service: Option<(u8, &'static str)>,
    package: Option<(u8, &'static str)>,
    user: Option<(u8, &'static str)>,
    group: Option<(u8, &'static str)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Platform {
    Unknown,
    Linux,
    OtherPosix,
    Windows,
}

impl NodeSystem {
    /// Returns a system of which nothing is known: what depends on it is not judged.
    pub fn unknown(language: Language) -> NodeSystem {
        NodeSystem { language, platform: Platform::Unknown, service: None, package: None, user: None, group: None }
    }

    /// The system that facts tell of.
    pub fn from_facts(facts: &Hash, language: Language) -> NodeSystem {
        let [kernel, name, family, major, old_name, old_family, old_major] =
            SYSTEM_FACTS.map(|path| fact(facts, path).unwrap_or_default());
        let either = |new: String, old: String| if new.is_empty() { old } else { new };
        let system = OperatingSystem {
            kernel,
            name: either(name, old_name),
            family: either(family, old_family),
            major: either(major, old_major),
        };
        let platform = match (system.kernel.as_str(), system.family.as_str()) {
            ("", "") => Platform::Unknown,
            ("windows", _) | ("", "windows") => Platform::Windows,
            ("linux", _) => Platform::Linux,
            _ => Platform::OtherPosix,
        };
        let accounts = providers::usual_accounts(&system);
        let find = |type_name: &str, name: Option<&str>| providers::find(type_name, name?);
        NodeSystem {
            language,
            platform,
            service: find("service", providers::usual_service(&system, language)),
            package: find("package", providers::usual_package(&system, language)),
            user: find("user", accounts.map(|(user, _)| user)),
            group: find("group", accounts.map(|(_, group)| group)),
        }
    }

    /// Returns the provider of resources that name none; `None` if the facts do not say.
    pub(crate) fn usual_provider(&self, type_name: &str) -> Option<&'static str> {
        let usual = match type_name {
            "service" => self.service,
            "package" => self.package,
            "user" => self.user,
            "group" => self.group,
            _ => None,
        };
        usual.map(|(_, name)| name)
    }

    /// Returns true if a path begins at a root of the node, or may do so where nobody knows its system.
    pub(crate) fn is_absolute_path(&self, path: &str) -> bool {
        match self.platform {
            Platform::Linux | Platform::OtherPosix => is_posix_path(path),
            Platform::Windows => is_windows_path(path),
            Platform::Unknown => is_posix_path(path) || is_windows_path(path),
        }
    }

    /// Returns true if the node is known to be one of Windows.
    pub(crate) fn is_windows(&self) -> bool {
        self.platform == Platform::Windows
    }

    /// Returns true if the node is known to have paths that begin with a slash.
    pub(crate) fn is_posix(&self) -> bool {
        matches!(self.platform, Platform::Linux | Platform::OtherPosix)
    }

    pub(crate) fn is_linux(&self) -> bool {
        self.platform == Platform::Linux
    }

    /// Returns a number that two systems share only if every check of a resource comes to the same on both. Never zero.
    pub(super) fn number(&self) -> u64 {
        let number = |provider: Option<(u8, &str)>| provider.map_or(0, |(number, _)| u64::from(number));
        let language = match self.language {
            Language::Puppet7 => 1,
            Language::Puppet8 => 2,
            Language::OpenVox8 => 3,
        };
        let providers = [self.service, self.package, self.user, self.group].map(number);
        providers.into_iter().fold((self.platform as u64) << 2 | language, |number, provider| number << 8 | provider)
    }
}

/// Returns true if a line of a text begins at the root: the agent looks at each.
fn is_posix_path(path: &str) -> bool {
    path.starts_with('/') || path.contains("\n/")
}

/// Returns true if a line of a text begins with `C:/` or `//server/share`, with slashes of either kind.
fn is_windows_path(path: &str) -> bool {
    let is_slash = |letter: char| matches!(letter, '/' | '\\');
    let begins_at_root = |line: &str| {
        let mut letters = line.chars();
        match (letters.next(), letters.next()) {
            (Some(drive), Some(':')) if drive.is_ascii_alphabetic() => letters.next().is_some_and(is_slash),
            (Some(first), Some(second)) if is_slash(first) && is_slash(second) => {
                let mut names = letters.as_str().splitn(3, is_slash);
                (0..2).all(|_| names.next().is_some_and(|name| !name.is_empty()))
            }
            _ => false,
        }
    };
    begins_at_root(path) || path.match_indices('\n').any(|(end, _)| begins_at_root(&path[end + 1..]))
}

/// Returns the text of a fact, in lower case.
fn fact(facts: &Hash, path: &[&str]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    let mut value = facts.get_str(first)?;
    for name in rest {
        let Value::Hash(members) = value else { return None };
        value = members.get_str(name)?;
    }
    match value {
        Value::String(text) => Some(text.as_str().to_lowercase()),
        Value::Integer(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(kernel: &str, name: &str, family: &str, major: &str, language: Language) -> NodeSystem {
        let hash = |entries: Vec<(&str, Value)>| {
            Value::hash(entries.into_iter().map(|(name, value)| (Value::from(name), value)))
        };
        let os = hash(vec![
            ("name", name.into()),
            ("family", family.into()),
            ("release", hash(vec![("major", major.into())])),
        ]);
        let Value::Hash(facts) = hash(vec![("kernel", kernel.into()), ("os", os)]) else { unreachable!() };
        NodeSystem::from_facts(&facts, language)
    }

    #[test]
    fn facts_say_which_provider_is_the_usual_one() {
        for (system, service, package) in [
            (system("Linux", "Debian", "Debian", "12", Language::Puppet8), "systemd", "apt"),
            (system("Linux", "Debian", "Debian", "7", Language::Puppet7), "debian", "apt"),
            (system("Linux", "RedHat", "RedHat", "6", Language::Puppet8), "redhat", "yum"),
            (system("Linux", "Rocky", "RedHat", "9", Language::Puppet8), "systemd", "dnf"),
            (system("Linux", "SLES", "Suse", "15", Language::Puppet7), "systemd", "zypper"),
            (system("windows", "windows", "windows", "2022", Language::Puppet8), "windows", "windows"),
        ] {
            assert_eq!(system.usual_provider("service"), Some(service), "{system:?}");
            assert_eq!(system.usual_provider("package"), Some(package), "{system:?}");
        }
    }

    #[test]
    fn paths_begin_at_a_root_of_the_node() {
        let posix = system("Linux", "Debian", "Debian", "12", Language::Puppet8);
        let windows = system("windows", "windows", "windows", "2022", Language::Puppet8);
        let unknown = NodeSystem::unknown(Language::Puppet8);
        for (path, on_posix, on_windows) in [
            ("/x", true, false),
            ("x", false, false),
            ("x\n/y", true, false),
            ("C:/x", false, true),
            ("c:\\x", false, true),
            ("C:x", false, false),
            ("1:/x", false, false),
            ("//server/share", true, true),
            ("\\\\server\\share\\x", false, true),
            ("\\\\?\\C:\\x", false, true),
            ("\\\\server", false, false),
            ("\\x", false, false),
            ("", false, false),
        ] {
            assert_eq!(posix.is_absolute_path(path), on_posix, "{path:?}");
            assert_eq!(windows.is_absolute_path(path), on_windows, "{path:?}");
            assert_eq!(unknown.is_absolute_path(path), on_posix || on_windows, "{path:?}");
        }
    }

    #[test]
    fn systems_that_are_judged_alike_share_a_number() {
        let debian = |major| system("Linux", "Debian", "Debian", major, Language::Puppet8);
        assert_eq!(debian("11").number(), debian("12").number());
        assert_ne!(debian("7").number(), debian("12").number());
        assert_ne!(NodeSystem::unknown(Language::Puppet8).number(), NodeSystem::unknown(Language::Puppet7).number());
        assert_ne!(NodeSystem::unknown(Language::Puppet7).number(), 0);
    }
}
