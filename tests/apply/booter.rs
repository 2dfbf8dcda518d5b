//! Boots machines: systemd becomes the first process of a root, by the `systemd-nspawn` of another root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::base_root;
use crate::workspace::mount;

/// How long a machine may take until it runs.
const LIMIT: Duration = Duration::from_secs(40);

/// A root with `systemd-nspawn`, in which other roots are bound and booted.
#[derive(Debug)]
pub(crate) struct Booter {
    pub(crate) layer: PathBuf,
    base: PathBuf,
    root: PathBuf,
    count: AtomicU32,
}

/// A machine that was booted. Ends with this value.
#[derive(Debug)]
pub(crate) struct Booted {
    nspawn: Child,
    /// The first process of the machine, as it is numbered outside.
    pub(crate) leader: u32,
}

impl Booter {
    pub(crate) fn new(base: &Path, folder: &Path) -> Result<Booter, String> {
        let layer = base_root::systemd_layer(base)?;
        let place = folder.join("booter");
        let [root, upper, work] = ["root", "upper", "work"].map(|name| place.join(name));
        for path in [&root, &upper, &work] {
            fs::create_dir_all(path).map_err(|error| error.to_string())?;
        }
        let lower = format!("{}:{}", layer.display(), base.display());
        let options = format!("lowerdir={lower},upperdir={},workdir={}", upper.display(), work.display());
        mount(&["-t", "overlay", "overlay", "-o", &options], &root)?;
        for shared in ["/proc", "/sys", "/dev"] {
            mount(&["--rbind", shared], &root.join(&shared[1..]))?;
        }
        let booter = Booter { layer, base: base.to_owned(), root, count: AtomicU32::new(0) };
        booter.try_out(&place)?;
        Ok(booter)
    }

    /// Boots a root that nothing was done to.
    fn try_out(&self, place: &Path) -> Result<(), String> {
        let [root, upper, work] = ["trial", "trial-upper", "trial-work"].map(|name| place.join(name));
        for path in [&root, &upper, &work] {
            fs::create_dir_all(path).map_err(|error| error.to_string())?;
        }
        let lower = format!("{}:{}", self.layer.display(), self.base.display());
        let options = format!("lowerdir={lower},upperdir={},workdir={}", upper.display(), work.display());
        mount(&["-t", "overlay", "overlay", "-o", &options], &root)?;
        self.boot(&root).map(drop)
    }

    /// Boots a root, and waits until it runs.
    pub(crate) fn boot(&self, root: &Path) -> Result<Booted, String> {
        let name = format!("m{}", self.count.fetch_add(1, Ordering::SeqCst));
        let place = self.root.join(&name);
        fs::create_dir(&place).map_err(|error| error.to_string())?;
        mount(&["--rbind", &root.display().to_string()], &place)?;
        let mut command = Command::new("chroot");
        command.arg(&self.root).args(["systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit"]);
        command.args([
            "--private-network",
            "--hostname=web01",
            &format!("--machine={name}"),
            "-D",
            &format!("/{name}"),
        ]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut nspawn = command.spawn().map_err(|error| error.to_string())?;
        let until = Instant::now() + LIMIT;
        while Instant::now() < until {
            std::thread::sleep(Duration::from_millis(100));
            if let Some(status) = nspawn.try_wait().map_err(|error| error.to_string())? {
                return Err(format!("systemd does not boot here: {status}"));
            }
            if let Some(leader) = first_child(nspawn.id()).filter(|leader| is_running(*leader)) {
                return Ok(Booted { nspawn, leader });
            }
        }
        let _ = nspawn.kill();
        Err("systemd does not boot here: it takes too long".to_owned())
    }
}

impl Drop for Booted {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-9", &self.leader.to_string()]).stderr(Stdio::null()).status();
        let _ = self.nspawn.kill();
        let _ = self.nspawn.wait();
    }
}

/// Enters a machine: the beginning of a command that runs inside.
pub(crate) fn enter(leader: u32) -> Command {
    let mut command = Command::new("nsenter");
    command.args(["--target", &leader.to_string(), "--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--wd"]);
    command
}

fn first_child(process: u32) -> Option<u32> {
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
    children.split_whitespace().next()?.parse().ok()
}

fn is_running(leader: u32) -> bool {
    let mut command = enter(leader);
    command.args(["systemctl", "is-system-running"]).stderr(Stdio::null());
    let said = command.output().map(|output| output.stdout).unwrap_or_default();
    matches!(String::from_utf8_lossy(&said).trim(), "running" | "degraded")
}
