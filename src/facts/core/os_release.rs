//! Which operating system a tree holds: `os-release`, and the older files of distributions.

use crate::probe::Tree;

/// A distribution whose facts are found in ways of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Distribution {
    Debian,
    Devuan,
    Ubuntu,
    Mint,
    RedHat,
    Amazon,
    Oracle,
    Suse,
    Alpine,
    Gentoo,
    Other,
}

impl Distribution {
    fn from_id(id: &str) -> Option<Distribution> {
        Some(match id {
            "debian" | "raspbian" | "elementary" => Distribution::Debian,
            "devuan" => Distribution::Devuan,
            "ubuntu" => Distribution::Ubuntu,
            "linuxmint" => Distribution::Mint,
            "rhel" | "fedora" | "centos" | "scientific" => Distribution::RedHat,
            "amzn" => Distribution::Amazon,
            "ol" => Distribution::Oracle,
            "sles" | "sled" | "opensuse" => Distribution::Suse,
            "alpine" => Distribution::Alpine,
            "gentoo" => Distribution::Gentoo,
            _ => return None,
        })
    }

    pub(crate) fn is_of_debian(self) -> bool {
        matches!(self, Distribution::Debian | Distribution::Devuan | Distribution::Ubuntu | Distribution::Mint)
    }

    pub(crate) fn is_of_red_hat(self) -> bool {
        matches!(self, Distribution::RedHat | Distribution::Amazon | Distribution::Oracle)
    }
}

/// What `/etc/os-release` says, and which distribution that is.
#[derive(Debug)]
pub(crate) struct OsRelease {
    entries: Vec<(String, String)>,
    pub distribution: Distribution,
    /// What `/etc/redhat-release` says.
    pub red_hat: Option<RedHatRelease>,
}

impl OsRelease {
    pub(crate) fn read(tree: Tree<'_>) -> OsRelease {
        let text = tree.read("/etc/os-release").unwrap_or_default();
        let entry = |line: &str| {
            let (name, value) = line.trim().split_once('=')?;
            Some((name.to_owned(), value.replace('"', "")))
        };
        let entries: Vec<(String, String)> = text.lines().filter_map(entry).collect();
        let mut release = OsRelease {
            entries,
            distribution: Distribution::Other,
            red_hat: tree.read("/etc/redhat-release").as_deref().map(RedHatRelease::parse),
        };
        release.distribution = release.detect(tree);
        release
    }

    fn detect(&self, tree: Tree<'_>) -> Distribution {
        if tree.exists("/etc/devuan_version") {
            return Distribution::Devuan;
        }
        let by_id = self.id().and_then(|id| Distribution::from_id(&id));
        let by_kin = || self.get("ID_LIKE")?.split_whitespace().find_map(Distribution::from_id);
        let without_file = || (self.id().is_none() && self.red_hat.is_some()).then_some(Distribution::RedHat);
        by_id.or_else(by_kin).or_else(without_file).unwrap_or(Distribution::Other)
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.entries.iter().rev().find(|(entry, _)| entry == name).map(|(_, value)| value.as_str())
    }

    /// Each openSUSE is one.
    pub(crate) fn id(&self) -> Option<String> {
        let id = self.get("ID")?;
        Some(if id.to_lowercase().contains("opensuse") { "opensuse".to_owned() } else { id.to_owned() })
    }

    /// Returns a version with a point in it.
    pub(crate) fn version_id(&self) -> Option<String> {
        let version = self.get("VERSION_ID")?;
        Some(if version.contains('.') { version.to_owned() } else { format!("{version}.0") })
    }

    /// Returns the first word of the name, or the first two as one where one says too little.
    pub(crate) fn name(&self) -> Option<String> {
        let name = self.get("NAME")?;
        let lower = name.to_lowercase();
        let mut words = name.split_whitespace();
        let short = if ["red", "oracle", "arch", "manjaro"].iter().any(|start| lower.starts_with(start)) {
            words.take(2).collect::<String>()
        } else if lower.ends_with("mariner") {
            words.next_back()?.to_owned()
        } else {
            words.next()?.to_owned()
        };
        Some(match () {
            () if lower.starts_with("arch") || lower.starts_with("manjaro") => capitalized(&short),
            () if lower.starts_with("virtuozzo") => format!("{short}Linux"),
            () => short,
        })
    }
}

/// Returns the first letter large, all others small.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.flat_map(char::to_lowercase)).collect()
}

/// The line of `/etc/redhat-release` and its parts.
#[derive(Debug)]
pub(crate) struct RedHatRelease {
    pub description: String,
    /// What stands in brackets.
    pub codename: Option<String>,
    /// The name without blanks and without `Linux`.
    pub distributor: String,
    /// The first two words of it.
    pub name: String,
    pub version: Option<String>,
}

impl RedHatRelease {
    pub(crate) fn parse(text: &str) -> RedHatRelease {
        let line = text.trim();
        let (before, after) = line.split_once("release").unwrap_or((line, ""));
        let words: Vec<&str> = before.split_whitespace().filter(|word| !word.eq_ignore_ascii_case("linux")).collect();
        RedHatRelease {
            description: line.to_owned(),
            codename: bracketed(after),
            distributor: words.concat(),
            name: words.iter().take(2).copied().collect(),
            version: after.split_whitespace().next().map(str::to_owned),
        }
    }
}

/// Returns what stands in the first brackets.
pub(crate) fn bracketed(text: &str) -> Option<String> {
    let (_, inside) = text.split_once('(')?;
    let (inside, _) = inside.split_once(')')?;
    Some(inside.to_owned()).filter(|inside| !inside.is_empty())
}

#[cfg(test)]
mod tests {
    use pantin_machine::InMemory;

    use super::*;

    fn read(files: &[(&str, &str)]) -> OsRelease {
        let machine = files.iter().fold(InMemory::new(), |machine, (path, text)| machine.with_file(path, text));
        OsRelease::read(Tree::whole_machine(&machine))
    }

    #[test]
    fn a_distribution_is_known_by_its_id_or_by_its_kin() {
        for (text, distribution, name) in [
            ("ID=debian\nNAME=\"Debian GNU/Linux\"", Distribution::Debian, "Debian"),
            ("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\nNAME=\"Linux Mint\"", Distribution::Mint, "Linux"),
            ("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\nNAME=\"Rocky Linux\"", Distribution::RedHat, "Rocky"),
            ("ID=rhel\nNAME=\"Red Hat Enterprise Linux\"", Distribution::RedHat, "RedHat"),
            ("ID=ol\nNAME=\"Oracle Linux Server\"", Distribution::Oracle, "OracleLinux"),
            ("ID=\"opensuse-leap\"\nNAME=\"openSUSE Leap\"", Distribution::Suse, "openSUSE"),
            ("ID=arch\nNAME=\"Arch Linux\"", Distribution::Other, "Archlinux"),
        ] {
            let release = read(&[("/etc/os-release", text)]);
            assert_eq!((release.distribution, release.name().as_deref()), (distribution, Some(name)), "{text}");
        }
    }

    #[test]
    fn the_line_of_a_red_hat_has_parts() {
        let release = RedHatRelease::parse("CentOS Linux release 7.9.2009 (Core)\n");
        assert_eq!(release.codename.as_deref(), Some("Core"));
        assert_eq!((release.distributor.as_str(), release.version.as_deref()), ("CentOS", Some("7.9.2009")));
        let release = RedHatRelease::parse("Red Hat Enterprise Linux release 9.2 (Plow)");
        assert_eq!(release.distributor, "RedHatEnterprise");
        let strange = RedHatRelease::parse("nothing");
        assert_eq!((strange.version, strange.codename), (None, None));
    }
}
