//! Another root for this process: what it does from then on happens in that tree, with mounts and processes of its own.

use std::io;
use std::os::unix::fs::{MetadataExt, chroot};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sched::{CloneFlags, unshare};
use nix::unistd::geteuid;
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};

/// The root that this process was moved to. Every process in it ends with this value.
#[derive(Debug)]
pub struct IsolatedRoot {
    /// The first process of the new tree of processes: without it no other one can be started.
    first: Child,
}

impl IsolatedRoot {
    /// Moves the calling thread, and all processes that it starts, into another root: a chroot with mounts, processes and shared memory
    /// of its own, where `/proc` and `/run` are new. Nothing is left to go back. The kernel lets it start no thread from then on.
    pub fn enter(root: &Path) -> io::Result<IsolatedRoot> {
        check(root)?;
        unshare(CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWIPC | CloneFlags::CLONE_NEWPID)
            .map_err(|error| refused("it cannot have mounts and processes of its own", &error.into()))?;
        mount_change("/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)
            .map_err(|error| refused("its mounts cannot be kept apart", &error.into()))?;
        let mut sleep = Command::new("sleep");
        sleep.arg("infinity").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
        let first = sleep.spawn().map_err(|error| refused("sleep cannot be started", &error))?;
        let entered = IsolatedRoot { first };
        // Which processes a /proc shows is decided by who mounts it.
        let mounted = Command::new("mount").args(["-t", "proc", "proc"]).arg(root.join("proc")).status()?;
        if !mounted.success() {
            return Err(io::Error::other("--root: /proc cannot be mounted in it"));
        }
        mount("tmpfs", root.join("run"), "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, None)
            .map_err(|error| refused("/run cannot be mounted in it", &error.into()))?;
        chroot(root).map_err(|error| refused("it cannot be made the root", &error))?;
        std::env::set_current_dir("/")?;
        Ok(entered)
    }
}

impl Drop for IsolatedRoot {
    fn drop(&mut self) {
        let _ = self.first.kill();
        let _ = self.first.wait();
    }
}

fn refused(reason: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("--root: {reason}: {error}"))
}

fn check(root: &Path) -> io::Result<()> {
    if !geteuid().is_root() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "--root: only root can change its root"));
    }
    let found = std::fs::metadata(root).map_err(|error| refused(&root.display().to_string(), &error))?;
    let own = std::fs::metadata("/")?;
    if (found.dev(), found.ino()) == (own.dev(), own.ino()) {
        return Err(io::Error::other(format!("--root: {} is the root of this machine", root.display())));
    }
    for folder in ["proc", "run"] {
        if !root.join(folder).is_dir() {
            return Err(io::Error::other(format!("--root: {} has no folder {folder}", root.display())));
        }
    }
    Ok(())
}
