//! The folder of the store, and the key that seals secrets in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use pantin_base::bytes_of_text;
use pantin_cache::{Access, Key, Platform, Store, StoreOptions, default_root};
use pantin_world::settings::{Settings, Wish};
use pantin_world::{Disk, absolute_path, expand_path, tracked_by_git};

use super::Seal;
use crate::options::CacheOptions;

/// Grows when what is kept is written in another form.
const FORMAT: u32 = 4;

const APPLICATION: &str = "pantin";

/// Where it is, for all processes that say nothing else.
const FOLDER: &str = "PANTIN_CACHE";

/// How large it may grow.
const SIZE: &str = "PANTIN_CACHE_SIZE";

/// The setting that says so.
const SETTING_OF_SIZE: &str = "pantin_cache_size";

/// A text that secrets are sealed with, where there is no file for a key: in a pipeline.
const KEY: &str = "PANTIN_CACHE_KEY";

/// A place for answers, and the key to the secrets among them.
#[derive(Clone, Debug)]
pub struct Cache {
    pub store: Store,
    pub seal: Option<Seal>,
    /// What is wrong with it, though it is of use.
    pub complaint: Option<String>,
}

/// Returns the cache that options and settings name, and the key to its secrets. `None`: nothing is to be stored, or
/// there is no home for it. `configured`: what a person's own `pantin.toml` says.
pub fn open_cache(
    disk: &dyn Disk,
    settings: &Settings,
    options: &CacheOptions,
    configured: Option<PathBuf>,
) -> Result<Option<Cache>, String> {
    let (folder, open): (_, fn(StoreOptions) -> Store) = match options {
        CacheOptions::Off => return Ok(None),
        CacheOptions::In(folder) => (folder, Store::open),
        CacheOptions::ReadOnly(folder) => {
            (folder, |options| Store::open(StoreOptions { access: Access::ReadOnly, ..options }))
        }
    };
    let Some((folder, size)) = folder_and_size(disk, folder.as_deref(), settings, configured)? else { return Ok(None) };
    // Whoever opens a pull request can commit whatever answers they like.
    if let Some(tracked) = tracked_by_git(&folder)? {
        return Err(format!(
            "the cache {} is refused: git tracks {tracked}, so that a pull request could bring answers of its own; \
             PANTIN_CACHE or --cache-dir names another folder",
            folder.display()
        ));
    }
    Ok(Some(Cache::open_in(disk, &folder, size, open).with_key(disk)))
}

/// Returns the cache to be looked after: in a folder, if one is named, or in its usual place.
pub fn inspect_cache(
    disk: &dyn Disk,
    settings: &Settings,
    folder: Option<&Path>,
    configured: Option<PathBuf>,
) -> Result<Option<Cache>, String> {
    let place = folder_and_size(disk, folder, settings, configured)?;
    Ok(place.map(|(folder, size)| Cache::as_it_is(disk, &folder, size)))
}

fn folder_and_size(
    disk: &dyn Disk,
    folder: Option<&Path>,
    settings: &Settings,
    configured: Option<PathBuf>,
) -> Result<Option<(PathBuf, Wish<String>)>, String> {
    let Wish { first, last } = settings.cache()?;
    let path = |text: String| PathBuf::from(expand_path(&text));
    let given = folder.map(absolute_path);
    let wish = Wish { first: given.or_else(|| first.map(path)), last: configured.or_else(|| last.map(path)) };
    let size = settings.cache_size()?;
    Ok(cache_folder(disk, wish).map(|folder| (folder, size)))
}

/// Returns the folder of the cache. `None`: there is no home for one.
pub fn cache_folder(disk: &dyn Disk, wish: Wish<PathBuf>) -> Option<PathBuf> {
    let variable = |name: &str| disk.process_variable(name).filter(|value| !value.is_empty());
    let named = wish.first.or_else(|| variable(FOLDER).map(PathBuf::from)).or(wish.last);
    named.or_else(|| default_root(Platform::current(), APPLICATION, |name| variable(name).map(OsString::from)))
}

impl Cache {
    /// To use it; what is secret in it cannot be read yet.
    pub fn open(disk: &dyn Disk, folder: &Path, size: Wish<String>) -> Cache {
        Cache::open_in(disk, folder, size, Store::open)
    }

    /// To look after it: nothing is made.
    pub fn as_it_is(disk: &dyn Disk, folder: &Path, size: Wish<String>) -> Cache {
        Cache::open_in(disk, folder, size, Store::open_as_it_is)
    }

    fn open_in(disk: &dyn Disk, folder: &Path, size: Wish<String>, open: fn(StoreOptions) -> Store) -> Cache {
        let build = Key::of(env!("PANTIN_BUILD").as_bytes());
        let mut options = StoreOptions::new(folder, FORMAT, build);
        let mut complaint = None;
        let variable = disk.process_variable(SIZE).filter(|text| !text.is_empty());
        let setting = |text| (SETTING_OF_SIZE, text);
        let said = size.first.map(setting).or(variable.map(|text| (SIZE, text))).or(size.last.map(setting));
        match said.map(|(name, text)| (name, bytes_of_text(&text))) {
            Some((_, Ok(bytes))) => options.max_bytes = bytes,
            Some((name, Err(reason))) => complaint = Some(format!("{name}: {reason}")),
            None => {}
        }
        Cache { store: open(options), seal: None, complaint }
    }

    /// With the key to its secrets, which is drawn where there is none.
    pub fn with_key(mut self, disk: &dyn Disk) -> Cache {
        match seal(disk) {
            Ok(seal) => self.seal = seal,
            Err(reason) => self.complaint = Some(reason),
        }
        self
    }
}

/// Returns the file with the key, where no variable holds one. `None`: there is no home for it.
pub fn key_file(disk: &dyn Disk) -> Option<PathBuf> {
    let variable = |name: &str| disk.process_variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = match Platform::current() {
        Platform::Windows => variable("APPDATA"),
        Platform::MacOs => variable("HOME").map(|home| home.join("Library/Application Support")),
        Platform::Xdg => {
            variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local").join("share")))
        }
    };
    Some(folder?.join(APPLICATION).join("cache.key"))
}

/// The key is apart from what it seals: whoever copies the cache does not have it.
fn seal(disk: &dyn Disk) -> Result<Option<Seal>, String> {
    if let Some(text) = disk.process_variable(KEY).filter(|text| !text.is_empty()) {
        return Seal::from_text(&text).map(Some).map_err(|reason| format!("{KEY}: {reason}"));
    }
    key_file(disk).map(|file| Seal::from_file(disk, &file)).transpose()
}
