//! What the kernel says of the machine beside its files: its own name and version, network interfaces, room on file systems.

use std::ffi::CStr;
use std::io;
use std::net::IpAddr;
use std::path::Path;

use nix::ifaddrs::getifaddrs;
use nix::sys::socket::SockaddrLike;

/// The kernel, as `uname` tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// `Linux`
    pub name: String,
    pub release: String,
    /// The kind of processor: `x86_64`.
    pub machine: String,
    /// The name of the host.
    pub node: String,
}

/// A network interface, in the order in which the kernel has them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NetworkInterface {
    pub name: String,
    /// Six bytes in hexadecimal, with colons.
    pub mac: Option<String>,
    pub addresses: Vec<InterfaceAddress>,
}

/// An address of an interface, with the mask of its network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InterfaceAddress {
    pub address: IpAddr,
    pub netmask: IpAddr,
}

/// How much a file system holds, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FileSystemSize {
    pub total: u64,
    pub free: u64,
    /// What others than root may still take.
    pub available: u64,
}

pub(crate) fn kernel() -> Kernel {
    let found = rustix::system::uname();
    let text = |text: &CStr| text.to_string_lossy().into_owned();
    Kernel {
        name: text(found.sysname()),
        release: text(found.release()),
        machine: text(found.machine()),
        node: text(found.nodename()),
    }
}

pub(crate) fn interfaces() -> io::Result<Vec<NetworkInterface>> {
    let mut interfaces: Vec<NetworkInterface> = Vec::new();
    for entry in getifaddrs()? {
        let at = match interfaces.iter().position(|interface| interface.name == entry.interface_name) {
            Some(at) => at,
            None => {
                interfaces.push(NetworkInterface { name: entry.interface_name, ..NetworkInterface::default() });
                interfaces.len() - 1
            }
        };
        let Some(address) = entry.address else { continue };
        if let Some(link) = address.as_link_addr() {
            let mac = link.addr().map(|bytes| bytes.map(|byte| format!("{byte:02x}")).join(":"));
            interfaces[at].mac = mac.filter(|mac| mac != "00:00:00:00:00:00");
        } else if let (Some(address), Some(netmask)) = (ip(&address), entry.netmask.as_ref().and_then(ip)) {
            interfaces[at].addresses.push(InterfaceAddress { address, netmask });
        }
    }
    Ok(interfaces)
}

fn ip(address: &nix::sys::socket::SockaddrStorage) -> Option<IpAddr> {
    match address.family()? {
        nix::sys::socket::AddressFamily::Inet => address.as_sockaddr_in().map(|found| found.ip().into()),
        nix::sys::socket::AddressFamily::Inet6 => address.as_sockaddr_in6().map(|found| found.ip().into()),
        _ => None,
    }
}

pub(crate) fn file_system_size(path: &Path) -> io::Result<FileSystemSize> {
    let found = rustix::fs::statvfs(path)?;
    let bytes = |blocks: u64| blocks.saturating_mul(found.f_frsize);
    Ok(FileSystemSize { total: bytes(found.f_blocks), free: bytes(found.f_bfree), available: bytes(found.f_bavail) })
}

/// File systems of this machine alone, by the numbers that Linux gives them: ext2 to ext4, XFS, Btrfs, F2FS, ZFS, tmpfs, overlay.
/// A server or a program behind one could write without a word.
#[cfg(target_os = "linux")]
const OWN_FILE_SYSTEMS: [i64; 7] =
    [0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010, 0x2fc1_2fc1, 0x0102_1994, 0x794c_7630];

#[cfg(target_os = "linux")]
pub(crate) fn keeps_change_times(path: &Path) -> bool {
    // The type of the number differs from one processor to the other.
    #[allow(clippy::unnecessary_cast)]
    rustix::fs::statfs(path).is_ok_and(|found| OWN_FILE_SYSTEMS.contains(&(found.f_type as i64)))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn keeps_change_times(_path: &Path) -> bool {
    false
}
