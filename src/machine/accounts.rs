//! Users and groups, as the system's name service has them.

use std::ffi::CString;
use std::io;

use nix::errno::Errno;
use nix::unistd::{Gid, Uid};

/// Whom a question is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who<'a> {
    Name(&'a str),
    Id(u32),
}

impl Who<'_> {
    /// Reads a text as attributes of resources have it: one of digits is a number.
    pub fn from_text(text: &str) -> Who<'_> {
        text.parse().map_or(Who::Name(text), Who::Id)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct User {
    pub name: String,
    pub uid: u32,
    pub gid: u32,
    pub home: String,
    pub shell: String,
    /// The field that says who it is: GECOS.
    pub comment: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    pub name: String,
    pub gid: u32,
    /// The users that it lists. Those whose primary group it is need not be among them.
    pub members: Vec<String>,
}

/// Asks the name service for a user. That there is no such user is an answer.
pub(crate) fn find_user(who: Who<'_>) -> io::Result<Option<User>> {
    let found = match who {
        Who::Name(name) => nix::unistd::User::from_name(name),
        Who::Id(id) => nix::unistd::User::from_uid(Uid::from_raw(id)),
    };
    Ok(absence(found)?.map(|user| User {
        name: user.name,
        uid: user.uid.as_raw(),
        gid: user.gid.as_raw(),
        home: user.dir.to_string_lossy().into_owned(),
        shell: user.shell.to_string_lossy().into_owned(),
        comment: user.gecos.to_string_lossy().into_owned(),
    }))
}

/// Asks the name service for a group.
pub(crate) fn find_group(who: Who<'_>) -> io::Result<Option<Group>> {
    let found = match who {
        Who::Name(name) => nix::unistd::Group::from_name(name),
        Who::Id(id) => nix::unistd::Group::from_gid(Gid::from_raw(id)),
    };
    Ok(absence(found)?.map(|group| Group { name: group.name, gid: group.gid.as_raw(), members: group.mem }))
}

/// Returns the groups that list a user as their member, each once.
pub(crate) fn find_memberships(user: &User) -> io::Result<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for gid in groups_of(&user.name, user.gid)? {
        if let Some(group) = find_group(Who::Id(gid.as_raw()))?
            && group.members.contains(&user.name)
            && !names.contains(&group.name)
        {
            names.push(group.name);
        }
    }
    Ok(names)
}

/// Returns all groups of a user, with the one that is given.
pub(crate) fn groups_of(user: &str, group: u32) -> io::Result<Vec<Gid>> {
    let name = CString::new(user).map_err(io::Error::other)?;
    nix::unistd::getgrouplist(&name, Gid::from_raw(group)).map_err(io::Error::from)
}

/// The files of the name service may be missing, and then nobody is found.
fn absence<T>(found: nix::Result<Option<T>>) -> io::Result<Option<T>> {
    match found {
        Err(Errno::ENOENT | Errno::ESRCH) => Ok(None),
        other => other.map_err(io::Error::from),
    }
}
