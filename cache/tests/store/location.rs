//! The default place follows the platform's convention.

use pantin_cache::{Platform, default_root};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

fn root(platform: Platform, environment: &[(&str, &str)]) -> Option<PathBuf> {
    default_root(platform, "app", |name| {
        let found = environment.iter().find(|(variable, _)| *variable == name);
        found.map(|(_, value)| OsString::from(value))
    })
}

#[test]
fn linux() {
    let home = ("HOME", "/home/ann");
    let at = |environment: &[_]| root(Platform::Xdg, environment);
    assert_eq!(at(&[home]), Some("/home/ann/.cache/app".into()));
    assert_eq!(
        at(&[home, ("XDG_CACHE_HOME", "/big")]),
        Some("/big/app".into())
    );
    assert_eq!(at(&[("XDG_CACHE_HOME", "/big")]), Some("/big/app".into()));
    // The specification: a relative path is ignored, an empty one is not set.
    for ignored in ["", "relative", "./relative"] {
        let environment = [home, ("XDG_CACHE_HOME", ignored)];
        assert_eq!(at(&environment), Some("/home/ann/.cache/app".into()));
    }
    assert_eq!(at(&[]), None);
    assert_eq!(at(&[("HOME", "")]), None);
    assert_eq!(at(&[("HOME", "relative")]), None);
    assert_eq!(at(&[("LOCALAPPDATA", "/x")]), None);
}

#[test]
fn macos() {
    let environment = [("HOME", "/Users/ann"), ("XDG_CACHE_HOME", "/big")];
    let expected = Path::new("/Users/ann/Library/Caches/app");
    assert_eq!(
        root(Platform::MacOs, &environment).as_deref(),
        Some(expected)
    );
    assert_eq!(root(Platform::MacOs, &[]), None);
}

#[test]
fn windows() {
    let at = |value| {
        root(
            Platform::Windows,
            &[("HOME", "/home/ann"), ("LOCALAPPDATA", value)],
        )
    };
    for base in [r"C:\Users\ann\AppData\Local", "D:/Local", r"\\server\share"] {
        let expected = Path::new(base).join("app").join("cache");
        assert_eq!(at(base), Some(expected));
    }
    for ignored in ["", r"AppData\Local", "C:relative", r"\rooted", "1:/x"] {
        assert_eq!(at(ignored), None, "{ignored}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn this_platform() {
    assert_eq!(Platform::current(), Platform::Xdg);
}
