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
pub(super) struct SettingDeclaration {
    pub(super) name: &'static str,
    pub(super) kind: SettingKind,
    pub(super) default: Initial,
    /// Where it differs.
    pub(super) default_in_7: Option<Initial>,
    pub(super) default_in_openvox: Option<Initial>,
    pub(super) is_in_7: bool,
}

const fn new(name: &'static str, kind: SettingKind, default: Initial) -> SettingDeclaration {
    SettingDeclaration { name, kind, default, default_in_7: None, default_in_openvox: None, is_in_7: true }
}

impl SettingDeclaration {
    const fn in_7(mut self, default: Initial) -> SettingDeclaration {
        self.default_in_7 = Some(default);
        self
    }

    const fn in_openvox(mut self, default: Initial) -> SettingDeclaration {
        self.default_in_openvox = Some(default);
        self
    }

    const fn since_8(mut self) -> SettingDeclaration {
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

pub(super) static SETTINGS: [SettingDeclaration; 238] = [
    new("confdir", File, Nothing),
    new("codedir", File, Nothing),
    new("vardir", File, Nothing),
    new("name", Text, Nothing),
    new("logdir", File, Nothing),
    new("log_level", OneOf(&LEVELS), Is("notice")),
    new("disable_warnings", List, Texts(&[])),
    new("skip_logging_catalog_request_destination", Boolean, Flag(false)).since_8(),
    new("merge_dependency_warnings", Boolean, Flag(false)),
    new("strict", OneOf(&["off", "warning", "error"]), Is("error")).in_7(Is("warning")),
    new("disable_i18n", Boolean, Flag(true)),
    new("priority", Priority, Nothing),
    new("trace", Boolean, Flag(false)),
    new("puppet_trace", Boolean, Flag(false)),
    new("profile", Boolean, Flag(false)),
    new("versioned_environment_dirs", Boolean, Flag(false)),
    new("static_catalogs", Boolean, Flag(true)),
    new("settings_catalog", Boolean, Flag(true)),
    new("strict_environment_mode", Boolean, Flag(false)),
    new("autoflush", Boolean, Flag(true)),
    new("syslogfacility", Text, Is("daemon")),
    new("statedir", File, Is("$vardir/state")),
    new("rundir", File, Nothing),
    new("genconfig", Boolean, Flag(false)),
    new("genmanifest", Boolean, Flag(false)),
    new("configprint", Text, Is("")),
    new("color", Text, Is("ansi")),
    new("mkusers", Boolean, Flag(false)),
    new("manage_internal_file_permissions", Boolean, Flag(true)),
    new("onetime", Boolean, Flag(false)),
    new("path", Text, Is("none")),
    new("libdir", File, Is("$vardir/lib")),
    new("environment", Text, Is("production")),
    new("environmentpath", Path, Is("$codedir/environments")),
    new("report_configured_environmentpath", Boolean, Flag(true)).since_8(),
    new("use_last_environment", Boolean, Flag(true)),
    new("always_retry_plugins", Boolean, Flag(true)),
    new("diff_args", Text, Is("-u")),
    new("diff", Text, Is("diff")),
    new("show_diff", Boolean, Flag(false)),
    new("daemonize", Boolean, Flag(true)),
    new("maximum_uid", Integer, Number(4_294_967_290)),
    new("route_file", Text, Is("$confdir/routes.yaml")),
    new("node_terminus", Terminus, Is("plain")),
    new("node_cache_terminus", Terminus, Nothing),
    new("data_binding_terminus", Terminus, Is("hiera")),
    new("hiera_config", File, HieraConfig),
    new("binder_config", File, Nothing),
    new("catalog_terminus", Terminus, Is("compiler")),
    new("catalog_cache_terminus", Terminus, Nothing),
    new("facts_terminus", Text, Is("facter")),
    new("trusted_external_command", File, Nothing),
    new("default_file_terminus", Terminus, Is("rest")),
    new("http_proxy_host", Text, Is("none")),
    new("http_proxy_port", Port, Number(3_128)),
    new("http_proxy_user", Text, Is("none")),
    new("http_proxy_password", Text, Is("none")),
    new("no_proxy", Text, Is("localhost, 127.0.0.1")),
    new("http_keepalive_timeout", Duration, Is("4s")),
    new("http_debug", Boolean, Flag(false)),
    new("http_connect_timeout", Duration, Is("2m")),
    new("http_read_timeout", Duration, Is("10m")),
    new("http_user_agent", Text, Is("Puppet/8.10.0 Ruby/3.1.2-p20 (x86_64-linux-gnu)"))
        .in_7(Is("Puppet/7.23.0 Ruby/3.1.2-p20 (x86_64-linux-gnu)"))
        .in_openvox(Is("Puppet/8.28.1 Ruby/3.1.2-p20 (x86_64-linux-gnu)")),
    new("filetimeout", Duration, Is("15s")),
    new("environment_timeout", TimeToLive, Is("0")),
    new("environment_data_provider", Text, Nothing),
    new("prerun_command", Text, Is("")),
    new("postrun_command", Text, Is("")),
    new("freeze_main", Boolean, Flag(false)),
    new("preview_outputdir", File, Is("$vardir/preview")),
    new("location_trusted", Boolean, Flag(false)),
    new("module_repository", Text, Is("https://forgeapi.puppet.com")),
    new("module_working_dir", Text, Is("$vardir/puppet-module")),
    new("forge_authorization", Text, Nothing),
    new("module_groups", Text, Nothing),
    new("certname", Text, Is("puppet")),
    new("dns_alt_names", Text, Is("")),
    new("csr_attributes", File, Is("$confdir/csr_attributes.yaml")),
    new("certdir", File, Is("$ssldir/certs")),
    new("ssldir", File, Is("$confdir/ssl")),
    new("ssl_lockfile", Text, Is("$ssldir/ssl.lock")),
    new("publickeydir", File, Is("$ssldir/public_keys")),
    new("requestdir", File, Is("$ssldir/certificate_requests")),
    new("privatekeydir", File, Is("$ssldir/private_keys")),
    new("privatedir", File, Is("$ssldir/private")),
    new("passfile", File, Is("$privatedir/password")),
    new("hostcsr", File, Is("$requestdir/$certname.pem")),
    new("hostcert", File, Is("$certdir/$certname.pem")),
    new("hostprivkey", File, Is("$privatekeydir/$certname.pem")),
    new("hostpubkey", File, Is("$publickeydir/$certname.pem")),
    new("localcacert", File, Is("$certdir/ca.pem")),
    new("ca_fingerprint", Text, Nothing),
    new("ssl_trust_store", File, Nothing),
    new("hostcrl", File, Is("$ssldir/crl.pem")),
    new("certificate_revocation", Revocation, Is("chain")),
    new("ciphers", Text, Is(CIPHERS)),
    new("key_type", OneOf(&["rsa", "ec"]), Is("rsa")),
    new("named_curve", Text, Is("prime256v1")),
    new("digest_algorithm", OneOf(&CHECKSUMS), Is("sha256")),
    new("supported_checksum_types", List, Texts(&CHECKSUMS)),
    new("logdest", Text, Nothing),
    new("ca_name", Text, Is("Puppet CA: $certname")),
    new("cadir", File, Is("/etc/puppetlabs/puppetserver/ca")),
    new("cacert", File, Is("$cadir/ca_crt.pem")),
    new("cakey", File, Is("$cadir/ca_key.pem")),
    new("capub", File, Is("$cadir/ca_pub.pem")),
    new("cacrl", File, Is("$cadir/ca_crl.pem")),
    new("csrdir", File, Is("$cadir/requests")),
    new("signeddir", File, Is("$cadir/signed")),
    new("serial", File, Is("$cadir/serial")),
    new("autosign", Autosign, Is("$confdir/autosign.conf")),
    new("allow_duplicate_certs", Boolean, Flag(false)),
    new("ca_ttl", Duration, Is("5y")),
    new("ca_refresh_interval", Duration, Is("1d")).since_8(),
    new("crl_refresh_interval", Duration, Is("1d")).in_7(Nothing),
    new("hostcert_renewal_interval", Duration, Is("30d")).since_8(),
    new("keylength", Integer, Number(4_096)),
    new("cert_inventory", File, Is("$cadir/inventory.txt")),
    new("config_file_name", Text, Is("puppet.conf")),
    new("config", File, Is("$confdir/${config_file_name}")),
    new("pidfile", File, Is("$rundir/${run_mode}.pid")),
    new("sourceaddress", Text, Nothing),
    new("manifest", File, Nothing),
    new("modulepath", Path, Is("")),
    new("config_version", Text, Is("")),
    new("user", Text, Is("puppet")),
    new("group", Text, Is("puppet")),
    new("default_manifest", Text, Is("./manifests")),
    new("disable_per_environment_manifest", Boolean, Flag(false)),
    new("code", Text, Is("")),
    new("masterport", Port, Number(8_140)),
    new("serverport", AliasOf("masterport"), Nothing),
    new("bucketdir", File, Is("$vardir/bucket")),
    new("trusted_oid_mapping_file", File, Is("$confdir/custom_trusted_oid_mapping.yaml")),
    new("basemodulepath", Path, Is("$codedir/modules:/opt/puppetlabs/puppet/modules")),
    new("vendormoduledir", Text, Is("/opt/puppetlabs/puppet/vendor_modules")),
    new("ssl_client_header", Text, Is("HTTP_X_CLIENT_DN")),
    new("ssl_client_verify_header", Text, Is("HTTP_X_CLIENT_VERIFY")),
    new("yamldir", File, Is("$vardir/yaml")),
    new("server_datadir", File, Is("$vardir/server_data")),
    new("reports", Text, Is("none")).in_7(Is("store")),
    new("exclude_unchanged_resources", Boolean, Flag(true)).in_7(Flag(false)),
    new("reportdir", File, Is("$vardir/reports")),
    new("reporturl", Text, Is("http://localhost:3000/reports/upload")),
    new("fileserverconfig", File, Is("$confdir/fileserver.conf")),
    new("devicedir", File, Is("$vardir/devices")),
    new("deviceconfig", Text, Is("$confdir/device.conf")),
    new("node_name_value", Text, Is("$certname")),
    new("node_name_fact", Text, Is("")),
    new("statefile", File, Is("$statedir/state.yaml")),
    new("statettl", TimeToLive, Is("32d")),
    new("transactionstorefile", File, Is("$statedir/transactionstore.yaml")),
    new("clientyamldir", File, Is("$vardir/client_yaml")),
    new("client_datadir", File, Is("$vardir/client_data")),
    new("write_catalog_summary", Boolean, Flag(true)),
    new("classfile", File, Is("$statedir/classes.txt")),
    new("resourcefile", File, Is("$statedir/resources.txt")),
    new("puppetdlog", File, Is("$logdir/puppetd.log")),
    new("deviceconfdir", File, Is("$confdir/devices")),
    new("server", Text, Is("puppet")),
    new("server_list", Servers, Texts(&[])),
    new("use_srv_records", Boolean, Flag(false)),
    new("srv_domain", Text, Nothing),
    new("http_extra_headers", Headers, Texts(&[])),
    new("ignoreschedules", Boolean, Flag(false)),
    new("default_schedules", Boolean, Flag(true)),
    new("noop", Boolean, Flag(false)),
    new("runinterval", Duration, Is("30m")),
    new("runtimeout", Duration, Is("1h")),
    new("ca_server", Text, Is("$server")),
    new("ca_port", Port, Is("$serverport")),
    new("preferred_serialization_format", Text, Is("json")),
    new("allow_pson_serialization", Boolean, Flag(false)).since_8(),
    new("agent_catalog_run_lockfile", Text, Is("$statedir/agent_catalog_run.lock")),
    new("agent_disabled_lockfile", Text, Is("$statedir/agent_disabled.lock")),
    new("usecacheonfailure", Boolean, Flag(true)),
    new("include_legacy_facts", Boolean, Flag(false)).in_7(Flag(true)),
    new("fact_name_length_soft_limit", Integer, Number(2_560)),
    new("fact_value_length_soft_limit", Integer, Number(4_096)),
    new("top_level_facts_soft_limit", Integer, Number(512)),
    new("number_of_facts_soft_limit", Integer, Number(10_240)).in_7(Number(2_048)),
    new("payload_soft_limit", Integer, Number(16_777_216)),
    new("use_cached_catalog", Boolean, Flag(false)),
    new("ignoremissingtypes", Boolean, Flag(false)),
    new("splaylimit", Duration, Is("$runinterval")),
    new("splay", Boolean, Flag(false)),
    new("clientbucketdir", File, Is("$vardir/clientbucket")),
    new("report_server", Text, Is("$server")),
    new("report_port", Port, Is("$serverport")),
    new("report", Boolean, Flag(true)),
    new("report_include_system_store", Boolean, Flag(false)),
    new("resubmit_facts", Boolean, Flag(false)),
    new("publicdir", File, Nothing),
    new("lastrunfile", File, Is("$publicdir/last_run_summary.yaml")),
    new("lastrunreport", File, Is("$statedir/last_run_report.yaml")),
    new("graph", Boolean, Flag(false)),
    new("graphdir", File, Is("$statedir/graphs")),
    new("waitforcert", Duration, Is("2m")),
    new("maxwaitforcert", TimeToLive, Is("unlimited")),
    new("waitforlock", Duration, Is("0")),
    new("maxwaitforlock", TimeToLive, Is("1m")),
    new("plugindest", File, Is("$libdir")),
    new("pluginsource", Text, Is("puppet:///plugins")),
    new("pluginfactdest", File, Is("$vardir/facts.d")),
    new("pluginfactsource", Text, Is("puppet:///pluginfacts")),
    new("localedest", File, Is("$vardir/locales")),
    new("localesource", Text, Is("puppet:///locales")),
    new("pluginsync", Boolean, Flag(true)),
    new("pluginsignore", Text, Is(".svn CVS .git .hg")),
    new("ignore_plugin_errors", Boolean, Flag(false)),
    new("factpath", Path, Is("$vardir/lib/facter:$vardir/facts")),
    new("tags", Text, Is("")),
    new("skip_tags", Text, Is("")),
    new("evaltrace", Boolean, Flag(false)),
    new("preprocess_deferred", Boolean, Flag(false)).in_7(Flag(true)),
    new("summarize", Boolean, Flag(false)),
    new("external_nodes", Text, Is("none")),
    new("ldapssl", Boolean, Flag(false)),
    new("ldaptls", Boolean, Flag(false)),
    new("ldapserver", Text, Is("ldap")),
    new("ldapport", Port, Number(389)),
    new("ldapstring", Text, Is("(&(objectclass=puppetClient)(cn=%s))")),
    new("ldapclassattrs", Text, Is("puppetclass")),
    new("ldapstackedattrs", Text, Is("puppetvar")),
    new("ldapattrs", Text, Is("all")),
    new("ldapparentattr", Text, Is("parentnode")),
    new("ldapuser", Text, Is("")),
    new("ldappassword", Text, Is("")),
    new("ldapbase", Text, Is("")),
    new("storeconfigs", Boolean, Flag(false)),
    new("storeconfigs_backend", Terminus, Is("puppetdb")),
    new("max_errors", Integer, Number(10)),
    new("max_warnings", Integer, Number(10)),
    new("max_deprecations", Integer, Number(10)),
    new("strict_variables", Boolean, Flag(true)).in_7(Flag(false)),
    new("tasks", Boolean, Flag(false)),
    new("document_all", Boolean, Flag(false)),
    new("rich_data", Boolean, Flag(true)),
];

/// Functions that a Ruby of the person's own runs, and that depend on their arguments and on what they ask alone.
pub(super) const DETERMINISTIC_FUNCTIONS: &str = "deterministic_functions";

/// Where Ruby code of modules may read beside the environment, and the folders of Puppet's settings.
pub(crate) const RUBY_READS: &str = "ruby_reads";

/// Where `environments.pp` is; `none`: it does not count.
pub const ENVIRONMENTS_MANIFEST: &str = "environments_manifest";

/// Where answers are kept from one run to the next.
pub(super) const CACHE: &str = "pantin_cache";

/// How large that may grow.
pub(super) const CACHE_SIZE: &str = "pantin_cache_size";

/// Settings that the real one has not: the limits that a person may raise, and more. They are no variables of `$settings`.
pub(super) static OWN: [SettingDeclaration; 16] = [
    new(limits::MAX_DEPTH, Integer, Number(limits::CALL_DEPTH as i64)),
    new(limits::MAX_CALLS, Integer, Number(limits::CALLS as i64)),
    new(limits::MAX_TEXT_BYTES, Integer, Number(limits::TEXT_BYTES as i64)),
    new(limits::MAX_ELEMENTS, Integer, Number(limits::ELEMENTS as i64)),
    new(limits::MAX_REGEX_STEPS, Integer, Number(limits::REGEX_STEPS as i64)),
    new(limits::MAX_RESOURCES, Integer, Number(limits::RESOURCES as i64)),
    new(limits::MAX_STEPS, Integer, Number(limits::STEPS as i64)),
    new(limits::MAX_TYPE_PARTS, Integer, Number(limits::TYPE_PARTS as i64)),
    new(limits::MAX_EDGES, Integer, Number(limits::EDGES as i64)),
    new(limits::MAX_NODE_SECONDS, Integer, Number(limits::NODE_SECONDS as i64)),
    new(limits::MAX_RUBY_SECONDS, Integer, Number(limits::OWN_RUBY_SECONDS as i64)),
    new(DETERMINISTIC_FUNCTIONS, List, Texts(&[])),
    new(RUBY_READS, Path, Is("")),
    new(ENVIRONMENTS_MANIFEST, Text, Is("$confdir/environments.pp")),
    new(CACHE, Text, Is("")),
    new(CACHE_SIZE, Text, Is("")),
];
