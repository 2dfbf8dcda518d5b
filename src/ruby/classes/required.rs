//! The libraries of Ruby: what `require` finds without a file of a module, and what of it is not here.

/// A library that comes with Ruby.
struct Library {
    name: &'static str,
    /// Its constants, of which not all are here, nor all that is in them; and those of its methods that are not here.
    constants: &'static [&'static str],
    methods: &'static [&'static str],
}

const fn library(name: &'static str, constants: &'static [&'static str], methods: &'static [&'static str]) -> Library {
    Library { name, constants, methods }
}

/// `require` of one is no error, whatever of it is here: who only says that it wants it is not stopped.
const LIBRARIES: &[Library] = &[
    library("base64", &["Base64"], &[]),
    library("digest", &["Digest"], &[]),
    library("digest/md5", &["Digest"], &[]),
    library("digest/sha1", &["Digest"], &[]),
    library("digest/sha2", &["Digest"], &[]),
    library("erb", &[], &[]),
    library("ipaddr", &["IPAddr"], &[]),
    library("json", &["JSON"], &[]),
    library("puppet", &[], &[]),
    library("set", &["Set"], &[]),
    library("shellwords", &["Shellwords"], &[]),
    library("openssl", &["OpenSSL"], &[]),
    library("securerandom", &[], &[]),
    library("stringio", &["StringIO"], &[]),
    library("uri", &["URI"], &[]),
    library("yaml", &["YAML", "Psych"], &[]),
    library("psych", &["Psych", "YAML"], &[]),
    library("time", &[], &[]),
    library("date", &["Date"], &["to_date", "to_datetime"]),
    library("pp", &["PP", "PrettyPrint"], &["pretty_inspect", "pretty_print"]),
    library("puppet_x", &[], &[]),
    library("puppet/util", &[], &[]),
    library("puppet/parser/functions", &[], &[]),
    library("puppet/parser", &[], &[]),
    library("puppet/error", &[], &[]),
    library("puppet/util/logging", &[], &[]),
    library("rubygems", &[], &[]),
    library("English", &[], &[]),
    library("puppet/parser/files", &[], &[]),
    library("puppet/pops", &[], &[]),
    library("puppet/functions", &[], &[]),
    library("zlib", &["Zlib"], &[]),
    library("tempfile", &["Tempfile"], &[]),
    library("fileutils", &["FileUtils"], &[]),
    library("pathname", &["Pathname"], &[]),
    library("etc", &["Etc"], &[]),
    library("open3", &["Open3"], &[]),
    library("timeout", &["Timeout"], &[]),
    library(
        "socket",
        &[
            "Socket",
            "BasicSocket",
            "IPSocket",
            "TCPSocket",
            "TCPServer",
            "UDPSocket",
            "UNIXSocket",
            "UNIXServer",
            "Addrinfo",
        ],
        &[],
    ),
    library("net/ftp", &["Net"], &[]),
    library("net/http", &["Net"], &[]),
    library("net/https", &["Net"], &[]),
    library("open-uri", &[], &[]),
    library("facter", &["Facter"], &[]),
    library("bigdecimal", &["BigDecimal"], &["BigDecimal", "to_d"]),
    library("ostruct", &["OpenStruct"], &[]),
    library("strscan", &["StringScanner"], &[]),
    library("cgi", &["CGI"], &[]),
    library("csv", &["CSV"], &["to_csv", "parse_csv"]),
    library("delegate", &["Delegator", "SimpleDelegator"], &["DelegateClass"]),
    library("find", &["Find"], &[]),
    library("observer", &["Observable"], &[]),
    library("optparse", &["OptionParser"], &[]),
    library("rbconfig", &["RbConfig"], &[]),
    library("tmpdir", &[], &["mktmpdir", "tmpdir"]),
    library("racc", &["Racc"], &[]),
    library("racc/parser", &["Racc"], &[]),
    library("resolv", &["Resolv"], &[]),
    library("uri/generic", &["URI"], &[]),
    library("forwardable", &["Forwardable", "SingleForwardable"], &[]),
    library("singleton", &["Singleton"], &[]),
    library("benchmark", &["Benchmark"], &[]),
    library("logger", &["Logger"], &[]),
    library("rexml/document", &["REXML"], &[]),
    library("bigdecimal/util", &["BigDecimal"], &["to_d"]),
    library("abbrev", &["Abbrev"], &["abbrev"]),
    library("cgi/util", &["CGI"], &[]),
    library("cgi/escape", &["CGI"], &[]),
    library("concurrent", &["Concurrent"], &[]),
    library("deep_merge", &["DeepMerge"], &["deep_merge", "deep_merge!", "ko_deep_merge!"]),
    library("expect", &[], &["expect"]),
    library("fcntl", &["Fcntl"], &[]),
    library("getoptlong", &["GetoptLong"], &[]),
    library("hiera", &["Hiera"], &[]),
    library("hocon", &["Hocon"], &[]),
    library("io/console", &[], &["winsize", "noecho", "getch"]),
    library("io/wait", &[], &["wait_readable"]),
    library("json/add/core", &["JSON"], &["as_json"]),
    library("monitor", &["Monitor", "MonitorMixin"], &[]),
    library("nkf", &["NKF"], &[]),
    library("objspace", &["ObjectSpace"], &[]),
    library("openssl/digest", &["OpenSSL"], &[]),
    library("optparse/time", &["OptionParser"], &[]),
    library("prime", &["Prime"], &["prime?", "prime_division"]),
    library("pstore", &["PStore"], &[]),
    library("pty", &["PTY"], &[]),
    library("random/formatter", &[], &[]),
    library("semantic_puppet", &["SemanticPuppet"], &[]),
    library("syslog", &["Syslog"], &[]),
    library("thread", &[], &[]),
    library("tsort", &["TSort"], &["tsort", "tsort_each", "strongly_connected_components"]),
    library("weakref", &["WeakRef"], &[]),
];

/// The files of the library REXML beside `rexml/document`.
const REXML: &[&str] = &[
    "attlistdecl",
    "attribute",
    "cdata",
    "child",
    "comment",
    "doctype",
    "dtd/dtd",
    "element",
    "encoding",
    "entity",
    "formatters/default",
    "formatters/pretty",
    "formatters/transitive",
    "functions",
    "instruction",
    "light/node",
    "namespace",
    "node",
    "output",
    "parent",
    "parseexception",
    "parsers/baseparser",
    "parsers/lightparser",
    "parsers/pullparser",
    "parsers/sax2parser",
    "parsers/streamparser",
    "parsers/treeparser",
    "parsers/ultralightparser",
    "parsers/xpathparser",
    "quickpath",
    "rexml",
    "sax2listener",
    "security",
    "source",
    "streamlistener",
    "text",
    "undefinednamespaceexception",
    "validation/relaxng",
    "validation/validation",
    "xmldecl",
    "xmltokens",
    "xpath",
    "xpath_parser",
];

/// Whether `require` of this name finds something that needs no file of a module.
pub(super) fn is_known(name: &str) -> bool {
    LIBRARIES.iter().any(|library| library.name == name)
        || name.strip_prefix("rexml/").is_some_and(|file| REXML.contains(&file))
}

/// Whether a library has a constant of this name, which may be here all the same.
pub(super) fn has_constant(name: &str) -> bool {
    LIBRARIES.iter().any(|library| library.constants.contains(&name))
}

/// The library of those that were asked for that has a method of this name that is not here.
pub(super) fn lacking_method(name: &str, is_loaded: impl Fn(&str) -> bool) -> Option<&'static str> {
    let library = LIBRARIES.iter().find(|library| library.methods.contains(&name) && is_loaded(library.name))?;
    Some(library.name)
}
