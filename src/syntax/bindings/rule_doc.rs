//! What each rule of bindings means: one entry for each code, for `pantin doc` and the book.
//! It must not know how a message is put together.

/// What a rule means, and what breaks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleDoc {
    /// The code without `BINDINGS_`.
    pub code: &'static str,
    pub text: &'static str,
    /// Code that breaks the rule.
    pub example: &'static str,
}

const fn doc(code: &'static str, text: &'static str, example: &'static str) -> RuleDoc {
    RuleDoc { code, text, example }
}

/// All of them, in the order of the catalogue.
#[rustfmt::skip]
pub const RULE_DOCS: &[RuleDoc] = &[
    doc("WRONG_FILE", "A file of bindings defines one definition, whose name follows from its path: bindings/a/b.pp defines a::b, and in a module M it defines M::a::b. Under another name no layer finds it.", "bindings/windows.pp: bindings linux { }"),
    doc("NOT_ALONE", "A file of bindings holds one definition and comments, and nothing else. Classes and functions belong into the manifests.", "bindings default { }  class web { }"),
    doc("NOT_HERE", "A definition of bindings stands in a manifest. Bindings have files of their own below a folder bindings; in a program of `pantin eval` they may stand beside other code.", "manifests/init.pp: bindings x { }"),
    doc("CONDITION", "`when` takes a category and its value, or several of them with `and` and `or`. A value with dots, like the name of a node, needs quotes.", "when node kermit.example.com { include ntp }"),
    doc("VALUE_NOT_LITERAL", "The values in a condition are known when the file is read, so that all states of an environment can be checked without a node. What has to be worked out is the affair of the category.", "when rack \"r${n}\" { include ntp }"),
    doc("OPERATION", "Behind `bind` stands parameters, variables, map, dependency, alias, renamed, or the key: a type, or a name in quotes.", "bind abstract varibles to ['x']"),
    doc("NO_PRODUCER", "A binding says what it binds, behind `to`. Only an abstract one leaves that to others.", "bind \"ntp::tier\""),
    doc("NO_KEY", "A value without a key can only be a contribution: `in` names the multibind that it contributes to.", "bind to 1"),
    doc("ABSTRACT_PRODUCER", "An abstract binding says that somebody else has to bind the key. It has no value of its own.", "bind abstract \"n\" to 1"),
    doc("ABSTRACT_KIND", "Parameters and maps cannot be abstract. A class declares its parameters itself: one without a default has to be given.", "bind abstract parameters ntp to { enable => true }"),
    doc("ABSTRACT_NAMES", "Abstract variables are named by texts that are written out: one, or an array of them.", "bind abstract variables to $names"),
    doc("FRAGMENT_FLAG", "A contribution cannot be abstract, and it can be an override only if it has a name: the name says which contribution below it is replaced.", "bind abstract 'x' to 1 in 'l'"),
    doc("FLAG_KIND", "Dependencies have no key, so that there is nothing to override and nothing to demand: all that match hold.", "bind override dependency File['/a'] -> File['/b']"),
    doc("NAME_NOT_LITERAL", "The name of a key is written out, because all keys of an environment are known before any node is.", "bind \"n${x}\" to 1"),
    doc("RESERVED_NAME", "Names that begin with / are the injector's own, and a name is not empty. Parameters, variables and classes have operations of their own.", "bind \"/classes\" to ['a']"),
    doc("VARIABLES_HASH", "`bind variables` takes a hash that is written out, from the name of each variable to its value.", "bind variables to ['a']"),
    doc("VARIABLE_NAME", "The name of a variable at the top begins with a lower-case letter or _, and is none that the server sets itself, like facts or trusted.", "bind variables to { trusted => 1 }"),
    doc("MAP_NAMES", "A map says which parameter of the target is which parameter of the source: a hash of names, or an array of names that are the same in both.", "bind map Web to Sql { dbuser => 5 }"),
    doc("ARROW", "A dependency is written from left to right, with -> or ~>.", "bind dependency File['/a'] <- File['/b']"),
    doc("REFERENCE", "Where one resource is meant, its type has one title.", "bind dependency File -> File['/b']"),
    doc("COPY_PRODUCER", "alias, renamed and rebind take the value of another binding, and have none of their own.", "rebind \"life\" to 1"),
    doc("COPY_KINDS", "A variable is copied to a variable, and a value to a value.", "bind alias variable \"a\" as \"b\""),
    doc("MULTIBIND_TYPE", "A multibind collects contributions into an array or a hash, and says so by its type.", "multibind String, 'x'"),
    doc("MULTIBIND_ID", "Contributions name the id of a multibind. Without a name and without `as` it has none.", "multibind Array[Data]"),
    doc("MULTIBIND_PRODUCER", "The value of a multibind is made of its contributions. For one value there is `bind`; how contributions are combined is the option combinator.", "multibind Array[Data], 'l' to ['a']"),
    doc("CLASS_NAME", "include and exclude take names of classes in lower case, one or an array.", "include Foo"),
    doc("OPTION", "A producer has the options producer_args and singleton, a multibind combinator, parameters map and select_result beside the first two.", "multibind Array[Data], 'l' { foo => 1 }"),
    doc("OPTION_TWICE", "An option of an operation is given once.", "bind \"u\" to producer 'f' { singleton => true, singleton => false }"),
    doc("OPTION_VALUE", "combinator and select_result take a lambda or the name of a function, producer_args a hash, singleton a Boolean.", "bind \"u\" to producer 'f' { singleton => 'no' }"),
    doc("BARE_WORD", "A value is a literal, a variable, a call, or an operation in parentheses. A word without quotes is none of them.", "bind \"n\" to hello"),
    doc("OPERATOR", "The end of a binding must be seen, and `in` is an operator of the language too. So an operation stands in parentheses.", "bind \"n\" to 1 + 2"),
    doc("CLASS_VARIABLE", "A binding sees facts, trusted data and bound variables. Variables of classes are there only once their class is evaluated, which a binding cannot wait for.", "bind \"n\" to $ntp::servers"),
    doc("STATEMENT", "A producer gives a value, and declares nothing. Classes are included by include of the bindings, resources belong into classes.", "bind \"n\" to if true { include ntp }"),
    doc("QUERY", "A query compares parameters with ==, !=, <, >, <=, >=, =~ and !~, joined by and, or and !.", "bind \"n\" to Sql[?? port + 1]"),
    doc("SITE_NOT_TOP", "The site statement is evaluated before all other code, and so stands at the top level of a manifest. A category that does not apply is undef.", "if true { site { } }"),
    doc("SITE_NOT_HERE", "Layers and categories are said by the environment's own manifests, or by bindings/site.pp. A module cannot know them.", "modules/a/manifests/init.pp: site { }"),
    doc("SITE_ITEM", "environments.pp says which environments there are; the manifests of an environment say categories and layers. Each has its own items.", "manifests/site.pp: site { environment { 'x': } }"),
    doc("SITE_WORD", "A site statement has Environment, environment and dynamic_environments, or categories and bindings.", "site { category { } }"),
    doc("SITE_TWICE", "Categories, and layers, are said once for an environment, over all its manifests and bindings/site.pp.", "site { categories { } } site { categories { } }"),
    doc("LAYER_ATTRIBUTE", "A layer has the attributes include and exclude.", "layer { 'a': inclde => 'env:/x' }"),
    doc("LAYER_TWICE", "Titles of layers are what explanations and errors name, so that each has its own.", "bindings => [ layer { 'a': }, layer { 'a': } ]"),
    doc("ENV_ATTRIBUTE", "An environment has the attributes envdir, modulepath, manifestdir, manifest, bindingsdir, templatedir, config_version, rich_data and static_catalogs.", "environment { 'x': moduelpath => 'm' }"),
    doc("ENV_PATH", "Where an environment lies is an absolute path, as text; $confdir may stand in it.", "environment { 'x': envdir => 'master' }"),
    doc("ENV_TWICE", "An environment is defined once in environments.pp.", "environment { 'x': } environment { 'x': }"),
    doc("ENV_NAME", "The name of an environment is a text that is not empty, not . or .., and without /.", "environment { 'a/b': }"),
    doc("ENV_DYNAMIC", "The folders of dynamic environments are those below the title, so that envdir would say a second truth.", "dynamic_environments { '/envs': envdir => '/x' }"),
    doc("ENV_UNKNOWN", "What environments.pp, or the node classifier, chose is neither defined in environments.pp nor a folder of its dynamic environments. Nothing is compiled.", "$environment = 'nope'"),
    doc("ENV_VALUE", "The choice of environments.pp is the value of $environment, a text; undef leaves it to the node classifier.", "$environment = 5"),
    doc("NOT_IN_ENVIRONMENTS", "environments.pp runs before an environment is chosen. Functions that need a catalog, data, modules or an injector cannot be called there, and look-ups not in a site statement.", "environments.pp: include ntp"),
    doc("CATEGORY_COMMON", "common is always there, always true and always the lowest.", "categories { common => true }"),
    doc("CATEGORY_ENVIRONMENT", "environment may be given a place by true; its value is always the environment of the node.", "categories { environment => 'x' }"),
    doc("CATEGORY_ORDER", "What is said of a node weighs more than what is said of its environment.", "categories { environment => true, node => $trusted['certname'] }"),
    doc("CATEGORY_TWICE", "A category has one place in the order.", "categories { rack => 1, rack => 2 }"),
    doc("CATEGORY_VALUE", "The value of a category is a String, Boolean or Number. undef and '' mean that it does not apply.", "categories { rack => ['r1'] }"),
    doc("INJECT_NOT_HERE", "The injector is made of what environments.pp, categories and layers say, so that these cannot ask it.", "categories { rack => inject('rack') }"),
    doc("SCHEME", "The part of a name before the colon is confdir, env, module, enc or hiera, or a scheme that a contribution to bindings_providers names.", "layer { 'a': include => 'foo:/x' }"),
    doc("URI", "The name of a definition is SCHEME:/SEGMENT::SEGMENT. * stands for one segment and ** for any number, never for a part of one.", "layer { 'a': include => 'module:/web*::default' }"),
    doc("NOT_FOUND", "A layer names a definition whose file is not there. A pattern may find nothing, and so may a name with ?optional.", "layer { 'a': include => 'module:/x::nope' }"),
    doc("CONFLICT", "Two bindings of one key stand in one layer with conditions of one weight, and both match. A binding in a higher layer decides, or a condition that weighs more. Equal constants are no conflict.", "modules/a: bind \"color\" to 'blue'  modules/b: bind \"color\" to 'red'"),
    doc("ABSTRACT", "An abstract binding demands a value from a binding of the same rank or above it, and none of them matches this node.", "bind abstract \"ntp::contact\""),
    doc("ABSTRACT_TYPE", "What overrides an abstract binding has to keep its type.", "bind abstract Integer, \"n\"  (above) bind \"n\" to 'x'"),
    doc("OVERRIDE", "override says that something below is replaced, and nothing below has this key any more, whatever its condition: the key is misspelt, or a module has given it up.", "bind override \"ntp::contcat\" to 'ops'"),
    doc("TYPE", "A value is no instance of the type that its binding declares. A constant is checked when the file is read, any other value when it is injected.", "bind Integer, \"n\" to 'x'"),
    doc("NOT_BOUND", "An alias, a rename or a rebind takes a binding that is neither at its rank nor below it, or that a rename has taken away.", "bind alias \"nothing\" as \"n\""),
    doc("RENAMED_TWICE", "Two renames of one key with one weight would each take it away from the other.", "bind renamed \"a\" as \"b\" bind renamed \"a\" as \"c\""),
    doc("LOOP", "Following a key leads to the key itself: by copies, by replacements, or by expressions that inject each other.", "bind alias \"a\" as \"b\" bind alias \"b\" as \"a\""),
    doc("MULTIBIND_SAME_ID", "Two multibinds with one id would both take the same contributions. Ids begin with the name of the module.", "multibind Array[Data], 'a' as 'i' multibind Array[Data], 'b' as 'i'"),
    doc("DUPLICATE_NAME", "Two contributions to a hash have one name and one rank, and other values. A contribution of a higher rank replaces a lower one; a combinator is given both.", "modules/a: bind 'k' to 1 in 'h'  modules/b: bind 'k' to 2 in 'h'"),
    doc("NO_NAME", "A contribution to a hash needs the name of its entry.", "multibind Hash[Data], 'h' bind to 1 in 'h'"),
    doc("REPLACEMENT", "A class replaces another one that it inherits, with all its parameters; a defined type a defined type, a resource type a resource type.", "bind class ntp to class chrony"),
    doc("REPLACE_INSTANCE", "A type of resources can stand in the place of another; a resource that is there cannot become another.", "bind Web[one] to Web[two]"),
    doc("MAP_REQUIRED", "Parameters of one type are to come from another, and no parameter has the same name in both. A map says which is which.", "bind parameters Web[one] to Sql[one]"),
    doc("SOURCE_TWICE", "The parameters of one target come from two sources of one type with one weight.", "bind parameters Web[one] to Sql[one] bind parameters Web[one] to Sql[two]"),
    doc("NO_SOURCE", "The resource that a parameter is taken from is not in the catalog by the time that the parameter is wanted.", "bind parameters Web[one] to Sql[one]"),
    doc("NO_PARAMETER", "A parameter is bound that the class or type does not have: it is misspelt, or the module has given it up.", "bind parameters ntp to { enabel => true }"),
    doc("VARIABLE_SET", "A variable of the top scope is bound that a fact, or a parameter of the node classifier, sets too. override hides the other.", "bind variables to { kernel => 'x' }"),
    doc("QUERY_RESULT", "Parameters come from a query that finds none, or several resources, where one is wanted.", "bind parameters Web[one] to Sql[?? name == one]"),
    doc("UNBOUND", "Code injects a key that nothing is bound to on this node. A lambda, or optionally_inject, takes that for undef.", "inject('nope')"),
    doc("NO_VALUE", "A producer gave undef. An optional binding gives way to what is below it.", "bind \"n\" to $facts['none']"),
    doc("ARGUMENTS", "Arguments of an injection go to a producer. A constant or an expression takes none.", "bind \"x\" to 1  inject('x', {a => 1})"),
    doc("NO_FUNCTION", "What stands behind producer, or is contributed to producers, is the name of a function in Puppet or Ruby. Classes of Ruby are none.", "bind \"u\" to producer 'm::nope'"),
    doc("PROVIDER", "The function of a scheme of one's own returns an array of hashes with kind, name, value and the like.", "function my::bindings($include, $exclude) { 5 }"),
    doc("CLASSES_CONFLICT", "A class is included and excluded with one weight. A higher layer decides.", "modules/a: include ntp  modules/b: exclude ntp"),
    doc("LIMIT", "There are more categories, alternatives of a condition, levels of nesting, bindings or definitions than an environment may have.", "65 categories"),
    doc("NEVER", "A condition wants two values of one category at once, so that its bindings are left out.", "when rack r1 and rack r2 { include ntp }"),
    doc("LOADED_TWICE", "Two layers include one definition. It counts in the higher one alone.", "layer { 'a': include => 'env:/default' }, layer { 'b': include => 'env:/default' }"),
    doc("TEMPLATEDIR", "templatedir is accepted in environments.pp and has no effect: templates are those of modules.", "Environment { templatedir => 't' }"),
    doc("NO_MULTIBIND", "A contribution names an id that no multibind has, so that nobody gets it.", "bind to 1 in 'nope'"),
    doc("NO_CATEGORY", "A condition names a category that the environment does not have. It never holds there.", "when rak r1 { include ntp }"),
    doc("LOOKS_LIKE_PARAMETER", "A value has the name of a parameter of a class, as it would in Hiera, and fills no parameter. Nothing is said where that parameter is bound too.", "bind \"ntp::enable\" to true"),
    doc("SOMETIMES_ABSTRACT", "An abstract key is bound under conditions, and there are states of a node in which none of them holds.", "bind abstract \"x\"  when virtual true { bind \"x\" to 1 }"),
];

/// Returns what is said of a code, with or without `BINDINGS_`.
pub fn find_rule_doc(code: &str) -> Option<&'static RuleDoc> {
    let code = code.strip_prefix("BINDINGS_").unwrap_or(code);
    RULE_DOCS.iter().find(|doc| doc.code == code)
}

#[cfg(test)]
mod tests {
    use super::super::rule::RULES;
    use super::*;

    #[test]
    fn each_rule_is_explained_once_in_the_order_of_the_catalogue() {
        let rules: Vec<&str> = RULES.iter().map(|rule| rule.short_code()).collect();
        let docs: Vec<&str> = RULE_DOCS.iter().map(|doc| doc.code).collect();
        assert_eq!(rules, docs);
        assert!(RULE_DOCS.iter().all(|doc| doc.text.ends_with('.') && !doc.example.is_empty()));
    }

    #[test]
    fn a_code_is_found_with_and_without_what_all_begin_with() {
        assert_eq!(find_rule_doc("BINDINGS_CONFLICT"), find_rule_doc("CONFLICT"));
        assert_eq!(find_rule_doc("BINDINGS_NOTHING"), None);
    }
}
