//! What a request says about its data, beside the files.

use std::path::PathBuf;

use pantin_base::{Language, Strict};
use pantin_values::Str;

use super::lookups::MissingKey;

#[derive(Clone, Debug)]
pub struct Settings {
    pub language: Language,
    pub strict: Strict,
    pub strict_variables: bool,
    /// `hiera_config`: the configuration of the global layer, which need not exist.
    pub hiera_config: PathBuf,
    /// `codedir`, where hiera.yaml 3 looks for data.
    pub codedir: PathBuf,
    pub environment: Str,
    /// The folder of the environment, if it has one.
    pub environment_path: Option<PathBuf>,
    /// `environment_data_provider` of environment.conf.
    pub environment_data_provider: Option<Str>,
    /// `data_binding_terminus`: `hiera`, or `none` to leave out the global layer.
    pub data_binding_terminus: Str,
    pub missing_key: MissingKey,
}
