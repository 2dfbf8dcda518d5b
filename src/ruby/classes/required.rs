//! The libraries of Ruby: what `require` finds without a file of a module, and what of it is not here.

/// A library that comes with Ruby.
struct Library {
    name: &'static str,
    /// Its constants, of which not all are here, nor all that is in them; and those of its methods that are not here.
    constants: &'static [&'static str],
    methods: &'static [&'static str],
}

const fn of(name: &'static str, constants: &'static [&'static str], methods: &'static [&'static str]) -> Library {
    Library { name, constants, methods }
}

/// `require` of one is no error, whatever of it is here: who only says that it wants it is not stopped.
const LIBRARIES: &[Library] = &[
    of("base64", &["Base64"], &[]),
    of("digest", &["Digest"], &[]),
    of("digest/md5", &["Digest"], &[]),
    of("digest/sha1", &["Digest"], &[]),
    of("digest/sha2", &["Digest"], &[]),
    of("erb", &[], &[]),
    of("ipaddr", &["IPAddr"], &[]),
    of("json", &["JSON"], &[]),
    of("puppet", &[], &[]),
    of("set", &["Set"], &[]),
    of("shellwords", &["Shellwords"], &[]),
    of("openssl", &["OpenSSL"], &[]),
    of("securerandom", &[], &[]),
    of("stringio", &["StringIO"], &[]),
    of("uri", &["URI"], &[]),
    of("yaml", &["YAML", "Psych"], &[]),
    of("psych", &["Psych", "YAML"], &[]),
    of("time", &[], &[]),
    of("date", &["Date"], &["to_date", "to_datetime"]),
    of("pp", &["PP", "PrettyPrint"], &["pretty_inspect", "pretty_print"]),
    of("puppet_x", &[], &[]),
    of("puppet/util", &[], &[]),
    of("puppet/parser/functions", &[], &[]),
    of("puppet/parser", &[], &[]),
    of("puppet/error", &[], &[]),
    of("puppet/util/logging", &[], &[]),
    of("rubygems", &[], &[]),
    of("English", &[], &[]),
    of("puppet/parser/files", &[], &[]),
    of("puppet/pops", &[], &[]),
    of("puppet/functions", &[], &[]),
    of("zlib", &["Zlib"], &[]),
    of("tempfile", &["Tempfile"], &[]),
    of("fileutils", &["FileUtils"], &[]),
    of("pathname", &["Pathname"], &[]),
    of("etc", &["Etc"], &[]),
    of("open3", &["Open3"], &[]),
    of("timeout", &["Timeout"], &[]),
    of(
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
    of("net/ftp", &["Net"], &[]),
    of("net/http", &["Net"], &[]),
    of("net/https", &["Net"], &[]),
    of("open-uri", &[], &[]),
    of("facter", &["Facter"], &[]),
    of("bigdecimal", &["BigDecimal"], &["BigDecimal", "to_d"]),
    of("ostruct", &["OpenStruct"], &[]),
    of("strscan", &["StringScanner"], &[]),
    of("cgi", &["CGI"], &[]),
    of("csv", &["CSV"], &["to_csv", "parse_csv"]),
    of("delegate", &["Delegator", "SimpleDelegator"], &["DelegateClass"]),
    of("find", &["Find"], &[]),
    of("observer", &["Observable"], &[]),
    of("optparse", &["OptionParser"], &[]),
    of("rbconfig", &["RbConfig"], &[]),
    of("tmpdir", &[], &["mktmpdir", "tmpdir"]),
    of("racc", &["Racc"], &[]),
    of("racc/parser", &["Racc"], &[]),
    of("resolv", &["Resolv"], &[]),
    of("uri/generic", &["URI"], &[]),
    of("forwardable", &["Forwardable", "SingleForwardable"], &[]),
    of("singleton", &["Singleton"], &[]),
    of("benchmark", &["Benchmark"], &[]),
    of("logger", &["Logger"], &[]),
    of("rexml/document", &["REXML"], &[]),
    of("bigdecimal/util", &["BigDecimal"], &["to_d"]),
    of("abbrev", &["Abbrev"], &["abbrev"]),
    of("cgi/util", &["CGI"], &[]),
    of("cgi/escape", &["CGI"], &[]),
    of("concurrent", &["Concurrent"], &[]),
    of("deep_merge", &["DeepMerge"], &["deep_merge", "deep_merge!", "ko_deep_merge!"]),
    of("expect", &[], &["expect"]),
    of("fcntl", &["Fcntl"], &[]),
    of("getoptlong", &["GetoptLong"], &[]),
    of("hiera", &["Hiera"], &[]),
    of("hocon", &["Hocon"], &[]),
    of("io/console", &[], &["winsize", "noecho", "getch"]),
    of("io/wait", &[], &["wait_readable"]),
    of("json/add/core", &["JSON"], &["as_json"]),
    of("monitor", &["Monitor", "MonitorMixin"], &[]),
    of("nkf", &["NKF"], &[]),
    of("objspace", &["ObjectSpace"], &[]),
    of("openssl/digest", &["OpenSSL"], &[]),
    of("optparse/time", &["OptionParser"], &[]),
    of("prime", &["Prime"], &["prime?", "prime_division"]),
    of("pstore", &["PStore"], &[]),
    of("pty", &["PTY"], &[]),
    of("random/formatter", &[], &[]),
    of("semantic_puppet", &["SemanticPuppet"], &[]),
    of("syslog", &["Syslog"], &[]),
    of("thread", &[], &[]),
    of("tsort", &["TSort"], &["tsort", "tsort_each", "strongly_connected_components"]),
    of("weakref", &["WeakRef"], &[]),
];

/// Whether `require` of this name finds something that needs no file of a module.
pub(super) fn is_known(name: &str) -> bool {
    LIBRARIES.iter().any(|library| library.name == name)
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
