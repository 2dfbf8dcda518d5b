//! Every setting that the real Puppet has, in its order: name, what its values are, default.
//!
//! The order is that of `$settings::all_local`. The folders that depend on the machine
//! (`confdir` and the like) have their values in `mod.rs`.

use pantin_base::limits;

use Initial::{Flag, HieraConfig, Nothing, Number, Text as Is, Texts};
use SettingKind::{
    AliasOf, Autosign, Boolean, Duration, File, Headers, Integer, List, OneOf, Path, Port, Priority, Revocation,
    Servers, Terminus, Text, TimeToLive,
};

/// What a setting's values are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SettingKind {
    Text,
    /// A file or a folder: made absolute.
    File,
    /// Folders divided by colons: each made absolute.
    Path,
    Boolean,
    Integer,
    Port,
    Terminus,
    Duration,
    TimeToLive,
    /// Divided by commas.
    List,
    OneOf(&'static [&'static str]),
    Priority,
    Autosign,
    Servers,
    Headers,
    Revocation,
    /// Another name for a setting, which may have a value of its own.
    AliasOf(&'static str),
}

/// A default; in a text, `$name` is another setting.
#[derive(Clone, Copy, Debug)]
pub(super) enum Initial {
    Nothing,
    Flag(bool),
    Number(i64),
    Text(&'static str),
    Texts(&'static [&'static str]),
    /// `hiera.yaml` in `codedir` if there is one, else in `confdir`.
    HieraConfig,
}

#[derive(Debug)]
pub(super) struct Declared {
    pub(super) name: &'static str,
    pub(super) kind: SettingKind,
    pub(super) default: Initial,
    /// Where it differs.
    pub(super) default_in_7: Option<Initial>,
    pub(super) is_in_7: bool,
}

const fn of(name: &'static str, kind: SettingKind, default: Initial) -> Declared {
    Declared { name, kind, default, default_in_7: None, is_in_7: true }
}

impl Declared {
    const fn in_7(mut self, default: Initial) -> Declared {
        self.default_in_7 = Some(default);
        self
    }

    const fn since_8(mut self) -> Declared {
        self.is_in_7 = false;
        self
    }
}

const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "err", "alert", "emerg", "crit"];
pub(super) const CHECKSUMS: [&str; 5] = ["sha256", "sha384", "sha512", "sha224", "md5"];
const CIPHERS: &str = "\
    ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:\
    ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:\
    DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384:DHE-RSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-SHA256:\
    ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA384:\
    ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES256-SHA:DHE-RSA-AES128-SHA256:\
    DHE-RSA-AES256-SHA256:AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA256:AES256-SHA256";

pub(super) static SETTINGS: [Declared; 238] = [
    of("confdir", File, Nothing),
    of("codedir", File, Nothing),
    of("vardir", File, Nothing),
    of("name", Text, Nothing),
    of("logdir", File, Nothing),
    of("log_level", OneOf(&LEVELS), Is("notice")),
    of("disable_warnings", List, Texts(&[])),
    of("skip_logging_catalog_request_destination", Boolean, Flag(false)).since_8(),
    of("merge_dependency_warnings", Boolean, Flag(false)),
    of("strict", OneOf(&["off", "warning", "error"]), Is("error")).in_7(Is("warning")),
    of("disable_i18n", Boolean, Flag(true)),
    of("priority", Priority, Nothing),
    of("trace", Boolean, Flag(false)),
    of("puppet_trace", Boolean, Flag(false)),
    of("profile", Boolean, Flag(false)),
    of("versioned_environment_dirs", Boolean, Flag(false)),
    of("static_catalogs", Boolean, Flag(true)),
    of("settings_catalog", Boolean, Flag(true)),
    of("strict_environment_mode", Boolean, Flag(false)),
    of("autoflush", Boolean, Flag(true)),
    of("syslogfacility", Text, Is("daemon")),
    of("statedir", File, Is("$vardir/state")),
    of("rundir", File, Nothing),
    of("genconfig", Boolean, Flag(false)),
    of("genmanifest", Boolean, Flag(false)),
    of("configprint", Text, Is("")),
    of("color", Text, Is("ansi")),
    of("mkusers", Boolean, Flag(false)),
    of("manage_internal_file_permissions", Boolean, Flag(true)),
    of("onetime", Boolean, Flag(false)),
    of("path", Text, Is("none")),
    of("libdir", File, Is("$vardir/lib")),
    of("environment", Text, Is("production")),
    of("environmentpath", Path, Is("$codedir/environments")),
    of("report_configured_environmentpath", Boolean, Flag(true)).since_8(),
    of("use_last_environment", Boolean, Flag(true)),
    of("always_retry_plugins", Boolean, Flag(true)),
    of("diff_args", Text, Is("-u")),
    of("diff", Text, Is("diff")),
    of("show_diff", Boolean, Flag(false)),
    of("daemonize", Boolean, Flag(true)),
    of("maximum_uid", Integer, Number(4_294_967_290)),
    of("route_file", Text, Is("$confdir/routes.yaml")),
    of("node_terminus", Terminus, Is("plain")),
    of("node_cache_terminus", Terminus, Nothing),
    of("data_binding_terminus", Terminus, Is("hiera")),
    of("hiera_config", File, HieraConfig),
    of("binder_config", File, Nothing),
    of("catalog_terminus", Terminus, Is("compiler")),
    of("catalog_cache_terminus", Terminus, Nothing),
    of("facts_terminus", Text, Is("facter")),
    of("trusted_external_command", File, Nothing),
    of("default_file_terminus", Terminus, Is("rest")),
    of("http_proxy_host", Text, Is("none")),
    of("http_proxy_port", Port, Number(3_128)),
    of("http_proxy_user", Text, Is("none")),
    of("http_proxy_password", Text, Is("none")),
    of("no_proxy", Text, Is("localhost, 127.0.0.1")),
    of("http_keepalive_timeout", Duration, Is("4s")),
    of("http_debug", Boolean, Flag(false)),
    of("http_connect_timeout", Duration, Is("2m")),
    of("http_read_timeout", Duration, Is("10m")),
    of("http_user_agent", Text, Is("Puppet/8.10.0 Ruby/3.1.2-p20 (x86_64-linux-gnu)"))
        .in_7(Is("Puppet/7.23.0 Ruby/3.1.2-p20 (x86_64-linux-gnu)")),
    of("filetimeout", Duration, Is("15s")),
    of("environment_timeout", TimeToLive, Is("0")),
    of("environment_data_provider", Text, Nothing),
    of("prerun_command", Text, Is("")),
    of("postrun_command", Text, Is("")),
    of("freeze_main", Boolean, Flag(false)),
    of("preview_outputdir", File, Is("$vardir/preview")),
    of("location_trusted", Boolean, Flag(false)),
    of("module_repository", Text, Is("https://forgeapi.puppet.com")),
    of("module_working_dir", Text, Is("$vardir/puppet-module")),
    of("forge_authorization", Text, Nothing),
    of("module_groups", Text, Nothing),
    of("certname", Text, Is("puppet")),
    of("dns_alt_names", Text, Is("")),
    of("csr_attributes", File, Is("$confdir/csr_attributes.yaml")),
    of("certdir", File, Is("$ssldir/certs")),
    of("ssldir", File, Is("$confdir/ssl")),
    of("ssl_lockfile", Text, Is("$ssldir/ssl.lock")),
    of("publickeydir", File, Is("$ssldir/public_keys")),
    of("requestdir", File, Is("$ssldir/certificate_requests")),
    of("privatekeydir", File, Is("$ssldir/private_keys")),
    of("privatedir", File, Is("$ssldir/private")),
    of("passfile", File, Is("$privatedir/password")),
    of("hostcsr", File, Is("$requestdir/$certname.pem")),
    of("hostcert", File, Is("$certdir/$certname.pem")),
    of("hostprivkey", File, Is("$privatekeydir/$certname.pem")),
    of("hostpubkey", File, Is("$publickeydir/$certname.pem")),
    of("localcacert", File, Is("$certdir/ca.pem")),
    of("ca_fingerprint", Text, Nothing),
    of("ssl_trust_store", File, Nothing),
    of("hostcrl", File, Is("$ssldir/crl.pem")),
    of("certificate_revocation", Revocation, Is("chain")),
    of("ciphers", Text, Is(CIPHERS)),
    of("key_type", OneOf(&["rsa", "ec"]), Is("rsa")),
    of("named_curve", Text, Is("prime256v1")),
    of("digest_algorithm", OneOf(&CHECKSUMS), Is("sha256")),
    of("supported_checksum_types", List, Texts(&CHECKSUMS)),
    of("logdest", Text, Nothing),
    of("ca_name", Text, Is("Puppet CA: $certname")),
    of("cadir", File, Is("/etc/puppetlabs/puppetserver/ca")),
    of("cacert", File, Is("$cadir/ca_crt.pem")),
    of("cakey", File, Is("$cadir/ca_key.pem")),
    of("capub", File, Is("$cadir/ca_pub.pem")),
    of("cacrl", File, Is("$cadir/ca_crl.pem")),
    of("csrdir", File, Is("$cadir/requests")),
    of("signeddir", File, Is("$cadir/signed")),
    of("serial", File, Is("$cadir/serial")),
    of("autosign", Autosign, Is("$confdir/autosign.conf")),
    of("allow_duplicate_certs", Boolean, Flag(false)),
    of("ca_ttl", Duration, Is("5y")),
    of("ca_refresh_interval", Duration, Is("1d")).since_8(),
    of("crl_refresh_interval", Duration, Is("1d")).in_7(Nothing),
    of("hostcert_renewal_interval", Duration, Is("30d")).since_8(),
    of("keylength", Integer, Number(4_096)),
    of("cert_inventory", File, Is("$cadir/inventory.txt")),
    of("config_file_name", Text, Is("puppet.conf")),
    of("config", File, Is("$confdir/${config_file_name}")),
    of("pidfile", File, Is("$rundir/${run_mode}.pid")),
    of("sourceaddress", Text, Nothing),
    of("manifest", File, Nothing),
    of("modulepath", Path, Is("")),
    of("config_version", Text, Is("")),
    of("user", Text, Is("puppet")),
    of("group", Text, Is("puppet")),
    of("default_manifest", Text, Is("./manifests")),
    of("disable_per_environment_manifest", Boolean, Flag(false)),
    of("code", Text, Is("")),
    of("masterport", Port, Number(8_140)),
    of("serverport", AliasOf("masterport"), Nothing),
    of("bucketdir", File, Is("$vardir/bucket")),
    of("trusted_oid_mapping_file", File, Is("$confdir/custom_trusted_oid_mapping.yaml")),
    of("basemodulepath", Path, Is("$codedir/modules:/opt/puppetlabs/puppet/modules")),
    of("vendormoduledir", Text, Is("/opt/puppetlabs/puppet/vendor_modules")),
    of("ssl_client_header", Text, Is("HTTP_X_CLIENT_DN")),
    of("ssl_client_verify_header", Text, Is("HTTP_X_CLIENT_VERIFY")),
    of("yamldir", File, Is("$vardir/yaml")),
    of("server_datadir", File, Is("$vardir/server_data")),
    of("reports", Text, Is("none")).in_7(Is("store")),
    of("exclude_unchanged_resources", Boolean, Flag(true)).in_7(Flag(false)),
    of("reportdir", File, Is("$vardir/reports")),
    of("reporturl", Text, Is("http://localhost:3000/reports/upload")),
    of("fileserverconfig", File, Is("$confdir/fileserver.conf")),
    of("devicedir", File, Is("$vardir/devices")),
    of("deviceconfig", Text, Is("$confdir/device.conf")),
    of("node_name_value", Text, Is("$certname")),
    of("node_name_fact", Text, Is("")),
    of("statefile", File, Is("$statedir/state.yaml")),
    of("statettl", TimeToLive, Is("32d")),
    of("transactionstorefile", File, Is("$statedir/transactionstore.yaml")),
    of("clientyamldir", File, Is("$vardir/client_yaml")),
    of("client_datadir", File, Is("$vardir/client_data")),
    of("write_catalog_summary", Boolean, Flag(true)),
    of("classfile", File, Is("$statedir/classes.txt")),
    of("resourcefile", File, Is("$statedir/resources.txt")),
    of("puppetdlog", File, Is("$logdir/puppetd.log")),
    of("deviceconfdir", File, Is("$confdir/devices")),
    of("server", Text, Is("puppet")),
    of("server_list", Servers, Texts(&[])),
    of("use_srv_records", Boolean, Flag(false)),
    of("srv_domain", Text, Nothing),
    of("http_extra_headers", Headers, Texts(&[])),
    of("ignoreschedules", Boolean, Flag(false)),
    of("default_schedules", Boolean, Flag(true)),
    of("noop", Boolean, Flag(false)),
    of("runinterval", Duration, Is("30m")),
    of("runtimeout", Duration, Is("1h")),
    of("ca_server", Text, Is("$server")),
    of("ca_port", Port, Is("$serverport")),
    of("preferred_serialization_format", Text, Is("json")),
    of("allow_pson_serialization", Boolean, Flag(false)).since_8(),
    of("agent_catalog_run_lockfile", Text, Is("$statedir/agent_catalog_run.lock")),
    of("agent_disabled_lockfile", Text, Is("$statedir/agent_disabled.lock")),
    of("usecacheonfailure", Boolean, Flag(true)),
    of("include_legacy_facts", Boolean, Flag(false)).in_7(Flag(true)),
    of("fact_name_length_soft_limit", Integer, Number(2_560)),
    of("fact_value_length_soft_limit", Integer, Number(4_096)),
    of("top_level_facts_soft_limit", Integer, Number(512)),
    of("number_of_facts_soft_limit", Integer, Number(10_240)).in_7(Number(2_048)),
    of("payload_soft_limit", Integer, Number(16_777_216)),
    of("use_cached_catalog", Boolean, Flag(false)),
    of("ignoremissingtypes", Boolean, Flag(false)),
    of("splaylimit", Duration, Is("$runinterval")),
    of("splay", Boolean, Flag(false)),
    of("clientbucketdir", File, Is("$vardir/clientbucket")),
    of("report_server", Text, Is("$server")),
    of("report_port", Port, Is("$serverport")),
    of("report", Boolean, Flag(true)),
    of("report_include_system_store", Boolean, Flag(false)),
    of("resubmit_facts", Boolean, Flag(false)),
    of("publicdir", File, Nothing),
    of("lastrunfile", File, Is("$publicdir/last_run_summary.yaml")),
    of("lastrunreport", File, Is("$statedir/last_run_report.yaml")),
    of("graph", Boolean, Flag(false)),
    of("graphdir", File, Is("$statedir/graphs")),
    of("waitforcert", Duration, Is("2m")),
    of("maxwaitforcert", TimeToLive, Is("unlimited")),
    of("waitforlock", Duration, Is("0")),
    of("maxwaitforlock", TimeToLive, Is("1m")),
    of("plugindest", File, Is("$libdir")),
    of("pluginsource", Text, Is("puppet:///plugins")),
    of("pluginfactdest", File, Is("$vardir/facts.d")),
    of("pluginfactsource", Text, Is("puppet:///pluginfacts")),
    of("localedest", File, Is("$vardir/locales")),
    of("localesource", Text, Is("puppet:///locales")),
    of("pluginsync", Boolean, Flag(true)),
    of("pluginsignore", Text, Is(".svn CVS .git .hg")),
    of("ignore_plugin_errors", Boolean, Flag(false)),
    of("factpath", Path, Is("$vardir/lib/facter:$vardir/facts")),
    of("tags", Text, Is("")),
    of("skip_tags", Text, Is("")),
    of("evaltrace", Boolean, Flag(false)),
    of("preprocess_deferred", Boolean, Flag(false)).in_7(Flag(true)),
    of("summarize", Boolean, Flag(false)),
    of("external_nodes", Text, Is("none")),
    of("ldapssl", Boolean, Flag(false)),
    of("ldaptls", Boolean, Flag(false)),
    of("ldapserver", Text, Is("ldap")),
    of("ldapport", Port, Number(389)),
    of("ldapstring", Text, Is("(&(objectclass=puppetClient)(cn=%s))")),
    of("ldapclassattrs", Text, Is("puppetclass")),
    of("ldapstackedattrs", Text, Is("puppetvar")),
    of("ldapattrs", Text, Is("all")),
    of("ldapparentattr", Text, Is("parentnode")),
    of("ldapuser", Text, Is("")),
    of("ldappassword", Text, Is("")),
    of("ldapbase", Text, Is("")),
    of("storeconfigs", Boolean, Flag(false)),
    of("storeconfigs_backend", Terminus, Is("puppetdb")),
    of("max_errors", Integer, Number(10)),
    of("max_warnings", Integer, Number(10)),
    of("max_deprecations", Integer, Number(10)),
    of("strict_variables", Boolean, Flag(true)).in_7(Flag(false)),
    of("tasks", Boolean, Flag(false)),
    of("document_all", Boolean, Flag(false)),
    of("rich_data", Boolean, Flag(true)),
];

/// Functions that a Ruby of the person's own runs, and that rest on their arguments and on what they ask alone.
pub(super) const DETERMINISTIC_FUNCTIONS: &str = "deterministic_functions";

/// Where Ruby code of modules may read beside the environment, and the folders of Puppet's settings.
pub(crate) const RUBY_READS: &str = "ruby_reads";

/// Where answers are kept from one run to the next.
pub(super) const CACHE: &str = "pantin_cache";

/// How large that may grow.
pub(super) const CACHE_SIZE: &str = "pantin_cache_size";

/// Settings that the real one has not: the limits that a person may raise, and more. They are no variables of `$settings`.
pub(super) static OWN: [Declared; 11] = [
    of(limits::MAX_DEPTH, Integer, Number(limits::CALL_DEPTH as i64)),
    of(limits::MAX_CALLS, Integer, Number(limits::CALLS as i64)),
    of(limits::MAX_TEXT_BYTES, Integer, Number(limits::TEXT_BYTES as i64)),
    of(limits::MAX_ELEMENTS, Integer, Number(limits::ELEMENTS as i64)),
    of(limits::MAX_REGEX_STEPS, Integer, Number(limits::REGEX_STEPS as i64)),
    of(limits::MAX_RESOURCES, Integer, Number(limits::RESOURCES as i64)),
    of(limits::MAX_RUBY_SECONDS, Integer, Number(limits::OWN_RUBY_SECONDS as i64)),
    of(DETERMINISTIC_FUNCTIONS, List, Texts(&[])),
    of(RUBY_READS, Path, Is("")),
    of(CACHE, Text, Is("")),
    of(CACHE_SIZE, Text, Is("")),
];
