//! Static catalogs: the metadata of module files in the catalog, so that an agent gets the files as they were at
//! compilation.

use std::path::{Path, PathBuf};

use pantin_eval::builtins::checksum;
use pantin_model::catalog::{Catalog, Checksum, Metadata, Resource, SourceMetadata};
use pantin_values::ops::to_s;
use pantin_values::scalar::TimeZone;
use pantin_values::{Str, Timestamp, Value};
use pantin_world::environment::Environment;
use pantin_world::load::Modules;
use pantin_world::{Disk, FileFacts, fnmatch, own_ids};

use super::catalog::Site;
use super::report::{LogLine, warning};

/// More in a folder is worth a warning, unless the resource says how many there may be.
const MANY: i64 = 1000;

/// What an agent of today can check first of what it offers.
const CHECKSUM: &str = "sha256";

/// What came of it.
#[derive(Debug, Default)]
pub struct StaticCatalogResult {
    /// Not where the environment has no static catalogs.
    pub is_static: bool,
    pub log: Vec<LogLine>,
}

impl Site {
    /// Names the code that the catalog is of, and describes the files of modules, unless the environment has no static
    /// catalogs. `Err`: a file is not there, or cannot be read.
    pub fn make_static(
        &self,
        catalog: &mut Catalog,
        environment: &Environment,
        code_id: &str,
    ) -> Result<StaticCatalogResult, String> {
        catalog.code_id = Some(code_id.to_owned());
        let Some(folder) = environment.folder.as_deref().filter(|_| environment.static_catalogs) else {
            return Ok(StaticCatalogResult::default());
        };
        let mut log = Vec::new();
        let files = Files { modules: self.modules(), environment: folder };
        for resource in catalog.resources.iter().filter(|resource| resource.type_name == "File") {
            let sources = sources(resource);
            let is_inlined = text(resource, "ensure").as_deref() != Some("absent")
                && !sources.is_empty()
                && sources.iter().all(|source| source.lines().any(|line| line.starts_with("puppet:")));
            if !is_inlined {
                continue;
            }
            if matches!(text(resource, "recurse").as_deref(), Some("true" | "remote")) {
                if let Some(found) = files.folders(resource, &sources, &mut log)? {
                    catalog.recursive_metadata.push((resource.title.clone(), found));
                }
            } else if let Some(found) = files.file(resource, &sources)? {
                catalog.metadata.push((resource.title.clone(), found));
            }
        }
        Ok(StaticCatalogResult { is_static: true, log })
    }
}

impl Site {
    /// Returns where the file or folder of a module lies, there or not, that a source such as `puppet:///modules/ntp/ntp.conf`
    /// names. A server that it names has the same modules. `None`: there is no such module, or something else is named.
    pub fn served_path(&self, source: &str) -> Option<PathBuf> {
        let (module, rest) = Uri::from_source(source).file_of_module()?;
        let folder = self.modules().folder(module)?.join("files");
        Some(if rest.is_empty() { folder } else { folder.join(rest) })
    }
}

/// Returns the files of modules that a catalog's resources are copies of, as their sources name them, each once.
pub fn served_sources(catalog: &Catalog) -> Vec<Str> {
    let files = catalog.resources.iter().filter(|resource| resource.type_name == "File");
    let mut found: Vec<Str> = files.flat_map(|resource| served_sources_of(resource)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The same of one resource.
pub fn served_sources_of(resource: &Resource) -> Vec<Str> {
    let is_of_module =
        |source: &String| source.starts_with("puppet:") && Uri::from_source(source).file_of_module().is_some();
    let mut found: Vec<Str> = sources(resource).into_iter().filter(is_of_module).map(Str::from).collect();
    found.sort_unstable();
    found
}

fn text(resource: &Resource, name: &str) -> Option<String> {
    resource.parameter(name).map(|value| to_s(value).to_string())
}

fn sources(resource: &Resource) -> Vec<String> {
    let mut sources = Vec::new();
    let mut open: Vec<&Value> = resource.parameter("source").into_iter().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Undef => {}
            value => sources.push(to_s(value).to_string()),
        }
    }
    sources
}

/// `Err`: there are more than the resource allows; a text where it does not say how many there may be.
fn check_count(folder: &Path, count: usize, resource: &Resource) -> Result<Option<String>, String> {
    let limit = text(resource, "max_files").and_then(|limit| limit.parse::<i64>().ok()).unwrap_or_default();
    let exceeds = |limit: i64| i64::try_from(count).is_ok_and(|count| count > limit);
    let found = format!("The directory '{}' contains {count} entries, which exceeds the", folder.display());
    match limit {
        0 if exceeds(MANY) => Ok(Some(format!(
            "{found} default soft limit {MANY} and may cause excessive resource consumption and degraded performance. \
             To remove this warning set a value for `max_files` parameter or consider using an alternate method to \
             manage large directory trees"
        ))),
        1.. if exceeds(limit) => Err(format!(
            "{found} limit of {limit} specified by the max_files parameter for this resource. The limit may be \
             increased, but be aware that large number of file resources can result in excessive resource consumption \
             and degraded performance. Consider using an alternate method to manage large directory trees"
        )),
        _ => Ok(None),
    }
}

struct Files<'s> {
    modules: &'s Modules,
    environment: &'s Path,
}

/// A source that says `puppet:`, taken apart.
struct Uri<'u> {
    /// With the port, as it is written.
    server: &'u str,
    path: &'u str,
}

impl<'u> Uri<'u> {
    fn from_source(source: &'u str) -> Uri<'u> {
        let rest = source.strip_prefix("puppet:").unwrap_or(source);
        match rest.strip_prefix("//") {
            Some(rest) => {
                let slash = rest.find('/').unwrap_or(rest.len());
                Uri { server: &rest[..slash], path: &rest[slash..] }
            }
            None => Uri { server: "", path: rest },
        }
    }

    /// Returns the module that it names a file of, and the path of the file. `None`: it names something else, or leads
    /// out of the module.
    fn file_of_module(&self) -> Option<(&'u str, &'u str)> {
        let inside = self.path.strip_prefix("/modules/")?.trim_matches('/');
        let (module, rest) = inside.split_once('/').unwrap_or((inside, ""));
        (!module.is_empty() && inside.split('/').all(|part| part != ".."))
            .then_some((module, rest.trim_start_matches('/')))
    }
}

/// How a resource wants its files described.
struct FileMetadataOptions {
    follows: bool,
    checksum: String,
    uses_permissions: bool,
}

impl FileMetadataOptions {
    fn from_resource(resource: &Resource) -> FileMetadataOptions {
        FileMetadataOptions {
            follows: text(resource, "links").as_deref() == Some("follow"),
            checksum: text(resource, "checksum").unwrap_or_else(|| CHECKSUM.to_owned()),
            uses_permissions: text(resource, "source_permissions").is_some_and(|how| how != "ignore"),
        }
    }
}

impl Files<'_> {
    /// Returns the first of the sources that is there. Nothing, if that is outside of the environment.
    fn file(&self, resource: &Resource, sources: &[String]) -> Result<Option<Metadata>, String> {
        let how = FileMetadataOptions::from_resource(resource);
        for source in sources {
            let source = source.trim_end_matches('/');
            let Some(path) = self.find(source)? else { continue };
            let Some(mut found) = self.describe(&path, None, &how)? else { continue };
            let Some(uri) = self.content_uri(source, &path) else { return Ok(None) };
            found.content_uri = uri;
            found.source = Some(source.to_owned());
            return Ok(Some(found));
        }
        let shown = resource.parameter("source").map(to_s).unwrap_or_default();
        Err(format!("Could not get metadata for {shown}"))
    }

    /// Of each source that is there what is in it; of the first alone, unless all are wanted. Nothing, if one of them is
    /// outside of the environment.
    fn folders(
        &self,
        resource: &Resource,
        sources: &[String],
        log: &mut Vec<LogLine>,
    ) -> Result<Option<SourceMetadata>, String> {
        let how = FileMetadataOptions::from_resource(resource);
        let takes_first = text(resource, "sourceselect").is_none_or(|which| which == "first");
        let mut all = Vec::new();
        for source in sources {
            let source = source.trim_end_matches('/');
            let Some(path) = self.find(source)? else { continue };
            let Some(base) = self.content_uri(source, &path) else { return Ok(None) };
            let mut found = Vec::new();
            let below = self.below(&path, resource, how.follows)?;
            log.extend(check_count(&path, below.len() - 1, resource)?.map(|text| warning(&text)));
            for relative in below {
                let Some(mut one) = self.describe(&path, Some(&relative), &how)? else { continue };
                one.content_uri = if relative == "." { base.clone() } else { format!("{base}/{relative}") };
                found.push(one);
            }
            all.push((Str::from(source), found));
            if takes_first {
                break;
            }
        }
        Ok(Some(all).filter(|all| !all.is_empty()))
    }

    /// Returns the file that a source means: of a module, for there are no other mounts here.
    fn find(&self, source: &str) -> Result<Option<PathBuf>, String> {
        let uri = Uri::from_source(source);
        if !uri.server.is_empty() {
            return Err(format!("Could not get metadata for {source}: the server {} is not asked here", uri.server));
        }
        let Some(rest) = uri.path.strip_prefix("/modules/") else { return Ok(None) };
        if rest.split('/').any(|part| part == "..") {
            return Err(format!("Cannot find file: Invalid relative path '{rest}'"));
        }
        let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
        Ok(self.modules.file_in("files", &parts.join("/")))
    }

    /// In the words of an agent that asks for the content; nothing for what is not two folders below the environment.
    fn content_uri(&self, source: &str, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(self.environment).ok()?;
        let mut parts = inside.components().skip(2);
        (parts.next()?.as_os_str() == "files" && parts.next().is_some())
            .then(|| format!("puppet://{}/{}", Uri::from_source(source).server, inside.display()))
    }

    /// The folder itself and what is in it, level by level, each level by name.
    fn below(&self, path: &Path, resource: &Resource, follows: bool) -> Result<Vec<String>, String> {
        let limit = text(resource, "recurselimit").and_then(|limit| limit.parse::<usize>().ok());
        let ignored: Vec<String> = match resource.parameter("ignore") {
            Some(Value::Array(patterns)) => patterns.iter().map(|pattern| to_s(pattern).to_string()).collect(),
            Some(pattern) => vec![to_s(pattern).to_string()],
            None => Vec::new(),
        };
        let mut found = vec![".".to_owned()];
        let mut level = vec![String::new()];
        let mut depth = 1;
        while !level.is_empty() && limit.is_none_or(|limit| depth <= limit) {
            let mut next = Vec::new();
            for folder in &level {
                // What is no folder has no name with a slash at its end.
                let here = if folder.is_empty() { path.to_owned() } else { path.join(folder) };
                let facts = self.facts(&here, follows)?;
                if facts.is_none_or(|facts| facts.kind != "directory") {
                    continue;
                }
                let entries = self.modules.disk.list(&here).map_err(|error| error.to_string())?;
                for entry in entries.into_iter().flatten() {
                    let name = entry.name.to_string_lossy().into_owned();
                    if !ignored.iter().any(|pattern| fnmatch(pattern, &name)) {
                        next.push(if folder.is_empty() { name } else { format!("{folder}/{name}") });
                    }
                }
            }
            found.extend(next.iter().cloned());
            level = next;
            depth += 1;
        }
        Ok(found)
    }

    fn facts(&self, path: &Path, follows: bool) -> Result<Option<FileFacts>, String> {
        self.modules.disk.facts(path, follows).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn describe(
        &self,
        base: &Path,
        relative: Option<&str>,
        how: &FileMetadataOptions,
    ) -> Result<Option<Metadata>, String> {
        let path = match relative {
            None | Some(".") => base.to_owned(),
            Some(relative) => base.join(relative),
        };
        let Some(facts) = self.facts(&path, how.follows)? else { return Ok(None) };
        let (owner, group) = if how.uses_permissions { (facts.owner, facts.group) } else { own_ids() };
        Ok(Some(Metadata {
            path: base.display().to_string(),
            relative_path: relative.map(str::to_owned),
            links: if how.follows { "follow" } else { "manage" },
            owner,
            group,
            mode: if how.uses_permissions { facts.mode } else { 0o644 },
            checksum: self.checksum(&path, &facts, &how.checksum)?,
            kind: facts.kind,
            destination: facts.target,
            content_uri: String::new(),
            source: None,
        }))
    }

    /// Of a folder, the time.
    fn checksum(&self, path: &Path, facts: &FileFacts, wanted: &str) -> Result<Checksum, String> {
        let kind = match facts.kind {
            "directory" => "ctime",
            "file" | "link" => wanted,
            other => return Err(format!("Cannot manage files of type {other}")),
        };
        let time = |seconds| {
            let time = Timestamp::from_seconds(seconds);
            time.format("%Y-%m-%d %H:%M:%S +0000", TimeZone::default()).unwrap_or_default()
        };
        let value = match kind {
            "ctime" => Some(time(facts.changed)),
            "mtime" => Some(time(facts.modified)),
            "none" => Some(String::new()),
            kind => match self.modules.disk.read(path) {
                Ok(Some(content)) => {
                    Some(checksum(kind, &content).ok_or_else(|| format!("Unsupported checksum type {kind}"))?)
                }
                // A link may lead nowhere.
                _ if facts.kind == "link" => None,
                Ok(None) => None,
                Err(error) => return Err(format!("{}: {error}", path.display())),
            },
        };
        Ok(Checksum { kind: kind.to_owned(), value: value.map(|value| format!("{{{kind}}}{value}")) })
    }
}
