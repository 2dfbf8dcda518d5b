//! The server that an interface has its address from, as the programs that ask for addresses note it.

use crate::probe::Tree;

/// Where dhclient keeps its leases.
const DHCLIENT: [&str; 5] =
    ["/var/lib/dhclient", "/var/lib/dhcp", "/var/lib/dhcp3", "/var/lib/NetworkManager", "/var/db"];

/// Where NetworkManager keeps its own.
const NETWORK_MANAGER: &str = "/var/lib/NetworkManager";

/// Returns the address of the server, as far as a file of leases tells it.
pub(crate) fn server(tree: Tree<'_>, interface: &str, index: Option<u64>) -> Option<String> {
    server_in_networkd_lease(tree, index)
        .or_else(|| server_in_dhclient_lease(tree, interface))
        .or_else(|| server_in_network_manager_lease(tree, interface))
}

fn server_in_networkd_lease(tree: Tree<'_>, index: Option<u64>) -> Option<String> {
    server_address(&tree.read(&format!("/run/systemd/netif/leases/{}", index?))?)
}

fn server_address(lease: &str) -> Option<String> {
    lease.lines().find_map(|line| line.split_once("SERVER_ADDRESS=")).map(|(_, address)| address.to_owned())
}

fn server_in_dhclient_lease(tree: Tree<'_>, interface: &str) -> Option<String> {
    for folder in DHCLIENT {
        let names = tree.list(folder);
        let leases =
            names.iter().filter(|name| name.split_once("dhclient").is_some_and(|(_, rest)| rest.contains(".lease")));
        for name in leases {
            let Some(text) = tree.read(&format!("{folder}/{name}")) else { continue };
            let is_of_interface =
                text.lines().any(|line| line.split_once("interface").is_some_and(|(_, rest)| rest.contains(interface)));
            let server = text.lines().find_map(|line| {
                let (_, rest) = line.split_once("dhcp-server-identifier ")?;
                let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
                Some(rest[..end].to_owned()).filter(|address| !address.is_empty())
            });
            if let (true, Some(server)) = (is_of_interface, server) {
                return Some(server);
            }
        }
    }
    None
}

fn server_in_network_manager_lease(tree: Tree<'_>, interface: &str) -> Option<String> {
    let end = format!("{interface}.lease");
    let names = tree.list(NETWORK_MANAGER);
    let lease = names.iter().find(|name| name.contains("internal") && name.ends_with(&end))?;
    server_address(&tree.read(&format!("{NETWORK_MANAGER}/{lease}"))?)
}

#[cfg(test)]
mod tests {
    use pantin_machine::InMemory;

    use super::*;

    #[test]
    fn the_server_is_found_in_the_files_of_each_client() {
        let machine = InMemory::new()
            .with_file("/run/systemd/netif/leases/2", "ADDRESS=10.0.0.7\nSERVER_ADDRESS=10.0.0.1\n")
            .with_folder("/var/lib/dhcp")
            .with_file(
                "/var/lib/dhcp/dhclient.eth1.leases",
                "lease {\n  interface \"eth1\";\n  option dhcp-server-identifier 10.0.1.1;\n}\n",
            )
            .with_folder("/var/lib/NetworkManager")
            .with_file("/var/lib/NetworkManager/internal-1-eth2.lease", "SERVER_ADDRESS=10.0.2.1\n");
        let tree = Tree::whole_machine(&machine);
        assert_eq!(server(tree, "eth0", Some(2)).as_deref(), Some("10.0.0.1"));
        assert_eq!(server(tree, "eth1", Some(3)).as_deref(), Some("10.0.1.1"));
        assert_eq!(server(tree, "eth2", None).as_deref(), Some("10.0.2.1"));
        assert_eq!(server(tree, "eth3", Some(5)), None);
    }
}
