//! The keys of the configuration: their names, their values, and who may set them.

/// One thing that a person would otherwise type each time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    Environment,
    Facts,
    Os,
    Exported,
    Answers,
    Puppet,
    Strict,
    Modulepath,
    Basemodulepath,
    EyamlMissingKey,
    Ignore,
    DiffIgnore,
    Cache,
    Ruby,
    RubyReads,
    Fence,
    FenceAdd,
    CheckResources,
    Install,
    Enc,
    EncAnswers,
}

/// The form of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueForm {
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    Texts,
    Path,
    /// A path, or the word `fleet`.
    PathOrFleet,
    Paths,
    /// A program: a path, or a name that the system finds.
    Program,
}

/// Who may set a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyScope {
    /// Also a file in the repository.
    Repository,
    /// Only the person who runs Pantin: it could run a program, move secrets, or hide a failure, and a pull request can edit a file of
    /// the repository.
    Person,
}

/// What is known of a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyDescription {
    pub key: Key,
    /// In `pantin.toml`.
    pub name: &'static str,
    /// The environment variable.
    pub variable: &'static str,
    pub form: ValueForm,
    pub scope: KeyScope,
    /// The option of the command line that it stands for.
    pub option: &'static str,
    pub about: &'static str,
}

const fn key(
    key: Key,
    [name, variable, option]: [&'static str; 3],
    form: ValueForm,
    scope: KeyScope,
    about: &'static str,
) -> KeyDescription {
    KeyDescription { key, name, variable, form, scope, option, about }
}

use KeyScope::{Person, Repository};
use ValueForm::{Path, PathOrFleet, Paths, Program, Text, Texts, Word};

/// All keys, in the order in which they are shown.
#[rustfmt::skip]
pub const KEYS: [KeyDescription; 21] = [
    key(Key::Environment, ["environment", "PANTIN_ENVIRONMENT", "--environment"], Text, Repository,
        "name of the environment"),
    key(Key::Facts, ["facts", "PANTIN_FACTS", "--facts"], Paths, Repository,
        "files and folders of facts"),
    key(Key::Os, ["os", "PANTIN_OS", "--os"], Texts, Repository,
        "operating systems that facts are made up for, where there are no others"),
    key(Key::Exported, ["exported", "PANTIN_EXPORTED", "--exported"], PathOrFleet, Repository,
        "where collected exported resources come from"),
    key(Key::Answers, ["answers", "PANTIN_ANSWERS", "--answers"], Path, Repository,
        "file of recorded answers"),
    key(Key::Puppet, ["puppet", "PANTIN_PUPPET", "--puppet"], Word(&["7", "8", "openvox", "openvox8"]), Repository,
        "version of Puppet whose behaviour counts"),
    key(Key::Strict, ["strict", "PANTIN_STRICT", "--strict"], Word(&["off", "warning", "error"]), Repository,
        "what is done about questionable code"),
    key(Key::Modulepath, ["modulepath", "PANTIN_MODULEPATH", "--modulepath"], Paths, Repository,
        "folders of modules, in place of the environment's"),
    key(Key::Basemodulepath, ["basemodulepath", "PANTIN_BASEMODULEPATH", "--set basemodulepath"], Paths, Repository,
        "folders of modules beside the environment's"),
    key(Key::EyamlMissingKey, ["eyaml_missing_key", "PANTIN_EYAML_MISSING_KEY", "--eyaml-missing-key"],
        Word(&["error", "placeholder"]), Repository,
        "what stands for encrypted values whose key is missing"),
    key(Key::Ignore, ["ignore", "PANTIN_IGNORE", "--ignore"], Texts, Repository,
        "files that pantin validate leaves out, as patterns of .gitignore"),
    key(Key::DiffIgnore, ["diff_ignore", "PANTIN_DIFF_IGNORE", "--ignore-resource"], Texts, Repository,
        "differences that pantin diff leaves out"),
    key(Key::Cache, ["cache", "PANTIN_CACHE", "--cache-dir"], Path, Person,
        "folder of the cache"),
    key(Key::Ruby, ["ruby", "PANTIN_RUBY", "--ruby"], Program, Person,
        "Ruby for functions that need more than is built in"),
    key(Key::RubyReads, ["ruby_reads", "PANTIN_RUBY_READS", "--ruby-reads"], Paths, Person,
        "what Ruby code of modules may read beside the repository"),
    key(Key::Fence, ["fence", "PANTIN_FENCE", "--fence"], Word(&["on", "off"]), Person,
        "whether code reads the repository and what you name, and nothing else"),
    key(Key::FenceAdd, ["fence_add", "PANTIN_FENCE_ADD", "--fence-add"], Paths, Person,
        "what code may read beside that"),
    key(Key::CheckResources, ["check_resources", "PANTIN_CHECK_RESOURCES", "--no-check-resources"], Word(&["on", "off"]), Person,
        "whether a resource that the agent would refuse counts as a failure"),
    key(Key::Install, ["install", "PANTIN_INSTALL", "--install"], Word(&["on", "off"]), Person,
        "whether pantin diff installs the modules of each side"),
    key(Key::Enc, ["enc", "PANTIN_ENC", "--enc"], Program, Person,
        "command that classifies nodes"),
    key(Key::EncAnswers, ["enc_answers", "PANTIN_ENC_ANSWERS", "--enc-answers"], Path, Person,
        "folder where answers of that command are kept"),
];

/// Returns the key of a name.
pub(super) fn find_key(name: &str) -> Option<&'static KeyDescription> {
    KEYS.iter().find(|known| known.name == name)
}
