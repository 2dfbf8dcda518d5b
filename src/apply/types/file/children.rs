//! What is below a folder that recurses: found on this machine and in sources, each file a resource of its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use pantin_machine::FileKind;
use pantin_values::{Str, Value};

use super::File;
use super::checksum::ChecksumType;
use super::fileset::{FilePlace, Fileset, doors};
use super::rules::{self, shared, texts};
use super::source::{self, Metadata, SourceOptions};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::log::Level;
use crate::managed::Generated;
use crate::value::{is_word, symbol, text};

/// What is not handed on to children.
const OWN: [&str; 7] = ["path", "ensure", "recurse", "recurselimit", "max_files", "target", "source"];

/// By path below the folder.
type Children = BTreeMap<String, File>;

impl File {
    /// Finds what is below the folder, and what a source has for it.
    pub(super) fn find_children(&mut self, context: &ApplyContext<'_>) -> Result<Vec<Generated>, Failure> {
        let is_remote = self.values.get("recurse").is_some_and(|recurse| is_word(recurse, "remote"));
        let mut children = Children::new();
        if !is_remote {
            for found in self.look_below(&FilePlace::Local(self.path.clone()), context)?.unwrap_or_default() {
                children.insert(found.clone(), self.child(&found));
            }
        }
        if let Some(target) = self.should("target") {
            self.link_children(&text(&target), &mut children, context)?;
        } else if !self.sources.is_empty() {
            self.copy_children(&mut children, context)?;
        }
        if self.values.is_true("purge") {
            for child in children.values_mut().filter(|child| child.sources.is_empty()) {
                child.set_desired("ensure", symbol("absent"));
            }
        }
        let mut children: Vec<File> = children.into_values().collect();
        children.sort_by(|a, b| a.name.cmp(&b.name));
        let managed: Vec<&Path> = self.other_files(context);
        children.retain(|child| !managed.iter().any(|other| child.path.starts_with(other)));
        Ok(children.into_iter().map(generated).collect())
    }

    /// Returns the paths of files of the catalog below this one.
    fn other_files<'c>(&self, context: &ApplyContext<'c>) -> Vec<&'c Path> {
        let paths = context.catalog.of_type("file").filter_map(|(info, values)| match values.get("path") {
            Some(Value::String(path)) => Some(Path::new(path.as_str())),
            _ if info.title.starts_with('/') => Some(Path::new(info.title.as_str())),
            _ => None,
        });
        paths.filter(|path| path.starts_with(&self.path) && *path != self.path).collect()
    }

    /// Returns the paths below a folder, or `None` if nothing stands there.
    fn look_below(&self, folder: &FilePlace, context: &ApplyContext<'_>) -> Result<Option<Vec<String>>, Failure> {
        if !matches!(folder.stat(true, doors(context)), Ok(Some(_))) {
            return Ok(None);
        }
        let number = |name: &str| self.values.text(name).and_then(|text| text.parse::<i64>().ok());
        let fileset = Fileset {
            follows_links: self.follows_links(),
            recurses: true,
            depth: number("recurselimit").and_then(|depth| u64::try_from(depth).ok()),
            most_files: number("max_files").unwrap_or_default(),
            ignored: texts(&self.values, "ignore"),
        };
        fileset.paths_below(folder, context).map(Some)
    }

    /// Makes a file below this one, with what this one says of all.
    fn child(&self, relative: &str) -> File {
        let mut values = self.values.clone();
        let given: Vec<&'static str> = values.iter().map(|(name, _)| name).collect();
        for name in given {
            if OWN.contains(&name) || (!values.is_given(name) && rules::is_property(name)) {
                values.take(name);
            }
        }
        rules::set_path(&mut values, &self.path.join(relative).to_string_lossy());
        let mut child = File::new(values);
        child.checksum = self.given_checksum();
        if child.content.is_some() {
            child.set_desired("ensure", symbol("file"));
        }
        child
    }

    fn given_checksum(&self) -> ChecksumType {
        self.values.text("checksum").and_then(|name| ChecksumType::from_name(&name)).unwrap_or(ChecksumType::Sha256)
    }

    /// Makes links to all that is below another folder.
    fn link_children(
        &mut self,
        target: &str,
        children: &mut Children,
        context: &ApplyContext<'_>,
    ) -> Result<(), Failure> {
        let folder = FilePlace::Local(PathBuf::from(target));
        let Some(found) = self.look_below(&folder, context)? else { return Ok(()) };
        self.set_desired("ensure", symbol("directory"));
        for relative in found {
            let full = format!("{}/{relative}", target.trim_end_matches('/'));
            let kind =
                context.machine.stat(Path::new(&full), self.follows_links()).ok().flatten().map(|stat| stat.kind);
            let child = children.entry(relative.clone()).or_insert_with(|| self.child(&relative));
            if kind == Some(FileKind::Folder) {
                child.set_desired("ensure", symbol("directory"));
            } else {
                child.set_desired("ensure", symbol("link"));
                child.set_desired("target", shared(&full));
            }
        }
        Ok(())
    }

    /// Makes files of all that is below the sources.
    fn copy_children(&mut self, children: &mut Children, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let files = self.source_files(context)?;
        self.note_source_tree(&files);
        for (relative, metadata) in files {
            if relative.is_empty() {
                self.checksum = metadata.checksum_type;
                self.metadata = Some(metadata);
                continue;
            }
            let child = children.entry(relative.clone()).or_insert_with(|| self.child(&relative));
            child.sources = vec![metadata.source.clone()];
            child.checksum = metadata.checksum_type;
            child.metadata = Some(metadata);
        }
        Ok(())
    }

    /// Returns what is known of all files of the sources: of the first that is there, or of all, the earlier ones first.
    pub(super) fn source_files(&self, context: &ApplyContext<'_>) -> Result<Vec<(String, Metadata)>, Failure> {
        let takes_all = self.values.is("sourceselect", "all");
        let mut files: Vec<(String, Metadata)> = Vec::new();
        for address in &self.sources {
            let place = source::place_of(address)?;
            let Some(paths) = self.look_below(&place, context)? else {
                if let FilePlace::Served(path) = &place {
                    let environment = &context.settings.environment;
                    let told = format!("Could not find filesystem info for file '{path}' in environment {environment}");
                    context.say_bare(Level::Info, told);
                }
                continue;
            };
            let top = source::collect(place.clone(), address, self.recursion_options(), context)?;
            if top.kind != FileKind::Folder {
                return Ok(Vec::new());
            }
            files.push((String::new(), top));
            for relative in paths {
                let below = format!("{address}/{relative}");
                let metadata = source::collect(place.join(&relative), &below, self.recursion_options(), context)?;
                files.push((relative, metadata));
            }
            if !takes_all {
                break;
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        files.retain(|(relative, _)| seen.insert(relative.clone()));
        Ok(files)
    }

    /// Remembers what stands at the sources, so that two states of them can be told apart.
    pub(super) fn note_source_tree(&mut self, files: &[(String, Metadata)]) {
        let mut states: Vec<(&str, String)> =
            files.iter().map(|(relative, metadata)| (relative.as_str(), self.digest_of_source(metadata))).collect();
        states.sort();
        let mut hasher = blake3::Hasher::new();
        for (relative, state) in states {
            hasher.update(format!("{relative}\0{state}\0").as_bytes());
        }
        // A source that is no folder has no tree.
        self.source_tree = (!files.is_empty()).then(|| hasher.finalize().to_hex().to_string());
    }

    fn recursion_options(&self) -> SourceOptions {
        SourceOptions {
            follows_links: self.follows_links(),
            checksum_type: self.given_checksum(),
            has_permissions: !self.values.is("source_permissions", "ignore"),
            is_secret: self.holds_secret(),
        }
    }
}

fn generated(child: File) -> Generated {
    let mut parameters: Vec<(Str, Value)> = vec![(Str::from("path"), shared(&child.name))];
    if let Some(ensure) = child.should("ensure") {
        parameters.push((Str::from("ensure"), ensure));
    }
    let title = child.name.clone();
    Generated { managed: Some(Box::new(child)), ..Generated::new("File", title, parameters) }
}
