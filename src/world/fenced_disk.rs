//! A disk that holds whoever reads through it to a fence: what lies outside is an error, and `/proc`, `/sys` and keys always are.
//!
//! Whether a path lies within is decided by where it leads, link by link. What is not there is not there, within the fence and
//! outside of it. Knows nothing of who asks, and of what is in a file.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use pantin_base::LiteralPath;
use rustc_hash::FxHashMap;

use super::clean_path;
use super::{Disk, Entry, FileFacts, ReadError, Stamped};

/// The system follows no more on one way.
const MOST_LINKS: usize = 40;

/// What a kernel says of itself and of all processes, with their variables.
const OF_KERNEL: [&str; 2] = ["/proc", "/sys"];

/// An empty file.
const NULL: &str = "/dev/null";

/// What may be read.
#[derive(Clone, Debug, Default)]
pub struct FenceRules {
    is_on: bool,
    /// Folders with all that is in them, but folders of git.
    trees: Vec<RealPath>,
    /// Files and folders that a person has named.
    named: Vec<RealPath>,
    /// Files that are read by no code, fence or not.
    refused: Vec<RealPath>,
}

/// A path as it was named, and where it leads.
#[derive(Clone, Debug)]
struct RealPath {
    named: PathBuf,
    real: PathBuf,
}

impl RealPath {
    fn new(path: &Path) -> RealPath {
        // What is not there yet may come to be in a folder that is.
        let real = std::fs::canonicalize(path).ok().or_else(|| {
            let folder = std::fs::canonicalize(path.parent()?).ok()?;
            Some(folder.join(path.file_name()?))
        });
        RealPath { real: real.unwrap_or_else(|| path.to_owned()), named: path.to_owned() }
    }

    /// Returns true if a name in this tree leads out of it, or to where git keeps what is its own: whoever edits the tree has made
    /// the link.
    fn leads_away_from(&self, tree: &RealPath) -> bool {
        let leads_to_git =
            |within: &Path| within.iter().any(is_folder_of_git) && !self.named.iter().any(is_folder_of_git);
        self.is_named_in(tree) && self.real.strip_prefix(&tree.real).map_or(true, leads_to_git)
    }

    /// Returns true if the name itself stands in this tree, wherever it leads.
    fn is_named_in(&self, tree: &RealPath) -> bool {
        let folder = self.named.parent().and_then(|folder| std::fs::canonicalize(folder).ok());
        self.named.starts_with(&tree.named) || folder.is_some_and(|folder| folder.starts_with(&tree.real))
    }
}

impl FenceRules {
    /// No fence: only what no code may read is refused.
    pub fn without_fence(refused: &[PathBuf]) -> FenceRules {
        FenceRules { refused: refused.iter().map(|path| RealPath::new(path)).collect(), ..FenceRules::default() }
    }

    /// A fence around `repository`, other folders of code, and what a person has `named`. What is named in the repository has to
    /// lie there as well: who edits the repository says where a link leads.
    pub fn around(
        repository: Option<&Path>,
        folders: &[PathBuf],
        named: &[PathBuf],
        refused: &[PathBuf],
    ) -> FenceRules {
        let repository = repository.map(RealPath::new);
        let is_trusted =
            |path: &RealPath| !repository.as_ref().is_some_and(|repository| path.leads_away_from(repository));
        let trusted = |paths: &[PathBuf]| -> Vec<RealPath> {
            paths.iter().map(|path| RealPath::new(path)).filter(is_trusted).collect()
        };
        let (folders, named) = (trusted(folders), trusted(named));
        let trees = repository.clone().into_iter().chain(folders).collect();
        FenceRules { is_on: true, trees, named, ..FenceRules::without_fence(refused) }
    }

    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Names the fence in keys of stored answers; what lies in or above `folder` is named from there.
    pub fn name_from(&self, folder: &Path) -> String {
        if !self.is_on {
            return "none".to_owned();
        }
        let folder = RealPath::new(folder).real;
        let name = |path: &RealPath| match (path.real.strip_prefix(&folder), folder.strip_prefix(&path.real)) {
            // A pipe has another number each time.
            _ if path.real.starts_with("/proc") => path.named.display().to_string(),
            (Ok(below), _) => format!("./{}", below.display()),
            (_, Ok(rest)) => "../".repeat(rest.components().count()),
            _ => path.real.display().to_string(),
        };
        let mut names: Vec<String> = self.trees.iter().map(name).collect();
        names.push("named".to_owned());
        names.extend(self.named.iter().map(name));
        names.join("\n")
    }

    fn is_named(&self, real: &Path) -> bool {
        self.named.iter().any(|named| real.starts_with(&named.real))
    }

    /// Where a path without links stands; `around`: where the folder does that it is in.
    fn standing(&self, real: &Path, around: Standing) -> Standing {
        if around == Standing::Refused
            || OF_KERNEL.iter().any(|folder| real.starts_with(folder))
            || self.refused.iter().any(|refused| real == refused.real)
        {
            return Standing::Refused;
        }
        if !self.is_on || self.is_named(real) || real == Path::new(NULL) {
            return Standing::Within;
        }
        let tree = self.trees.iter().filter_map(|tree| real.strip_prefix(&tree.real).ok());
        match tree.min_by_key(|rest| rest.components().count()) {
            None => Standing::Outside,
            Some(_) if around == Standing::OfGit => Standing::OfGit,
            Some(rest) if rest.iter().any(is_folder_of_git) => Standing::OfGit,
            Some(_) => Standing::Within,
        }
    }
}

/// Some file systems do not tell small letters from capitals.
fn is_folder_of_git(name: &OsStr) -> bool {
    name.eq_ignore_ascii_case(".git")
}

/// Where a path stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    Within,
    Outside,
    /// In the repository, but where git keeps what is its own: addresses with tokens, too.
    OfGit,
    /// No code may read it.
    Refused,
}

/// Why a path may not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// Where it leads.
    pub real: PathBuf,
    is_refused: bool,
    leads_away: bool,
}

impl std::fmt::Display for Breach {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let real = self.real.display();
        if self.leads_away {
            write!(to, "leads to '{real}', which ")?;
        }
        match self.is_refused {
            true => write!(to, "may be read by no code: it holds secrets of this machine"),
            false => write!(to, "lies outside of the fence; --fence-add {real} lets code read it"),
        }
    }
}

/// A path without links, and where it stands.
#[derive(Clone, Debug)]
struct Place {
    real: Arc<Path>,
    standing: Standing,
    /// The path was named so.
    is_literal: bool,
}

/// The disk below, as far as the fence lets it be seen.
pub struct FencedDisk {
    disk: Arc<dyn Disk>,
    rules: FenceRules,
    /// Folders as they were named.
    folders: RwLock<FxHashMap<LiteralPath<PathBuf>, Place>>,
}

impl FencedDisk {
    pub fn new(disk: Arc<dyn Disk>, rules: FenceRules) -> FencedDisk {
        FencedDisk { disk, rules, folders: RwLock::default() }
    }

    /// Something that is there, unless its path may not be read. Most of what is asked for is not there.
    fn checked<T>(&self, path: &Path, found: Result<Option<T>, ReadError>) -> Result<Option<T>, ReadError> {
        match found {
            Ok(None) => Ok(None),
            found => self.breach(path).map_or(found, |breach| Err(ReadError::Fenced(breach))),
        }
    }

    /// Returns true for a folder that is known, and for most that is in one, unless it is a link.
    fn is_within_unless_link(&self, path: &Path) -> bool {
        let (Some(above), Some(name)) = (path.parent(), path.file_name()) else { return false };
        self.is_known_within(above)
            && above.as_os_str() != "/"
            && !is_folder_of_git(name)
            && !self.rules.refused.iter().any(|refused| refused.real.as_os_str() == path.as_os_str())
    }

    /// Returns true for a folder that was looked at, in whose path there is no link, and whose files may be read.
    fn is_known_within(&self, folder: &Path) -> bool {
        let known = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        known.get(folder.as_os_str()).is_some_and(|place| place.is_literal && place.standing == Standing::Within)
    }

    /// Returns the content of most that is read: of a file in a folder that is known, which the system opens unless it
    /// is a link. `None`: the path has to be looked at.
    fn read_plainly(&self, path: &Path) -> Option<Option<Vec<u8>>> {
        if !self.is_within_unless_link(path) {
            return None;
        }
        self.disk.read_unless_link(path)?.ok()
    }

    /// Returns the path with no link in it. `None`: links lead in a circle.
    fn place(&self, path: &Path, links: usize) -> Option<Place> {
        let (Some(above), Some(name)) = (path.parent(), path.components().next_back()) else {
            let standing = self.rules.standing(path, Standing::Within);
            return Some(Place { real: path.into(), standing, is_literal: true });
        };
        let above_place = self.folder(above, links)?;
        let name = match name {
            Component::Normal(name) => name,
            Component::ParentDir => {
                let real = above_place.real.parent().unwrap_or(&above_place.real);
                let around =
                    if above_place.standing == Standing::Refused { Standing::Refused } else { Standing::Within };
                let standing = self.rules.standing(real, around);
                return Some(Place { standing, real: real.into(), is_literal: false });
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => return Some(above_place),
        };
        let is_literal = above_place.is_literal;
        let here: Arc<Path> = if is_literal { path.into() } else { above_place.real.join(name).into() };
        let standing = self.rules.standing(&here, above_place.standing);
        match self.disk.link_target(&here) {
            None => Some(Place { real: here, standing, is_literal }),
            Some(target) => {
                let target = self.place(&clean_path(&target), links.checked_sub(1)?)?;
                // What leads through the kernel's folders stays refused, wherever it comes out.
                let standing = if standing == Standing::Refused { standing } else { target.standing };
                Some(Place { standing, is_literal: false, ..target })
            }
        }
    }

    fn folder(&self, folder: &Path, links: usize) -> Option<Place> {
        let known = self.folders.read().unwrap_or_else(PoisonError::into_inner).get(folder.as_os_str()).cloned();
        if known.is_some() {
            return known;
        }
        let mut place = self.place(folder, links)?;
        place.standing = self.standing_of_folder(&place);
        let mut known = self.folders.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(LiteralPath(folder.to_owned()), place.clone());
        Some(place)
    }

    /// Looks at what a folder is, beside its name: a repository of git without a working copy, or the kernel's, mounted
    /// elsewhere.
    fn standing_of_folder(&self, place: &Place) -> Standing {
        let Place { real, standing, .. } = place;
        let is_in_tree =
            || self.rules.trees.iter().any(|tree| real.starts_with(&tree.real)) && !self.rules.is_named(real);
        match standing {
            Standing::Within if self.rules.is_on && is_in_tree() && self.is_bare_repository(real) => Standing::OfGit,
            Standing::Within if !self.rules.is_on && is_of_kernel(real) => Standing::Refused,
            standing => *standing,
        }
    }

    fn is_bare_repository(&self, folder: &Path) -> bool {
        self.disk.exists(&folder.join("HEAD"))
            && ["objects", "refs"].iter().all(|name| self.disk.is_folder(&folder.join(name)))
    }
}

/// Returns true if a folder is one of those of the kernel, wherever it is mounted.
#[cfg(target_os = "linux")]
fn is_of_kernel(folder: &Path) -> bool {
    // The types of these numbers differ from one C library to another.
    let magic = [i128::from(libc::PROC_SUPER_MAGIC), i128::from(libc::SYSFS_MAGIC)];
    rustix::fs::statfs(folder).is_ok_and(|system| magic.contains(&i128::from(system.f_type)))
}

#[cfg(not(target_os = "linux"))]
fn is_of_kernel(_folder: &Path) -> bool {
    false
}

impl Disk for FencedDisk {
    fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        match self.read_plainly(path) {
            Some(found) => Ok(found),
            None => self.checked(path, self.disk.read(path)),
        }
    }

    fn read_once(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        match self.read_plainly(path) {
            Some(found) => Ok(found),
            None => self.checked(path, self.disk.read_once(path)),
        }
    }

    fn read_key(&self, path: &Path) -> Result<Option<Vec<u8>>, ReadError> {
        match self.breach(path) {
            Some(breach) if breach.is_refused => Err(ReadError::Fenced(breach)),
            _ => self.disk.read_key(path),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        self.disk.exists(path)
    }

    fn is_named(&self, path: &Path) -> bool {
        self.disk.is_named(path)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.disk.is_folder(path)
    }

    fn link_target(&self, path: &Path) -> Option<PathBuf> {
        self.disk.link_target(path)
    }

    fn facts(&self, path: &Path, follows: bool) -> Result<Option<FileFacts>, ReadError> {
        match self.disk.facts(path, follows) {
            // Of a folder it is no secret that it is there; what is in it is listed.
            Ok(Some(facts)) if facts.kind == "directory" => Ok(Some(facts)),
            found => self.checked(path, found),
        }
    }

    /// A stamp says nothing of what is in a file, and is compared with those of answers that the same fence let pass.
    fn stamp(&self, path: &Path, follows: bool) -> Stamped {
        self.disk.stamp(path, follows)
    }

    fn list(&self, folder: &Path) -> Result<Option<Vec<Entry>>, ReadError> {
        self.checked(folder, self.disk.list(folder))
    }

    fn process_variable(&self, name: &str) -> Option<String> {
        self.disk.process_variable(name)
    }

    fn breach(&self, path: &Path) -> Option<Breach> {
        // What a person has named by this name may be a pipe, which leads through the kernel's folders.
        if self.rules.named.iter().any(|named| named.named == path) {
            return None;
        }
        if self.is_known_within(path) || self.is_within_unless_link(path) && self.disk.link_target(path).is_none() {
            return None;
        }
        // The system follows no circle either, and says so itself.
        let Place { real, standing, is_literal } = self.place(path, MOST_LINKS)?;
        if standing == Standing::Within || !self.disk.is_named(path) {
            return None;
        }
        let leads_away = !is_literal && *real != *path;
        Some(Breach { real: real.to_path_buf(), is_refused: standing == Standing::Refused, leads_away })
    }

    fn forget(&self) {
        self.folders.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.disk.forget();
    }
}

impl std::fmt::Debug for FencedDisk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FencedDisk").field("rules", &self.rules).finish_non_exhaustive()
    }
}
