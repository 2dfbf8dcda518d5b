//! Options, filled in by the configuration where they say nothing.

use std::path::PathBuf;

use pantin_base::{Language, Strict};
use pantin_world::{Disk, absolute_path, expand_path};

use super::{Configuration, Key, Origin};
use crate::options::{
    CatalogOptions, EnvironmentFolder, ExportedSource, FactSource, MissingKey, NodeOptions, OpenError, Options,
    WorldOptions,
};

impl Options {
    /// These options with what the configuration says of the others; the same, if it is not wanted.
    pub fn configured(&self, disk: &dyn Disk) -> Result<Options, OpenError> {
        Ok(self.filled_by(self.configuration(disk)?.as_ref()))
    }

    /// These options with what this configuration says of the others.
    pub(crate) fn filled_by(&self, configuration: Option<&Configuration>) -> Options {
        let mut options = Options { reads_configuration: false, ..self.clone() };
        options.world.fence.fill(self, configuration);
        if let Some(configuration) = configuration {
            configuration.fill(&mut options);
        }
        options
    }

    /// Returns the configuration that these options are filled in with. `None`: none is wanted.
    pub fn configuration(&self, disk: &dyn Disk) -> Result<Option<Configuration>, OpenError> {
        if !self.reads_configuration {
            return Ok(None);
        }
        let folder = match &self.world.folder {
            EnvironmentFolder::At(folder) | EnvironmentFolder::OrModules(folder) => absolute_path(folder),
            EnvironmentFolder::Discovered => absolute_path(".".as_ref()),
        };
        Configuration::read(disk, &folder).map(Some)
    }
}

impl Configuration {
    fn path(&self, key: Key) -> Option<PathBuf> {
        self.text(key).map(|text| PathBuf::from(expand_path(text)))
    }

    fn joined(&self, key: Key) -> Option<String> {
        let folders = self.texts(key);
        (!folders.is_empty()).then(|| folders.iter().map(|folder| expand_path(folder)).collect::<Vec<_>>().join(":"))
    }

    fn fill(&self, options: &mut Options) {
        self.fill_world(&mut options.world);
        self.fill_nodes(&mut options.nodes);
        self.fill_catalogs(&mut options.catalogs);
        let ruby = &mut options.ruby;
        ruby.program = ruby.program.take().or_else(|| self.text(Key::Ruby).map(str::to_owned));
        ruby.reads.extend(self.texts(Key::RubyReads).iter().map(|path| PathBuf::from(expand_path(path))));
    }

    fn fill_world(&self, world: &mut WorldOptions) {
        if let (None, Some(value)) = (&world.environment, self.get(Key::Environment)) {
            world.environment = value.texts.first().cloned();
            world.environment_origin = Some(value.origin.clone());
        }
        world.modulepath = world.modulepath.take().or_else(|| self.joined(Key::Modulepath));
        world.language = world.language.or_else(|| Language::from_name(self.text(Key::Puppet)?));
        world.strict = world.strict.or_else(|| match self.text(Key::Strict)? {
            "off" => Some(Strict::Off),
            "warning" => Some(Strict::Warning),
            _ => Some(Strict::Error),
        });
        if let Some(folders) = self.joined(Key::Basemodulepath) {
            // What is typed comes later, and counts.
            world.settings.insert(0, ("basemodulepath".to_owned(), folders));
        }
    }

    fn fill_nodes(&self, nodes: &mut NodeOptions) {
        if nodes.facts.is_empty() && nodes.node_file.is_none() {
            nodes.facts = self.texts(Key::Facts).iter().map(|path| FactSource::At(expand_path(path).into())).collect();
            if nodes.facts.is_empty() {
                nodes.facts = self.texts(Key::Os).iter().cloned().map(FactSource::OperatingSystem).collect();
            }
        }
        if nodes.enc.command.is_none() && nodes.node_file.is_none() {
            nodes.enc.command = self.text(Key::Enc).map(str::to_owned);
        }
        nodes.enc.answers = nodes.enc.answers.take().or_else(|| self.path(Key::EncAnswers));
    }

    fn fill_catalogs(&self, catalogs: &mut CatalogOptions) {
        catalogs.answers.file = catalogs.answers.file.take().or_else(|| self.path(Key::Answers));
        catalogs.missing_key = catalogs.missing_key.or_else(|| match self.text(Key::EyamlMissingKey)? {
            "placeholder" => Some(MissingKey::Placeholder),
            _ => Some(MissingKey::Error),
        });
        catalogs.checks_resources = catalogs.checks_resources.or_else(|| Some(self.text(Key::CheckResources)? == "on"));
        if catalogs.exported == ExportedSource::None {
            catalogs.exported = match self.text(Key::Exported) {
                None => ExportedSource::None,
                Some("fleet") => ExportedSource::Fleet,
                Some(path) => ExportedSource::File(expand_path(path).into()),
            };
        }
    }

    /// Returns the folder of the cache that a file says: it counts after the variable, and before `puppet.conf`.
    pub fn cache_folder(&self) -> Option<PathBuf> {
        let is_of_file = self.get(Key::Cache).is_some_and(|value| matches!(value.origin, Origin::File { .. }));
        self.path(Key::Cache).filter(|_| is_of_file)
    }
}
