//! Installs the modules that a Puppetfile names: each version once, in a folder that all runs share.
//!
//! The Puppetfile is not run: what it says has been parsed. Modules of git are fetched by git, those of the Forge by r10k or g10k, which
//! get a Puppetfile of one line that is written here. Knows nothing of environments.
//!
//! ```text
//! git/HASH.git         a mirror of a repository, by its address
//! git/HASH/COMMIT      the files of a commit
//! forge/AUTHOR-NAME/VERSION/NAME
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pantin_values::{Digester, Value};

use super::command::{NotRun, run_heard};
use super::puppetfile::{Puppetfile, PuppetfileModule};
use super::surroundings::is_on_path;
use super::{MachineDisk, read_hash};

/// What git may speak. A URL of an extension (`ext::`) runs a program.
const PROTOCOLS: [&str; 3] = ["https", "ssh", "file"];

/// So long may a module take to be fetched.
const TIME: Duration = Duration::from_secs(600);

/// So much may a command say.
const MOST_OUTPUT: u64 = 1 << 20;

/// A folder of modules by their versions.
#[derive(Clone, Debug)]
pub struct ModuleStore {
    folder: PathBuf,
}

/// The modules of a Puppetfile.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InstalledModules {
    /// The folders in which the Puppetfile puts them, each with the one in which it is.
    pub folders: BTreeMap<PathBuf, PathBuf>,
    /// Those that cannot be had, each with the reason.
    pub missing: Vec<(String, String)>,
}

impl ModuleStore {
    pub fn new(folder: PathBuf) -> ModuleStore {
        ModuleStore { folder }
    }

    /// Installs what a Puppetfile names, as far as it is not there yet; `folder`: where it stands. `Err`: it says what only Ruby could
    /// tell.
    pub fn install(&self, puppetfile: &Puppetfile, folder: &Path) -> Result<InstalledModules, String> {
        if !puppetfile.unread.is_empty() {
            let lines: Vec<String> = puppetfile.unread.iter().map(u32::to_string).collect();
            let reason = "the Puppetfile is read and not run: a module that is installed has a name and a version that are written out";
            return Err(format!("{reason} (line {})", lines.join(", ")));
        }
        let mut installed = InstalledModules::default();
        for module in puppetfile.modules.iter().filter(|module| !module.is_local) {
            let place = puppetfile.folder_of_module(folder, module);
            match self.install_module(module, &place) {
                Ok(folder) => drop(installed.folders.insert(place, folder)),
                Err(reason) => installed.missing.push((module.full_version(), reason)),
            }
        }
        Ok(installed)
    }

    /// Returns the folder of a module; `place`: where it may be installed already.
    fn install_module(&self, module: &PuppetfileModule, place: &Path) -> Result<PathBuf, String> {
        let is_word =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_word(&module.name) {
            return Err(format!("'{}' is no name of a module", module.name));
        }
        match &module.git {
            _ if module.is_computed => {
                Err("its address or its revision is worked out, and the Puppetfile is not run".to_owned())
            }
            Some(url) => self.fetch(url, module.version.as_deref().unwrap_or("HEAD")),
            None => self.download(module, place),
        }
    }

    /// Returns the files of a revision of a repository of git.
    fn fetch(&self, url: &str, revision: &str) -> Result<PathBuf, String> {
        check_url(url)?;
        if revision.starts_with('-') || revision.contains("..") {
            return Err(format!("'{revision}' is no revision"));
        }
        let name = Digester::new(b"repository of a module").text(url).finish().to_hex();
        let mirror = self.folder.join("git").join(format!("{name}.git"));
        let commits = self.folder.join("git").join(&name);
        let at_mirror = format!("--git-dir={}", mirror.display());
        if is_commit(revision) && commits.join(revision).is_dir() {
            return Ok(commits.join(revision));
        }
        if mirror.is_dir() {
            git(&[&at_mirror, "fetch", "--quiet", "--prune", "--", url, "+refs/*:refs/*"], &[])?;
        } else {
            let new = beside(&mirror)?;
            let cloned = git(&["clone", "--quiet", "--mirror", "--", url, &new.to_string_lossy()], &[]);
            finish(cloned.map(|_| ()), &new, &mirror)?;
        }
        let find =
            |name: &str| git(&[&at_mirror, "rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")], &[]);
        let commit = find(revision).map_err(|_| format!("{url} has no revision {revision}"))?.trim().to_owned();
        let folder = commits.join(&commit);
        if !folder.is_dir() {
            let new = beside(&folder)?;
            let index = format!("GIT_INDEX_FILE={}", new.with_extension("index").display());
            let tree = format!("--work-tree={}", new.display());
            let written = fs::create_dir_all(&new).map_err(|error| error.to_string()).and_then(|()| {
                git(&[&at_mirror, &tree, "checkout", "--quiet", "--force", &commit, "--", "."], &[&index])
            });
            let _ = fs::remove_file(new.with_extension("index"));
            finish(written.map(|_| ()), &new, &folder)?;
        }
        Ok(folder)
    }

    /// Returns a module of the Forge: one that is installed, or by whichever of the usual installers is there.
    fn download(&self, module: &PuppetfileModule, place: &Path) -> Result<PathBuf, String> {
        let Some((author, name)) = module.full_name.split_once('/') else {
            return Err("it has neither an author nor a repository".to_owned());
        };
        let version =
            module.version.as_deref().filter(|version| version.starts_with(|first: char| first.is_ascii_digit()));
        let is_part = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.+-".contains(&byte));
        let Some(version) = version.filter(|version| is_part(version) && is_part(author) && is_part(name)) else {
            return Err("it names no version of three numbers".to_owned());
        };
        let folder = self.folder.join("forge").join(format!("{author}-{name}")).join(version);
        if folder.join(name).is_dir() {
            return Ok(folder.join(name));
        }
        if is_version(place, author, name, version) {
            return Ok(place.to_owned());
        }
        let new = beside(&folder)?;
        fs::create_dir_all(&new).map_err(|error| error.to_string())?;
        let file = new.join("Puppetfile");
        fs::write(&file, format!("mod '{author}/{name}', '{version}'\n")).map_err(|error| error.to_string())?;
        let (file, modules) = (file.to_string_lossy().into_owned(), new.to_string_lossy().into_owned());
        let installed = if is_on_path("r10k") {
            command("r10k", &["puppetfile", "install", "--puppetfile", &file, "--moduledir", &modules])
        } else if is_on_path("g10k") {
            command("g10k", &["-puppetfile", "-puppetfilelocation", &file, "-moduledir", &modules])
        } else {
            Err("a module of the Forge is installed by r10k or g10k, and neither is there".to_owned())
        };
        let is_there =
            |_| if new.join(name).is_dir() { Ok(()) } else { Err("the installer brought no such folder".to_owned()) };
        finish(installed.and_then(is_there), &new, &folder)?;
        Ok(folder.join(name))
    }
}

/// Returns true if the module in a folder says that it is this version of this module.
fn is_version(folder: &Path, author: &str, name: &str, version: &str) -> bool {
    let Ok(metadata) = read_hash(&MachineDisk::default(), &folder.join("metadata.json")) else { return false };
    let says = |key: &str, of: &str| matches!(metadata.get_str(key), Some(Value::String(text)) if text.replace("/", "-") == of);
    says("name", &format!("{author}-{name}")) && says("version", version)
}

/// Refuses what git would take for an option, or for a protocol that runs a program.
fn check_url(url: &str) -> Result<(), String> {
    if url.starts_with('-') {
        return Err(format!("'{url}' begins with -, and is no address of a repository"));
    }
    let protocol = url.split_once("://").map(|(protocol, _)| protocol);
    let is_extension =
        url.split_once("::").is_some_and(|(name, _)| name.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    match protocol {
        Some(protocol) if !PROTOCOLS.contains(&protocol) => {
            Err(format!("{url}: git may use {}, and not {protocol}", PROTOCOLS.join(", ")))
        }
        _ if is_extension => Err(format!("{url}: git may use {} alone", PROTOCOLS.join(", "))),
        _ => Ok(()),
    }
}

fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Runs git, which asks nobody, runs no hook, and uses no protocol but those that are allowed.
fn git(arguments: &[&str], variables: &[&str]) -> Result<String, String> {
    let protocols = format!("GIT_ALLOW_PROTOCOL={}", PROTOCOLS.join(":"));
    // A hook hands down variables that would make git look at another repository.
    let fixed = ["-u", "GIT_DIR", "-u", "GIT_WORK_TREE", "-u", "GIT_INDEX_FILE", &protocols, "GIT_TERMINAL_PROMPT=0"];
    let safe = ["git", "-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never"];
    command("env", &[&fixed[..], variables, &safe, arguments].concat())
}

fn command(program: &str, arguments: &[&str]) -> Result<String, String> {
    let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let ran = run_heard(program, &arguments, TIME, MOST_OUTPUT).map_err(|reason| match reason {
        NotRun::NotStarted(error) => format!("cannot run {program}: {error}"),
        NotRun::TooLong => format!("it took longer than {} seconds", TIME.as_secs()),
        NotRun::TooMuch => format!("{program} said more than {MOST_OUTPUT} bytes"),
    })?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if ran.code == Some(0) {
        return Ok(said(&ran.out));
    }
    let errors = said(&ran.errors);
    Err(errors.lines().last().unwrap_or("it failed, and said nothing").to_owned())
}

/// A name beside a folder that is made, under which nobody looks for anything; its parent is made if need be.
fn beside(folder: &Path) -> Result<PathBuf, String> {
    let parent = folder.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(parent).map_err(|error| format!("cannot write {}: {error}", parent.display()))?;
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let new = parent.join(format!(".{name}.{}", std::process::id()));
    let _ = fs::remove_dir_all(&new);
    Ok(new)
}

/// Gives a folder that was made its name, or removes it. Another run may have been quicker.
fn finish(made: Result<(), String>, new: &Path, folder: &Path) -> Result<(), String> {
    let named = made.and_then(|()| match fs::rename(new, folder) {
        Err(_) if folder.is_dir() => Ok(()),
        renamed => renamed.map_err(|error| format!("cannot write {}: {error}", folder.display())),
    });
    let _ = fs::remove_dir_all(new);
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_that_run_a_program_or_are_an_option_are_refused() {
        for url in ["--upload-pack=touch x", "ext::sh -c touch% x", "http://example.org/x.git", "git://example.org/x"] {
            assert!(check_url(url).is_err(), "{url}");
        }
        for url in ["https://example.org/x.git", "git@example.org:x.git", "ssh://git@example.org/x", "file:///x", "/x"]
        {
            assert_eq!(check_url(url), Ok(()), "{url}");
        }
    }

    #[test]
    fn what_only_ruby_could_tell_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = ModuleStore::new(folder.path().to_owned());
        let refused = store.install(&Puppetfile::parse("mod 'a/b', ENV['X']\n"), Path::new("/r")).unwrap_err();
        assert!(refused.ends_with("(line 1)"), "{refused}");
        let installed = store
            .install(&Puppetfile::parse("mod 'a/b', :latest\nmod 'a/b.c', git: 'https://e.org/x'\n"), Path::new("/r"))
            .unwrap();
        let reasons: Vec<&str> = installed.missing.iter().map(|(_, reason)| reason.as_str()).collect();
        assert_eq!(reasons[0], "it names no version of three numbers");
        assert_eq!(installed.missing.len(), 2, "{reasons:?}");
    }
}
