//! What a run leaves behind for others: the report, the summary, the stored report.

use std::io;
use std::path::Path;

use pantin_apply::Report;
use pantin_machine::{Change, NewFile, System};
use pantin_values::data::yaml::to_yaml;

use super::machine_settings::MachineSettings;

/// Readable for whoever belongs to the group alone.
const MODE: u32 = 0o640;

/// Makes the folders that a run writes to.
pub(super) fn make_folders(settings: &MachineSettings, machine: &dyn System) -> io::Result<()> {
    for (name, mode) in [("vardir", 0o750), ("statedir", 0o1755), ("publicdir", 0o755), ("reportdir", 0o750)] {
        make_folder(&settings.path(name).map_err(io::Error::other)?, mode, machine)?;
    }
    Ok(())
}

/// Makes a folder and those above it that are missing.
fn make_folder(folder: &Path, mode: u32, machine: &dyn System) -> io::Result<()> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot make {}: {error}", folder.display()));
    if machine.stat(folder, true).map_err(named)?.is_some() {
        return Ok(());
    }
    if let Some(above) = folder.parent() {
        make_folder(above, 0o755, machine)?;
    }
    match machine.change(folder, &Change::Folder(mode)) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made.map_err(named),
    }
}

/// Writes the report and the summary of a run.
pub(super) fn write(report: &Report, settings: &MachineSettings, machine: &dyn System) -> io::Result<()> {
    let yaml = report.to_yaml(machine).map_err(|reason| io::Error::other(format!("the report: {reason}")))?;
    let write = |path: &Path, text: &str| {
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()));
        machine.replace(path, &NewFile::new(text.as_bytes(), MODE)).map_err(named)
    };
    let path = |name: &str| settings.path(name).map_err(io::Error::other);
    let is_wanted = settings.flag("report").map_err(io::Error::other)?;
    if is_wanted {
        write(&path("lastrunreport")?, &yaml)?;
    }
    let summary = to_yaml(&report.summary(machine.now())).map_err(io::Error::other)?;
    write(&path("lastrunfile")?, &summary)?;
    if is_wanted && settings.list("reports").map_err(io::Error::other)?.iter().any(|report| report == "store") {
        let folder = path("reportdir")?.join(&report.host);
        make_folder(&folder, 0o755, machine)?;
        let date = machine.now().date(0);
        let name = format!("{:04}{:02}{:02}{:02}{:02}.yaml", date.year, date.month, date.day, date.hour, date.minute);
        write(&folder.join(name), &yaml)?;
    }
    Ok(())
}

/// Writes the names of the classes and the resources of a catalog.
pub(super) fn write_catalog_summary(
    report: &Report,
    settings: &MachineSettings,
    machine: &dyn System,
) -> io::Result<()> {
    let write = |name: &str, lines: &[String]| {
        let path = settings.path(name).map_err(io::Error::other)?;
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        machine.replace(&path, &NewFile::new(text.as_bytes(), MODE))
    };
    write("classfile", &report.classes)?;
    let names = report.statuses.iter().filter(|(info, _)| info.place.is_some());
    let names: Vec<String> =
        names.map(|(info, _)| format!("{}[{}]", info.type_name.to_lowercase(), info.title.to_lowercase())).collect();
    write("resourcefile", &names)
}
