//! The options of all commands that evaluate, and the requests they make.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use pantin_base::{Source, Strict, limits};
use pantin_compile::Request;
use pantin_eval::Settings;
use pantin_repository::options::OpenError;
use pantin_ruby::OwnRuby;
use pantin_syntax::SourceKind;
use pantin_values::Hash;
use pantin_world::facts::name_in;
use pantin_world::load::Modules;
use pantin_world::{MachineDisk, Remark, absolute_path, now, read_hash};

use super::given_paths::check_folder;
use super::language::LanguageArguments;
use super::own_ruby::OwnRubyArguments;

#[derive(Debug, Args)]
pub(crate) struct EvaluationArguments {
    /// Facts of the node: a JSON file, or a YAML file that is called so
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,

    /// Change a setting: strict, strict_variables, certname, environment, or a limit: max_depth, max_calls,
    /// max_text_bytes, max_elements, max_regex_steps, max_resources, max_ruby_seconds
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    settings: Vec<Setting>,

    /// Folders of modules, divided by colons
    #[arg(long, value_name = "DIR[:DIR]…", value_delimiter = ':')]
    modulepath: Vec<PathBuf>,

    #[command(flatten)]
    own_ruby: OwnRubyArguments,

    #[command(flatten)]
    language: LanguageArguments,
}

#[derive(Clone, Debug)]
enum Setting {
    Strict(Strict),
    StrictVariables(bool),
    Limit(String, NonZeroU64),
    Certname(String),
    Environment(String),
}

fn setting(text: &str) -> Result<Setting, String> {
    let (name, value) = text.split_once('=').ok_or("it has the form NAME=VALUE")?;
    let wanted = |what: &str| format!("{name} is to be {what}");
    Ok(match name {
        "strict" => Setting::Strict(match value {
            "off" => Strict::Off,
            "warning" => Strict::Warning,
            "error" => Strict::Error,
            _ => return Err(wanted("off, warning or error")),
        }),
        "strict_variables" => Setting::StrictVariables(value.parse().map_err(|_| wanted("true or false"))?),
        _ if pantin_world::settings::Settings::is_limit(name) => {
            Setting::Limit(name.to_owned(), value.parse().map_err(|_| wanted("a number from 1"))?)
        }
        "certname" | "environment" if value.is_empty() => return Err(wanted("a name")),
        "certname" => Setting::Certname(value.to_lowercase()),
        "environment" => Setting::Environment(value.to_owned()),
        _ => {
            return Err(format!(
                "there is no setting '{name}'; there are strict, strict_variables, certname, environment and {}",
                pantin_world::settings::Settings::limit_names().collect::<Vec<_>>().join(", ")
            ));
        }
    })
}

/// For whom and by which rules sources are evaluated.
pub(crate) struct EvaluationContext {
    settings: Settings,
    tasks: bool,
    facts: Hash,
    node: String,
    environment: String,
    modules: Modules,
    own_ruby: Option<Arc<dyn OwnRuby>>,
    ruby_reads: Vec<PathBuf>,
    /// What is to be said of the modules.
    pub(crate) remarks: Vec<Remark>,
}

impl EvaluationArguments {
    /// `Err`: the facts cannot be had, or what was typed is not there.
    pub(crate) fn ground(&self) -> Result<EvaluationContext, OpenError> {
        self.modulepath.iter().try_for_each(|folder| check_folder("--modulepath", folder))?;
        self.own_ruby.check()?;
        let syntax = self.language.settings();
        let disk = Arc::new(MachineDisk::default());
        let facts = self.facts.as_deref().map(|file| read_hash(&*disk, file)).transpose()?.unwrap_or_default();
        let modulepath: Vec<PathBuf> = self.modulepath.iter().map(|path| absolute_path(path)).collect();
        let (modules, remarks) = Modules::list(disk, &modulepath, None, syntax.strict, syntax.language)?;
        let mut ground = EvaluationContext {
            settings: Settings { strict: syntax.strict, ..Settings::from_language(syntax.language) },
            tasks: syntax.tasks,
            node: name_in(&facts).map_or_else(|| "localhost".to_owned(), String::from),
            facts,
            environment: "production".to_owned(),
            modules,
            own_ruby: self.own_ruby.with_seconds(self.ruby_seconds()),
            ruby_reads: self.own_ruby.reads(),
            remarks,
        };
        for setting in &self.settings {
            ground.change(setting);
        }
        Ok(ground)
    }

    fn ruby_seconds(&self) -> u64 {
        let given = self.settings.iter().rev().find_map(|setting| match setting {
            Setting::Limit(name, to) if name == limits::MAX_RUBY_SECONDS => Some(to.get()),
            _ => None,
        });
        given.unwrap_or(limits::OWN_RUBY_SECONDS)
    }
}

impl EvaluationContext {
    fn change(&mut self, setting: &Setting) {
        match setting {
            Setting::Strict(strict) => self.settings.strict = *strict,
            Setting::StrictVariables(on) => self.settings.strict_variables = *on,
            Setting::Limit(name, to) => drop(self.settings.limits.set(name, to.get())),
            Setting::Certname(name) => self.node.clone_from(name),
            Setting::Environment(name) => self.environment.clone_from(name),
        }
    }

    pub(crate) fn request(&self, source: Arc<Source>, kind: SourceKind, params: Hash) -> Request {
        Request {
            source,
            kind,
            settings: self.settings,
            tasks: self.tasks,
            facts: self.facts.clone(),
            trusted_extensions: Hash::default(),
            node: self.node.clone(),
            environment: self.environment.clone(),
            server_version: self.settings.language.release().to_owned(),
            modules: self.modules.clone(),
            now: now(),
            params,
            own_ruby: self.own_ruby.clone(),
            ruby_reads: self.ruby_reads.clone(),
        }
    }

    pub(crate) fn syntax(&self) -> pantin_syntax::Settings {
        pantin_syntax::Settings { language: self.settings.language, strict: self.settings.strict, tasks: self.tasks }
    }

    /// Names of the facts.
    pub(crate) fn fact_names(&self) -> impl Iterator<Item = &str> {
        self.facts.iter().filter_map(|(name, _)| name.as_str())
    }
}

/// A source out of what was read, or the sentence that says why it is none.
pub(crate) fn source(name: Option<&Path>, bytes: Vec<u8>) -> Result<Arc<Source>, String> {
    let name = name.map(|name| absolute_path(name).to_string_lossy().into_owned());
    Source::from_bytes(name.as_deref(), bytes)
        .map(Arc::new)
        .map_err(|error| pantin_syntax::unreadable_source(error).one_line(name.as_deref()))
}
