//! The roots that machines are laid over: Debian's, made once, and the files of the real Puppet.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SUITE: &str = "bookworm";
const PACKAGES: &str = "cron,procps,netbase";

/// Where both are kept: `PANTIN_APPLY_DIR`, or `target/apply`.
fn folder() -> PathBuf {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/apply");
    std::env::var_os("PANTIN_APPLY_DIR").map_or_else(usual, PathBuf::from)
}

pub(crate) fn is_made() -> bool {
    folder().join("base/etc/debian_version").exists()
}

/// Returns the base root, and makes it if it is not there: some minutes, from a mirror.
pub(crate) fn make() -> Result<PathBuf, String> {
    let base = folder().join("base");
    if is_made() {
        return base.canonicalize().map_err(|error| error.to_string());
    }
    std::fs::create_dir_all(folder()).map_err(|error| error.to_string())?;
    let part = folder().join(format!("base.part-{}", std::process::id()));
    // Without one, debootstrap takes Debian's own.
    let mirror = std::env::var("PANTIN_DEBIAN_MIRROR").ok();
    eprintln!("tests/apply: a base root is made by debootstrap, once (minutes)");
    let mut command = Command::new("debootstrap");
    command.args(["--variant=minbase", &format!("--include={PACKAGES}"), SUITE]).arg(&part).args(mirror);
    let made = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !made.is_ok_and(|status| status.success()) {
        let _ = std::fs::remove_dir_all(&part);
        return Err("debootstrap failed (is there a mirror? PANTIN_DEBIAN_MIRROR names another one)".to_owned());
    }
    let _ = std::fs::remove_dir_all(part.join("var/cache/apt/archives"));
    // Another process may have been quicker.
    if std::fs::rename(&part, &base).is_err() {
        let _ = std::fs::remove_dir_all(&part);
    }
    base.canonicalize().map_err(|error| error.to_string())
}

/// Returns the layer with the files of the Puppet that is installed here, and makes it if it is not there.
pub(crate) fn oracle_layer(base: &Path) -> Result<PathBuf, String> {
    let layer = folder().join("oracle");
    if !layer.exists() {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/apply/oracle-layer");
        let made = Command::new(script).arg(base).arg(&layer).status().map_err(|error| error.to_string())?;
        if !made.success() {
            return Err("there is no oracle; run tests/oracle/setup".to_owned());
        }
    }
    layer.canonicalize().map_err(|error| error.to_string())
}

/// Returns the layer with systemd, and makes it if it is not there: a minute, from a mirror.
pub(crate) fn systemd_layer(base: &Path) -> Result<PathBuf, String> {
    let layer = folder().join("systemd");
    if !layer.exists() {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/apply/systemd-layer");
        let made = Command::new(script).arg(base).arg(&layer).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !made.is_ok_and(|status| status.success()) {
            return Err("systemd cannot be fetched (is there a mirror? PANTIN_DEBIAN_MIRROR names another one)".into());
        }
    }
    layer.canonicalize().map_err(|error| error.to_string())
}
