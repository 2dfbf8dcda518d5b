//! Work with the rights of a user alone, on a thread that ends with it. The rest of the process keeps its own rights.

use std::io;

use rustix::process::{Gid, Uid};
use rustix::thread::{set_thread_gid, set_thread_groups, set_thread_uid};

use crate::accounts::{User, groups_of};

/// Runs work as a user, with all groups of theirs. Linux keeps who one is by thread.
pub(crate) fn run(user: &User, work: &mut (dyn FnMut() -> io::Result<()> + Send)) -> io::Result<()> {
    let groups: Vec<Gid> = groups_of(&user.name, user.gid)?.iter().map(|gid| Gid::from_raw(gid.as_raw())).collect();
    let as_user = move || {
        set_thread_groups(&groups)?;
        set_thread_gid(Gid::from_raw(user.gid))?;
        set_thread_uid(Uid::from_raw(user.uid))?;
        work()
    };
    std::thread::scope(|scope| {
        let ended = scope.spawn(as_user).join();
        ended.unwrap_or_else(|_| Err(io::Error::other(format!("what was done as {} has failed", user.name))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::{Who, find_user};

    #[test]
    fn work_has_the_rights_of_its_user_alone() {
        let own = rustix::process::geteuid();
        let Ok(Some(nobody)) = find_user(Who::Name("nobody")) else { return };
        if !own.is_root() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut seen = None;
        let refused = run(&nobody, &mut || {
            seen = Some(rustix::thread::gettid() != rustix::process::getpid());
            std::fs::write(&path, "x")
        });
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(seen, Some(true));
        assert_eq!(rustix::process::geteuid(), own, "the process keeps its own rights");
        std::fs::write(&path, "x").unwrap();
    }
}
