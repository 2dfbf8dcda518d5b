//! The catalogue of what can be wrong with bindings: a code, what is said at the underlined word, the likely fix.
//! It must not know how a message is put together.

use pantin_base::{Diagnostic, Place, Severity, Span};

/// One thing that can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    pub code: &'static str,
    pub label: &'static str,
    pub help: &'static str,
    pub severity: Severity,
}

impl Rule {
    /// Returns the diagnostic of a word that breaks the rule.
    pub fn at(&self, message: impl Into<String>, span: Span) -> Diagnostic {
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Diagnostic {
            severity: self.severity,
            code: self.code,
            message: message.into(),
            place: Place::WholeFile,
            span: Some(span),
            label: text(self.label),
            help: text(self.help),
            related: Vec::new(),
        }
    }

    /// Like `at`, with another help where there is one.
    pub fn with_help(&self, message: impl Into<String>, span: Span, help: Option<String>) -> Diagnostic {
        let mut diagnostic = self.at(message, span);
        diagnostic.help = help.or(diagnostic.help);
        diagnostic
    }

    /// Returns the code as the catalogue writes it, without `BINDINGS_`.
    pub fn short_code(&self) -> &'static str {
        self.code.strip_prefix("BINDINGS_").unwrap_or(self.code)
    }
}

macro_rules! rules {
    ($( $name:ident = $severity:ident, $label:literal, $help:literal; )*) => {
        $( pub const $name: Rule = Rule {
            code: concat!("BINDINGS_", stringify!($name)),
            label: $label,
            help: $help,
            severity: Severity::$severity,
        }; )*

        /// All rules, in the order of the catalogue.
        pub const RULES: &[Rule] = &[$($name),*];
    };
}

rules! {
    WRONG_FILE = Error, "no layer finds it under this name", "rename the definition, or move the file";
    NOT_ALONE = Error, "does not belong here", "move it to the manifests, or to a file of its own";
    NOT_HERE = Error, "defined here", "move it to bindings/NAME.pp of the module or environment";
    CONDITION = Error, "a value is expected here",
        "when node 'kermit.example.com' { … }: a name with dots needs quotes";
    VALUE_NOT_LITERAL = Error, "is worked out for each node", "let the category say it: site { categories { c => … } }";
    OPERATION = Error, "unknown", "a name of a binding is put in quotes";
    NO_PRODUCER = Error, "'to' is missing behind this", "to VALUE; or bind abstract";
    NO_KEY = Error, "'in' is missing", "bind to VALUE in 'id'; or give it a name";
    ABSTRACT_PRODUCER = Error, "is not used", "remove it, or 'abstract'";
    ABSTRACT_KIND = Error, "abstract", "a class declares its parameters itself: one without a default must be given";
    ABSTRACT_NAMES = Error, "is no name", "bind abstract variables to ['a', 'b']";
    FRAGMENT_FLAG = Error, "contributes to a multibind", "the multibind itself can be abstract or override";
    FLAG_KIND = Error, "has no meaning here", "remove it";
    NAME_NOT_LITERAL = Error, "interpolates", "keys are known before any node is";
    RESERVED_NAME = Error, "begins with /", "parameters, variables and classes have operations of their own";
    VARIABLES_HASH = Error, "no hash", "bind variables to { name => VALUE }";
    VARIABLE_NAME = Error, "no such name, or the server's own", "a lower-case letter or _, then letters, digits, _";
    MAP_NAMES = Error, "no name", "{ of_the_target => of_the_source }, or [same, in_both]";
    ARROW = Error, "points to the left", "exchange the sides, and write -> or ~>";
    REFERENCE = Error, "no title, or several", "File['/x']";
    COPY_PRODUCER = Error, "is not used", "to bind a value: bind \"n\" to VALUE";
    COPY_KINDS = Error, "of the other kind", "bind alias variable \"a\" as variable \"b\"";
    MULTIBIND_TYPE = Error, "collects nothing", "Array[T] or Hash[T]";
    MULTIBIND_ID = Error, "'as' is missing behind this", "multibind T as 'module::id'";
    MULTIBIND_PRODUCER = Error, "is not used", "a combinator says how; for one value use 'bind'";
    CLASS_NAME = Error, "not a name", "include a::b";
    OPTION = Error, "unknown here",
        "of a producer: producer_args, singleton; of a multibind: combinator; of parameters: map, select_result, and the first two";
    OPTION_TWICE = Error, "again here", "remove one of them";
    OPTION_VALUE = Error, "is no such value",
        "combinator and select_result take a lambda or the name of a function, producer_args a hash, singleton a Boolean";
    BARE_WORD = Error, "no value", "put it in quotes; or did you mean 'optional', 'producer' or 'class'?";
    OPERATOR = Error, "operator", "to (1 + 2)";
    CLASS_VARIABLE = Error, "is there only once the class is evaluated",
        "facts are in $facts; another key is inject('k')";
    STATEMENT = Error, "declares something",
        "a producer gives a value; classes: include; resources belong in classes";
    QUERY = Error, "unknown", "==, !=, <, >, <=, >=, =~, !~";
    SITE_NOT_TOP = Error, "inside of this", "it needs no condition: a category that does not apply is undef";
    SITE_NOT_HERE = Error, "in a module", "layers and categories are the site's affair";
    SITE_ITEM = Error, "not here", "move it there";
    SITE_WORD = Error, "unknown",
        "it has Environment, environment, dynamic_environments, or categories and bindings";
    SITE_TWICE = Error, "again", "one statement for the environment";
    LAYER_ATTRIBUTE = Error, "unknown", "include, exclude";
    LAYER_TWICE = Error, "again", "titles are what people read in explanations";
    ENV_ATTRIBUTE = Error, "unknown", "envdir, modulepath, manifestdir, manifest, bindingsdir";
    ENV_PATH = Error, "relative, or no text", "\"$confdir/…\"";
    ENV_TWICE = Error, "again", "put both into one";
    ENV_NAME = Error, "not usable", "not empty, not . or .., without /";
    ENV_DYNAMIC = Error, "is the folder of the environment's name", "remove it";
    ENV_UNKNOWN = Error, "chosen here, or by the ENC", "name one that environments.pp defines";
    ENV_VALUE = Error, "assigned here", "a name in quotes";
    NOT_IN_ENVIRONMENTS = Error, "no environment is chosen yet", "facts, $trusted and the ENC's variables are there";
    CATEGORY_COMMON = Error, "always there, and the lowest", "remove it";
    CATEGORY_ENVIRONMENT = Error, "is always $environment", "environment => true";
    CATEGORY_ORDER = Error, "below environment", "move it up";
    CATEGORY_TWICE = Error, "again", "remove one of them";
    CATEGORY_VALUE = Error, "is no such value", "undef or '' where it does not apply";
    INJECT_NOT_HERE = Error, "asked here", "the injector is made of what this says";
    SCHEME = Error, "nobody's", "confdir, env, module, enc, hiera, and what is contributed to 'bindings_providers'";
    URI = Error, "not a name", "module:/NAME::default; * is one segment, ** any number";
    NOT_FOUND = Error, "no such file", "create it, or write ?optional behind the name";
    CONFLICT = Error, "one of them", "bind it in a higher layer, or give one a condition that weighs more";
    ABSTRACT = Error, "wants a value from outside", "bind override \"n\" to VALUE in a higher layer";
    ABSTRACT_TYPE = Error, "is of another type", "";
    OVERRIDE = Error, "overrides nothing", "remove 'override', or mend the name";
    TYPE = Error, "is of another type", "";
    NOT_BOUND = Error, "nothing to take", "bind it, here or in a lower layer";
    RENAMED_TWICE = Error, "again", "one rename, and an alias of the new name";
    LOOP = Error, "leads back to itself", "";
    MULTIBIND_SAME_ID = Error, "the same id", "ids begin with the module's name";
    DUPLICATE_NAME = Error, "the other", "contribute from a higher layer; or let a combinator decide";
    NO_NAME = Error, "no name", "bind \"name\" to VALUE in 'id'";
    REPLACEMENT = Error, "is put in the other's place", "exclude the one and include the other, where it need not be the same";
    REPLACE_INSTANCE = Error, "one resource", "bind the type; or its parameters";
    MAP_REQUIRED = Error, "nothing in common", "bind map L to R { of_l => of_r }";
    SOURCE_TWICE = Error, "again", "one in a higher layer";
    NO_SOURCE = Error, "not there by now", "declare it before; or bind it to optional";
    NO_PARAMETER = Error, "bound here", "";
    VARIABLE_SET = Error, "bound here", "bind override variables hides the other";
    QUERY_RESULT = Error, "asks for one", "select_result chooses; optional takes none for nothing";
    UNBOUND = Error, "asked here", "inject(…) |$v| { … } where it may be absent";
    NO_VALUE = Error, "gave undef", "to optional …";
    ARGUMENTS = Error, "a constant", "";
    NO_FUNCTION = Error, "neither a function nor a producer", "bind \"n\" to 'module::function' in 'producers'";
    PROVIDER = Error, "asked here", "an array of hashes with kind, name, value, …";
    CLASSES_CONFLICT = Error, "the other", "say it in a higher layer";
    LIMIT = Error, "here", "";
    NEVER = Warning, "the second value", "'or', or a list";
    LOADED_TWICE = Warning, "again", "exclude it from one";
    TEMPLATEDIR = Warning, "not used", "remove it";
    NO_MULTIBIND = Warning, "contributes to nothing", "";
    NO_CATEGORY = Warning, "never holds here", "";
    LOOKS_LIKE_PARAMETER = Warning, "a name like any other", "bind parameters c to { p => … }";
    SOMETIMES_ABSTRACT = Warning, "wants a value", "a common binding, or one for these nodes";
}
