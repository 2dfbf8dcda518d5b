//! The facts `virtual`, `is_virtual`, `hypervisors` and `cloud`: what this machine runs in. Told from files of the kernel and
//! the firmware; no program is asked, and no server of a cloud.

use pantin_values::Value;

use super::dmi::Dmi;
use crate::found::{Found, hash, table, text};
use crate::probe::{Probe, Tree};

/// Parts of the names of products, and which hypervisor makes them.
const PRODUCTS: [(&str, &str); 11] = [
    ("VMware", "vmware"),
    ("VirtualBox", "virtualbox"),
    ("Parallels", "parallels"),
    ("KVM", "kvm"),
    ("Virtual Machine", "hyperv"),
    ("RHEV Hypervisor", "rhev"),
    ("oVirt Node", "ovirt"),
    ("HVM domU", "xenhvm"),
    ("Bochs", "bochs"),
    ("OpenBSD", "vmm"),
    ("BHYVE", "bhyve"),
];

/// Those who make virtual devices, by their numbers on the PCI bus.
const PCI_VENDORS: [(&str, &str); 6] = [
    ("0x80ee", "virtualbox"),
    ("0x5853", "xenhvm"),
    ("0x1414", "hyperv"),
    ("0x15ad", "vmware"),
    ("0x1ab8", "parallels"),
    ("0x1af4", "kvm"),
];

/// Names of machines that are real, though something runs on them.
const PHYSICAL: [&str; 6] = ["physical", "xen0", "vmware_server", "vmware_workstation", "openvzhn", "vserver_host"];

/// The tag of every chassis in Azure.
const AZURE_CHASSIS: &str = "7783-7084-3265-9085-8269-3286-77";

/// What this machine runs in.
#[derive(Debug)]
pub(crate) struct Virtualization {
    pub name: String,
    container: Option<Container>,
    open_vz: Option<(bool, i64)>,
    pci: Option<&'static str>,
}

/// A container, with what is known of it.
#[derive(Debug)]
struct Container {
    name: &'static str,
    members: Vec<(String, Value)>,
}

impl Virtualization {
    pub(crate) fn detect(tree: Tree<'_>, dmi: &Dmi) -> Virtualization {
        let container = Container::detect(tree);
        let open_vz = open_vz(tree);
        let pci = hypervisor_by_pci(tree);
        let has = |text: &Option<String>, part: &str| text.as_ref().is_some_and(|text| text.contains(part));
        let name = if let Some(container) = &container {
            container.name
        } else if has(&dmi.bios_vendor, "Google") {
            "gce"
        } else if let Some((is_host, _)) = open_vz {
            if is_host { "openvzhn" } else { "openvzve" }
        } else if let Some(server) = vserver(tree) {
            server
        } else if tree.exists("/dev/xen/evtchn") {
            "xen0"
        } else if tree.exists("/proc/xen") || tree.exists("/dev/xvda1") {
            "xenu"
        } else if has(&dmi.bios_vendor, "Amazon EC2") {
            "kvm"
        } else {
            hypervisor_by_product(dmi).or(pci).unwrap_or("physical")
        };
        Virtualization { name: name.to_owned(), container, open_vz, pci }
    }

    pub(crate) fn is_docker(&self) -> bool {
        self.container.as_ref().is_some_and(|container| container.name == "docker")
    }

    fn hypervisors(&self, tree: Tree<'_>, dmi: &Dmi) -> Value {
        let mut found: Vec<(String, Value)> = Vec::new();
        let mut add = |name: &str, members: Vec<(String, Value)>| found.push((name.to_owned(), table(members)));
        let member = |name: &str, value: Value| (name.to_owned(), value);
        if let Some(container) = &self.container {
            add(container.name, container.members.clone());
        }
        let manufacturer = dmi.manufacturer.as_deref().unwrap_or_default();
        let product = dmi.product_name.as_deref().unwrap_or_default();
        let bios = dmi.bios_vendor.as_deref().unwrap_or_default();
        if manufacturer.contains("Microsoft") || product == "Virtual Machine" {
            add("hyperv", Vec::new());
        }
        let by_product = hypervisor_by_product(dmi);
        let is_kvm = self.pci == Some("kvm")
            || bios.contains("Amazon EC2")
            || bios.contains("Google")
            || by_product.is_none() && product.contains("OpenStack");
        if is_kvm && !matches!(by_product, Some("virtualbox" | "parallels")) {
            let provider = match () {
                () if manufacturer == "Google" => Some("google"),
                () if manufacturer.starts_with("OpenStack") => Some("openstack"),
                () if manufacturer.starts_with("Amazon") => Some("amazon"),
                () => None,
            };
            add("kvm", provider.into_iter().map(|name| member(name, Value::Boolean(true))).collect());
        }
        if let Some((is_host, id)) = self.open_vz {
            add("openvz", vec![member("host", Value::Boolean(is_host)), member("id", Value::Integer(id))]);
        }
        if product == "VirtualBox" || self.pci == Some("virtualbox") {
            add("virtualbox", Vec::new());
        }
        if product == "VMware" || manufacturer == "VMware, Inc." || self.pci == Some("vmware") {
            add("vmware", Vec::new());
        }
        if self.name.contains("xen") {
            let is_hvm = by_product == Some("xenhvm") || self.pci == Some("xenhvm");
            let has_control = tree.read_trimmed("/proc/xen/capabilities").as_deref() == Some("control_d");
            let is_privileged = has_control || tree.exists("/dev/xen/evtchn");
            let context = text(if is_hvm { "hvm" } else { "pv" });
            add("xen", vec![member("context", context), member("privileged", Value::Boolean(is_privileged))]);
        }
        if found.is_empty() { Value::Undef } else { table(found) }
    }

    /// Returns the cloud, by what its machines say of themselves.
    fn cloud(&self, dmi: &Dmi) -> Option<&'static str> {
        let has = |text: &Option<String>, part: &str| text.as_ref().is_some_and(|text| text.contains(part));
        match self.name.as_str() {
            "hyperv" => (dmi.chassis_asset_tag.as_deref() == Some(AZURE_CHASSIS)).then_some("azure"),
            "kvm" | "xen" | "xenu" | "xenhvm" => {
                let is_amazon = has(&dmi.bios_vendor, "Amazon EC2")
                    || has(&dmi.manufacturer, "Amazon EC2")
                    || has(&dmi.bios_version, "amazon");
                is_amazon.then_some("aws")
            }
            "gce" => Some("gce"),
            _ => None,
        }
    }
}

pub(crate) fn collect(probe: &Probe<'_>, found: &mut Found) {
    let (here, dmi) = (probe.virtualization(), probe.dmi());
    found.fact("virtual", text(&here.name));
    found.fact("is_virtual", Value::Boolean(!PHYSICAL.contains(&here.name.as_str())));
    found.fact("hypervisors", here.hypervisors(probe.tree, dmi));
    found.fact("cloud", hash([("provider", text(here.cloud(dmi)))]));
}

impl Container {
    fn detect(tree: Tree<'_>) -> Option<Container> {
        let groups = tree.read("/proc/1/cgroup")?;
        let environment = tree.read("/proc/1/environ")?;
        let docker = groups.lines().find_map(|line| line.split_once("docker/")).map(|(_, id)| id);
        let lxc = groups.lines().find_map(|line| line.strip_prefix("/lxc/")).and_then(|rest| rest.split('/').next());
        let (name, member) = if lxc.is_some() || environment.contains("container=lxc") {
            ("lxc", lxc.map(|name| ("name", name.to_owned())))
        } else if let Some(id) = docker {
            ("docker", Some(("id", id.to_owned())))
        } else if environment.contains("container=systemd-nspawn") {
            ("systemd_nspawn", tree.read_trimmed("/etc/machine-id").map(|id| ("id", id)))
        } else {
            return None;
        };
        let members = member.into_iter().map(|(name, value)| (name.to_owned(), Value::string(value))).collect();
        Some(Container { name, members })
    }
}

fn hypervisor_by_product(dmi: &Dmi) -> Option<&'static str> {
    let product = dmi.product_name.as_deref()?;
    PRODUCTS.iter().find(|(part, _)| product.contains(part)).map(|(_, name)| *name)
}

/// Finds the maker of the first virtual device.
fn hypervisor_by_pci(tree: Tree<'_>) -> Option<&'static str> {
    let folder = "/sys/bus/pci/devices";
    tree.list(folder).iter().find_map(|device| {
        let vendor = tree.read_trimmed(&format!("{folder}/{device}/vendor"))?;
        PCI_VENDORS.iter().find(|(number, _)| *number == vendor).map(|(_, name)| *name)
    })
}

/// Returns a field of this process's status, if it has one value.
fn status(tree: Tree<'_>, names: &[&str]) -> Option<String> {
    let table = tree.read("/proc/self/status")?;
    table.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let (name, value, end) = (words.next()?, words.next()?, words.next());
        (names.contains(&name) && end.is_none()).then(|| value.to_owned())
    })
}

/// Whether it is the host of OpenVZ, and the number of the environment.
fn open_vz(tree: Tree<'_>) -> Option<(bool, i64)> {
    if tree.list("/proc/vz").is_empty() || tree.exists("/proc/lve/list") {
        return None;
    }
    let id = status(tree, &["envID:"])?;
    Some((id == "0", id.parse().unwrap_or_default()))
}

fn vserver(tree: Tree<'_>) -> Option<&'static str> {
    let id = status(tree, &["s_context:", "VxID:"])?;
    Some(if id == "0" { "vserver_host" } else { "vserver" })
}

#[cfg(test)]
mod tests {
    use pantin_machine::InMemory;

    use super::*;

    fn facts(files: &[(&str, &str)]) -> (String, Value, Option<&'static str>) {
        let machine = files.iter().fold(
            InMemory::new().with_folder("/sys/bus/pci/devices").with_folder("/sys/bus/pci/devices/0"),
            |machine, (path, text)| machine.with_file(path, text),
        );
        let tree = Tree::whole_machine(&machine);
        let dmi = Dmi::read(tree);
        let here = Virtualization::detect(tree, &dmi);
        (here.name.clone(), here.hypervisors(tree, &dmi), here.cloud(&dmi))
    }

    fn one(name: &str, members: Vec<(String, Value)>) -> Value {
        table(vec![(name.to_owned(), table(members))])
    }

    #[test]
    fn a_machine_without_signs_is_real() {
        assert_eq!(facts(&[]), ("physical".to_owned(), Value::Undef, None));
    }

    #[test]
    fn firmware_devices_and_process_one_tell_what_a_machine_runs_in() {
        let amazon =
            [("/sys/class/dmi/id/bios_vendor", "Amazon EC2\n"), ("/sys/class/dmi/id/sys_vendor", "Amazon EC2\n")];
        let kvm = one("kvm", vec![("amazon".to_owned(), Value::Boolean(true))]);
        assert_eq!(facts(&amazon), ("kvm".to_owned(), kvm, Some("aws")));
        let virtio = [("/sys/bus/pci/devices/0/vendor", "0x1af4\n")];
        assert_eq!(facts(&virtio), ("kvm".to_owned(), one("kvm", Vec::new()), None));
        let docker = [("/proc/1/cgroup", "1:x:/docker/abc\n"), ("/proc/1/environ", "PATH=/bin\0")];
        let id = vec![("id".to_owned(), Value::from("abc"))];
        assert_eq!(facts(&docker), ("docker".to_owned(), one("docker", id), None));
        let nspawn = [
            ("/proc/1/cgroup", "0::/\n"),
            ("/proc/1/environ", "container=systemd-nspawn\0"),
            ("/etc/machine-id", "0a1b\n"),
        ];
        let id = vec![("id".to_owned(), Value::from("0a1b"))];
        assert_eq!(facts(&nspawn), ("systemd_nspawn".to_owned(), one("systemd_nspawn", id), None));
        let google = [("/sys/class/dmi/id/bios_vendor", "Google\n"), ("/sys/class/dmi/id/sys_vendor", "Google\n")];
        assert_eq!(facts(&google).2, Some("gce"));
    }
}
