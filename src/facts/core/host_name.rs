//! The name of a machine, and its domain.

use crate::probe::Tree;

/// The name of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostName {
    pub short: String,
    pub domain: Option<String>,
    fqdn: String,
}

impl HostName {
    /// Reads the name of a machine, and its domain from its own tables. Asks no server of names.
    pub fn read(tree: Tree<'_>) -> HostName {
        // The kernel knows the name of this machine, not that of a tree.
        let of_kernel = tree.root.is_none().then(|| tree.machine.kernel().node);
        let own = of_kernel.filter(|name| !name.is_empty()).or_else(|| tree.read_trimmed("/etc/hostname"));
        let own = own.unwrap_or_else(|| "localhost".to_owned());
        if let Some((short, domain)) = own.split_once('.').filter(|(_, domain)| !domain.is_empty()) {
            let (short, domain) = (short.to_owned(), Some(domain.to_owned()));
            return HostName { short, domain, fqdn: own };
        }
        // A name that stands for itself tells nothing.
        let canonical = canonical_name(tree, &own).filter(|name| *name != own);
        let domain = canonical.as_ref().and_then(|name| name.strip_prefix(&own)?.strip_prefix('.').map(str::to_owned));
        let domain = domain.filter(|domain| !domain.is_empty()).or_else(|| domain_in_resolver(tree));
        let fqdn = match (canonical, &domain) {
            (Some(canonical), _) => canonical,
            (None, Some(domain)) => format!("{own}.{domain}"),
            (None, None) => own.clone(),
        };
        HostName { short: own, domain, fqdn }
    }

    /// Returns the name with its domain.
    pub fn full(&self) -> &str {
        &self.fqdn
    }
}

/// The first of the names that the table of hosts has beside this one.
fn canonical_name(tree: Tree<'_>, short: &str) -> Option<String> {
    let hosts = tree.read("/etc/hosts")?;
    let lines = hosts.lines().map(|line| line.split('#').next().unwrap_or_default());
    lines.map(|line| line.split_whitespace().skip(1).collect::<Vec<&str>>()).find_map(|names| {
        let is_named = names.iter().any(|name| name.eq_ignore_ascii_case(short));
        is_named.then(|| names.first().map(|name| (*name).to_owned())).flatten()
    })
}

fn domain_in_resolver(tree: Tree<'_>) -> Option<String> {
    let table = tree.read("/etc/resolv.conf")?;
    let value = |name: &str| {
        let line = table.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix([' ', '\t']))?;
        line.split_whitespace().next().map(str::to_owned)
    };
    value("domain").or_else(|| value("search"))
}

#[cfg(test)]
mod tests {
    use pantin_machine::InMemory;

    use super::*;

    fn read(hosts: &str, resolver: &str, name: &str) -> (String, Option<String>) {
        let machine = InMemory::new()
            .with_file("/tree/etc/hostname", format!("{name}\n"))
            .with_file("/tree/etc/hosts", hosts)
            .with_file("/tree/etc/resolv.conf", resolver);
        let root = std::path::Path::new("/tree");
        let name = HostName::read(Tree { machine: &machine, root: Some(root) });
        (name.full().to_owned(), name.domain)
    }

    #[test]
    fn a_machine_has_the_name_that_its_tables_complete() {
        let domain = |domain: &str| Some(domain.to_owned());
        let hosts = "127.0.0.1 localhost\n10.0.0.7\tweb01.example.org web01 # here\n";
        assert_eq!(read(hosts, "", "web01"), ("web01.example.org".to_owned(), domain("example.org")));
        assert_eq!(read(hosts, "", "web01.other.org"), ("web01.other.org".to_owned(), domain("other.org")));
        assert_eq!(read("", "search a.org b.org\n", "web01"), ("web01.a.org".to_owned(), domain("a.org")));
        assert_eq!(read("", "search a.org\ndomain b.org\n", "web01"), ("web01.b.org".to_owned(), domain("b.org")));
        assert_eq!(read("", "", "web01"), ("web01".to_owned(), None));
        // As without a domain in the table, so without the name.
        let bare = "127.0.1.1 web01\n";
        assert_eq!(read(bare, "search a.org\n", "web01"), ("web01.a.org".to_owned(), domain("a.org")));
        assert_eq!(read("127.0.1.1 other web01\n", "", "web01"), ("other".to_owned(), None));
    }
}
