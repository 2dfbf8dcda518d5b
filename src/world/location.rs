//! The names that may be defined in a manifest, by its path. Pure: text in, answer out.
//!
//! The rules are the real ones. A manifest whose path starts with the text of the `manifest`
//! setting may define anything. Else the first folder of the modulepath that stands above it
//! makes the rest of its path a module's: `NAME/manifests/a/b.pp` may define what starts with
//! `name::a::b`, `NAME/manifests/init.pp` what starts with `name`; `functions`, `types` and
//! `plans` are as good as `manifests`; any other folder of a module may define nothing.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use pantin_base::Location;

/// The folders of a module in which the autoloader looks for Puppet code.
pub const DEFINITION_FOLDERS: [&str; 4] = ["manifests", "functions", "types", "plans"];

/// What the settings of an environment say about places. All paths are absolute and clean.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The setting `manifest`: a file or a folder.
    pub manifest: Option<PathBuf>,
    pub modulepath: Vec<PathBuf>,
}

impl Layout {
    /// Where `file`, an absolute and clean path, stands.
    pub fn location(&self, file: &Path) -> Location {
        if !is_manifest(file) || self.holds_initial_manifest(file) {
            return Location::Anywhere;
        }
        match self.modulepath.iter().find_map(|folder| file.strip_prefix(folder).ok()) {
            Some(relative) => in_module(None, relative),
            None => Location::Anywhere,
        }
    }

    /// The real rule compares text, so `manifests_old/x.pp` counts for `manifests` too.
    pub fn holds_initial_manifest(&self, file: &Path) -> bool {
        self.manifest.as_ref().is_some_and(|manifest| {
            file.as_os_str().as_encoded_bytes().starts_with(manifest.as_os_str().as_encoded_bytes())
        })
    }
}

/// Only manifests have a place; a template, or code of any other ending, may hold anything.
pub fn is_manifest(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "pp")
}

/// Returns the place of a file within a module. Without a `module` name the path begins with it.
pub fn in_module(module: Option<&str>, relative: &Path) -> Location {
    let mut parts: Vec<String> = module.map(str::to_lowercase).into_iter().collect();
    parts.extend(relative.components().map(|part| part.as_os_str().to_string_lossy().to_lowercase()));
    if parts.len() < 3 || !DEFINITION_FOLDERS.contains(&parts[1].as_str()) {
        return Location::BadModuleFile;
    }
    let is_init = parts.len() == 3 && parts[2] == "init.pp";
    parts.remove(1);
    if is_init {
        parts.truncate(1);
    } else if let Some(file_name) = parts.last_mut() {
        file_name.truncate(file_name.len().saturating_sub(".pp".len()));
    }
    Location::Namespace(parts.join("::"))
}

/// Returns a path without `.` and `..`, worked out from its text alone.
pub fn clean_path(path: &Path) -> Cow<'_, Path> {
    if is_clean(path) {
        return Cow::Borrowed(path);
    }
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                let parent_is_known = matches!(clean.components().next_back(), Some(Component::Normal(_)));
                if parent_is_known {
                    clean.pop();
                } else if !clean.has_root() {
                    clean.push("..");
                }
            }
            _ => clean.push(part),
        }
    }
    Cow::Owned(clean)
}

/// Returns true if nothing is to be worked out: as nearly all paths are, and to look is much cheaper than to put one
/// together.
fn is_clean(path: &Path) -> bool {
    let Some((b'/', parts)) = path.as_os_str().as_encoded_bytes().split_first() else { return false };
    cfg!(unix) && parts.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"." | b".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        let modulepath = ["/env/site", "/env/modules"].map(PathBuf::from).into();
        Layout { manifest: Some("/env/manifests".into()), modulepath }
    }

    fn located(path: &str) -> Location {
        layout().location(Path::new(path))
    }

    fn named(name: &str) -> Location {
        Location::Namespace(name.to_owned())
    }

    #[test]
    fn names_follow_the_path_in_lower_case() {
        assert_eq!(located("/env/modules/Apache/manifests/Mod/ssl.pp"), named("apache::mod::ssl"));
        assert_eq!(located("/env/site/role/manifests/init.pp"), named("role"));
        assert_eq!(located("/env/modules/a/types/init.pp"), named("a"));
        assert_eq!(located("/env/modules/a/manifests/b/init.pp"), named("a::b::init"));
    }

    #[test]
    fn other_folders_of_a_module_define_nothing() {
        assert_eq!(located("/env/modules/a/examples/init.pp"), Location::BadModuleFile);
        assert_eq!(located("/env/modules/loose.pp"), Location::BadModuleFile);
    }

    #[test]
    fn outside_of_modules_anything_goes() {
        assert_eq!(located("/env/manifests/site.pp"), Location::Anywhere);
        assert_eq!(located("/elsewhere/x.pp"), Location::Anywhere);
        assert_eq!(located("/env/modules/a/templates/x.epp"), Location::Anywhere);
    }

    #[test]
    fn the_manifest_setting_is_compared_as_text() {
        let layout = Layout { manifest: Some("/env/modules/a".into()), modulepath: vec!["/env/modules".into()] };
        assert_eq!(layout.location(Path::new("/env/modules/ab/manifests/x.pp")), Location::Anywhere);
        assert_eq!(layout.location(Path::new("/env/modules/b/manifests/x.pp")), named("b::x"));
    }

    #[test]
    fn paths_are_cleaned_by_their_text() {
        let cases = [
            ("/a/./b/../c", "/a/c"),
            ("/a/b/.", "/a/b"),
            ("/a//b/", "/a/b"),
            ("/../a", "/a"),
            ("../a/..", ".."),
            ("/a/.b/c..", "/a/.b/c.."),
            ("/", "/"),
        ];
        for (path, clean) in cases {
            // As text: two paths are equal whatever slashes are in them.
            assert_eq!(clean_path(Path::new(path)).as_os_str(), clean, "{path}");
        }
    }
}
