//! Where a cache lies by the convention of the platform.
//!
//! A pure function of the platform and of an environment handed in: it must
//! not read the process's own environment, nor look whether a folder exists.

use std::env::consts;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The conventions that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// The XDG base directories: Linux and everything not below.
    Xdg,
    MacOs,
    Windows,
}

impl Platform {
    /// The platform this was built for.
    #[must_use]
    pub fn current() -> Self {
        match consts::OS {
            "macos" => Self::MacOs,
            "windows" => Self::Windows,
            _ => Self::Xdg,
        }
    }
}

/// The folder for the cache of `application`, or nothing if the environment
/// does not say. `variable` answers for an environment variable.
///
/// * Linux: `$XDG_CACHE_HOME/<application>`, else `$HOME/.cache/<application>`.
///   A relative `XDG_CACHE_HOME` is ignored, as its specification asks.
/// * macOS: `$HOME/Library/Caches/<application>`.
/// * Windows: `%LOCALAPPDATA%\<application>\cache`.
#[must_use]
pub fn default_root(
    platform: Platform,
    application: &str,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    let folder = |name: &str| {
        variable(name)
            .filter(|value| is_absolute(platform, value))
            .map(PathBuf::from)
    };
    let root = match platform {
        Platform::Xdg => folder("XDG_CACHE_HOME")
            .or_else(|| Some(folder("HOME")?.join(".cache")))?
            .join(application),
        Platform::MacOs => folder("HOME")?.join("Library/Caches").join(application),
        Platform::Windows => folder("LOCALAPPDATA")?.join(application).join("cache"),
    };
    Some(root)
}

/// By the rules of `platform`, not of the machine this runs on.
fn is_absolute(platform: Platform, path: &OsStr) -> bool {
    match platform {
        Platform::Xdg | Platform::MacOs => Path::new(path)
            .as_os_str()
            .as_encoded_bytes()
            .starts_with(b"/"),
        Platform::Windows => match path.as_encoded_bytes() {
            [b'\\', b'\\', _, ..] => true,
            [drive, b':', b'\\' | b'/', ..] => drive.is_ascii_alphabetic(),
            _ => false,
        },
    }
}
