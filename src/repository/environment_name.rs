//! The name of an environment as a person types it: a slip is found before any node is compiled.
//!
//! A folder that is the environment may have any name. So a name is only refused there if it is a slip of the keyboard away from
//! one that is known: `production`, the folder, or a branch of the repository, which r10k deploys as an environment.

use std::path::Path;

use pantin_base::nearest;
use pantin_world::environment::Environments;
use pantin_world::settings::Settings;
use pantin_world::{Disk, git_branches};

use crate::configuration::Origin;
use crate::options::OpenError;

/// Checks the name of the environment that is in this folder.
pub(crate) fn check_in_folder(
    disk: &dyn Disk,
    name: &str,
    origin: Option<&Origin>,
    folder: &Path,
) -> Result<(), OpenError> {
    let folder_name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let branches = git_branches(disk, folder).into_iter().map(|branch| deployed_name(&branch));
    let known: Vec<String> = branches.chain([deployed_name(&folder_name), "production".to_owned()]).collect();
    if known.iter().any(|known| known == name) {
        return Ok(());
    }
    let near =
        nearest(name, known.iter().map(String::as_str)).filter(|near| without_digits(near) != without_digits(name));
    near.map_or(Ok(()), |near| {
        let name_there =
            origin.map_or(format!("--environment {name}"), |origin| format!("{origin}: 'environment': {name}"));
        Err(OpenError::Usage(format!(
            "{name_there}: did you mean {near}? ({} is the environment, whatever it is called: --set \
             environment={name} insists on the name)",
            folder.display()
        )))
    })
}

/// Checks the name of an environment that is looked for in the folders of `environmentpath`.
pub(crate) fn check_in_path(settings: &Settings, name: &str, origin: Option<&Origin>) -> Result<(), OpenError> {
    let names = Environments { settings }.names()?;
    // The one that everybody has may be missing.
    if name == "production" || names.iter().any(|known| known == name) {
        return Ok(());
    }
    let hint = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near}?"),
        None if names.is_empty() => "there are none".to_owned(),
        None => format!("there are {}", names.join(", ")),
    };
    let place = origin.map(|origin| format!("{origin}: ")).unwrap_or_default();
    let path = settings.text("environmentpath")?;
    Err(OpenError::Usage(format!("{place}there is no environment '{name}' in {path}; {hint}")))
}

/// Returns the name that r10k gives to the environment of a branch.
fn deployed_name(branch: &str) -> String {
    branch.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

/// `web1` and `web2` are both right.
fn without_digits(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pantin_world::table_disk::TableDisk;

    #[test]
    fn a_slip_is_refused_and_another_name_is_not() {
        let disk = TableDisk::from_files(&[
            ("/code/control/manifests/site.pp", ""),
            ("/code/control/.git/HEAD", "ref: refs/heads/feature/dns\n"),
            ("/code/control/.git/refs/heads/test1", "a\n"),
        ]);
        let check = |name: &str| check_in_folder(&disk, name, None, Path::new("/code/control"));
        for name in ["production", "control", "feature_dns", "test1", "test2", "staging"] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        for (name, near) in [("prodcution", "production"), ("feature_dsn", "feature_dns"), ("contrl", "control")] {
            let error = check(name).unwrap_err().to_string();
            assert!(error.starts_with(&format!("--environment {name}: did you mean {near}?")), "{error}");
        }
    }
}
