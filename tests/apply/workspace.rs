//! What all machines of a run share: the base root, a file system in memory, the oracle's layer.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;

use crate::apply_case::ApplyCase;
use crate::base_root;
use crate::booter::Booter;

/// Set in the process that has mounts of its own.
const IS_PRIVATE: &str = "PANTIN_APPLY_HAS_PRIVATE_MOUNTS";

pub(crate) struct Workspace {
    /// A root as debootstrap makes it; never changed.
    pub(crate) base: PathBuf,
    /// The folder of the machines; gone with `close`.
    pub(crate) folder: PathBuf,
    layer: OnceLock<Result<PathBuf, String>>,
    booter: OnceLock<Result<Booter, String>>,
    /// What was unpacked by `tests/oracle/setup`.
    oracle: PathBuf,
}

/// Says what a machine cannot be made without, if it is not here.
pub(crate) fn what_is_missing() -> Option<String> {
    if !rustix::process::geteuid().is_root() {
        return Some("only root may mount and change roots".to_owned());
    }
    let is_here = |tool: &str| {
        let found = std::env::var("PATH").unwrap_or_default();
        found.split(':').chain(["/usr/sbin", "/sbin"]).any(|folder| Path::new(folder).join(tool).is_file())
    };
    let mut tools = vec!["unshare", "mount", "umount", "chroot"];
    if !base_root::is_made() {
        tools.push("debootstrap");
    }
    if let Some(tool) = tools.into_iter().find(|tool| !is_here(tool)) {
        return Some(format!("there is no {tool} here"));
    }
    let may_unshare =
        Command::new("unshare").args(["--mount", "--pid", "--net", "--fork", "true"]).stderr(Stdio::null()).status();
    (!may_unshare.is_ok_and(|status| status.success())).then(|| "there are no namespaces here".to_owned())
}

/// Starts this program again with mounts of its own, which end with it, however it ends.
pub(crate) fn enter_private_mounts() -> Result<(), ExitCode> {
    if std::env::var_os(IS_PRIVATE).is_some() {
        rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
        return Ok(());
    }
    let mut command = Command::new("unshare");
    command.args(["--mount", "--propagation", "private", "--"]).arg(std::env::current_exe().unwrap());
    let error = command.args(std::env::args_os().skip(1)).env(IS_PRIVATE, "1").exec();
    eprintln!("tests/apply: unshare cannot be started: {error}");
    Err(ExitCode::from(3))
}

impl Workspace {
    pub(crate) fn open() -> Result<Workspace, String> {
        let base = base_root::make()?;
        let folder =
            tempfile::Builder::new().prefix("pantin-apply-").tempdir().map_err(|error| error.to_string())?.keep();
        mount(&["-t", "tmpfs", "-o", "size=4g,mode=0755", "tmpfs"], &folder)?;
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let oracle = std::env::var_os("PANTIN_ORACLE_DIR").map_or_else(|| root.join("target/oracle"), PathBuf::from);
        Ok(Workspace { base, folder, layer: OnceLock::new(), booter: OnceLock::new(), oracle })
    }

    /// Returns the layer with the real Puppet.
    pub(crate) fn oracle_layer(&self) -> Result<PathBuf, String> {
        self.layer.get_or_init(|| base_root::oracle_layer(&self.base)).clone()
    }

    /// Returns what boots machines.
    pub(crate) fn booter(&self) -> Result<&Booter, String> {
        let make = || Booter::new(&self.base, &self.folder);
        self.booter.get_or_init(make).as_ref().map_err(Clone::clone)
    }

    /// Returns the folder of a module of the corpus.
    pub(crate) fn module(&self, name: &str) -> Option<PathBuf> {
        self.oracle.join("modules").join(name).canonicalize().ok()
    }

    /// Returns the first module that a case needs and that is not here.
    pub(crate) fn missing_module<'a>(&self, case: &'a ApplyCase) -> Option<&'a str> {
        case.modules.iter().map(String::as_str).find(|name| self.module(name).is_none())
    }

    /// Returns the Ruby files of the real Puppet 8.
    pub(crate) fn puppet8(&self) -> Option<PathBuf> {
        self.oracle.join("puppet8/usr/lib/ruby/vendor_ruby").canonicalize().ok()
    }

    pub(crate) fn close(&self) {
        let _ = Command::new("umount").args(["-R", "-l"]).arg(&self.folder).stderr(Stdio::null()).status();
        let _ = std::fs::remove_dir(&self.folder);
    }
}

/// Runs `mount` with these arguments and the path where it is to be.
pub(crate) fn mount(arguments: &[&str], path: &Path) -> Result<(), String> {
    let output = Command::new("mount").args(arguments).arg(path).output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr);
    output.status.success().then_some(()).ok_or_else(|| format!("mount {}: {}", path.display(), said.trim()))
}
