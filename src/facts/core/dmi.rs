//! The fact `dmi` and its legacy flat facts: what the firmware says of the machine.

use crate::found::{Found, hash, text};
use crate::probe::{Probe, Tree};

const FOLDER: &str = "/sys/class/dmi/id";

/// Kinds of chassis by their numbers, from one. The second one is unknown.
const CHASSIS: [&str; 32] = [
    "Other",
    "",
    "Desktop",
    "Low Profile Desktop",
    "Pizza Box",
    "Mini Tower",
    "Tower",
    "Portable",
    "Laptop",
    "Notebook",
    "Hand Held",
    "Docking Station",
    "All in One",
    "Sub Notebook",
    "Space-Saving",
    "Lunch Box",
    "Main System Chassis",
    "Expansion Chassis",
    "SubChassis",
    "Bus Expansion Chassis",
    "Peripheral Chassis",
    "Storage Chassis",
    "Rack Mount Chassis",
    "Sealed-Case PC",
    "Multi-system",
    "CompactPCI",
    "AdvancedTCA",
    "Blade",
    "Blade Enclosure",
    "Tablet",
    "Convertible",
    "Detachable",
];

/// What the firmware says of the machine.
#[derive(Debug, Default)]
pub(crate) struct Dmi {
    pub bios_vendor: Option<String>,
    pub bios_version: Option<String>,
    pub manufacturer: Option<String>,
    pub product_name: Option<String>,
    pub chassis_asset_tag: Option<String>,
}

impl Dmi {
    pub(crate) fn read(tree: Tree<'_>) -> Dmi {
        let read = |name: &str| entry(tree, name);
        Dmi {
            bios_vendor: read("bios_vendor"),
            bios_version: read("bios_version"),
            manufacturer: read("sys_vendor"),
            product_name: read("product_name"),
            chassis_asset_tag: read("chassis_asset_tag"),
        }
    }
}

fn entry(tree: Tree<'_>, name: &str) -> Option<String> {
    tree.read_trimmed(&format!("{FOLDER}/{name}"))
}

pub(crate) fn collect(probe: &Probe<'_>, found: &mut Found) {
    let (tree, dmi) = (probe.tree, probe.dmi());
    let read = |name: &str| text(entry(tree, name));
    let chassis = entry(tree, "chassis_type").and_then(|number| number.parse::<usize>().ok()?.checked_sub(1));
    let chassis = chassis.and_then(|number| CHASSIS.get(number)).filter(|name| !name.is_empty());
    let bios = hash([
        ("release_date", read("bios_date")),
        ("vendor", text(dmi.bios_vendor.as_ref())),
        ("version", text(dmi.bios_version.as_ref())),
    ]);
    let board = hash([
        ("asset_tag", read("board_asset_tag")),
        ("manufacturer", read("board_vendor")),
        ("product", read("board_name")),
        ("serial_number", read("board_serial")),
    ]);
    let chassis = hash([("asset_tag", text(dmi.chassis_asset_tag.as_ref())), ("type", text(chassis))]);
    let product = hash([
        ("name", text(dmi.product_name.as_ref())),
        ("serial_number", read("product_serial")),
        ("uuid", read("product_uuid")),
    ]);
    found.legacy_members(
        &bios,
        &[("bios_release_date", "release_date"), ("bios_vendor", "vendor"), ("bios_version", "version")],
    );
    found.legacy_members(
        &board,
        &[
            ("boardassettag", "asset_tag"),
            ("boardmanufacturer", "manufacturer"),
            ("boardproductname", "product"),
            ("boardserialnumber", "serial_number"),
        ],
    );
    found.legacy_members(&chassis, &[("chassisassettag", "asset_tag"), ("chassistype", "type")]);
    found.legacy_members(&product, &[("productname", "name"), ("serialnumber", "serial_number"), ("uuid", "uuid")]);
    found.legacy("manufacturer", text(dmi.manufacturer.as_ref()));
    let manufacturer = text(dmi.manufacturer.as_ref());
    found.fact(
        "dmi",
        hash([
            ("bios", bios),
            ("board", board),
            ("chassis", chassis),
            ("manufacturer", manufacturer),
            ("product", product),
        ]),
    );
}
