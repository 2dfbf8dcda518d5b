//! What the real Puppet said of the same settings: 7.23 and 8.10 as a server, asked through its own classes.

use std::sync::Arc;

use pantin_base::Severity;

use super::*;
use crate::environment::Environments;
use crate::table_disk::TableDisk;

fn settings_with(files: &[(&str, &str)], language: Language, given: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::new(language, Arc::new(TableDisk::from_files(files)));
    for (name, value) in given {
        settings.set(name, value).unwrap();
    }
    settings
}

fn conf(text: &str) -> Result<(Settings, Vec<Remark>), String> {
    let mut settings = settings_with(&[("/c/puppet.conf", text)], Language::Puppet7, &[("confdir", "/c")]);
    let remarks = settings.read_conf()?;
    Ok((settings, remarks))
}

#[test]
fn a_command_of_a_person_obeys_the_section_user() {
    let text = "[main]\ntags = a\n[server]\ntags = b\n[user]\ntags = c\n";
    let mut settings = settings_with(&[("/c/puppet.conf", text)], Language::Puppet8, &[("confdir", "/c")]);
    settings.read_conf().unwrap();
    assert_eq!(settings.text("tags").unwrap(), "b");
    assert_eq!(settings.with_run_mode(RunMode::User).text("tags").unwrap(), "c");
}

#[test]
fn somebody_who_is_not_root_has_files_at_home() {
    let settings = settings_with(&[], Language::Puppet8, &[]);
    let [root, person] =
        [RunMode::User, RunMode::Person].map(|mode| settings.clone().with_run_mode(mode).text("statedir").unwrap());
    assert_eq!(root, "/opt/puppetlabs/puppet/cache/state");
    assert!(person.ends_with("/.puppetlabs/opt/puppet/cache/state"), "{person}");
}

fn shown(value: &Value) -> String {
    match value {
        Value::Undef => "undef".to_owned(),
        Value::Float(_) => "Infinity".to_owned(),
        Value::Array(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Value::Boolean(flag) => flag.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::String(text) => format!("\"{text}\""),
        other => format!("{other:?}"),
    }
}

#[test]
fn the_settings_scope_is_that_of_the_real_one() {
    let given = [
        ("confdir", "/c"),
        ("vardir", "/v"),
        ("codedir", "/code"),
        ("rundir", "/run/p"),
        ("logdir", "/log"),
        ("publicdir", "/pub"),
        ("certname", "puppet.example.org"),
        ("basemodulepath", "$codedir/modules"),
        ("environmentpath", "/env"),
    ];
    for (language, real) in [
        (Language::Puppet7, include_str!("real_7.txt")),
        (Language::Puppet8, include_str!("real_8.txt")),
        (Language::OpenVox8, include_str!("real_openvox8.txt")),
    ] {
        let settings = settings_with(&[("/env/production/", "")], language, &given);
        let environment = Environments { settings: &settings }.load("production").unwrap().environment;
        let lines =
            environment.settings.iter().map(|(name, value)| format!("{} = {}", name.as_str().unwrap(), shown(value)));
        let (ours, real): (Vec<_>, Vec<_>) = (lines.collect(), real.lines().collect());
        for (ours, real) in ours.iter().zip(&real) {
            assert_eq!(ours, real);
        }
        assert_eq!(ours.len(), real.len());
    }
}

#[test]
fn sections_have_their_order_and_the_first_line_counts() {
    let (settings, remarks) =
        conf("noop = TRUE\n[server]\nnoop=false\n[main]\nmasterport = 7\nmasterport = 8\n").unwrap();
    assert_eq!(remarks, []);
    assert_eq!(settings.value("noop"), Ok(Value::Boolean(false)));
    assert_eq!(settings.value("serverport"), Ok(Value::Integer(7)));
    let (settings, _) = conf("[agent]\nnoop=true\n[master]\nvardir = /a b {owner=root, mode=644}\n").unwrap();
    assert_eq!(settings.value("noop"), Ok(Value::Boolean(false)));
    assert_eq!(settings.text("statedir").unwrap(), "/a b/state");
}

#[test]
fn a_file_that_cannot_be_parsed_is_left_out() {
    let place = |line: u32| format!("(file: /c/puppet.conf, line: {line})");
    for (text, reason) in [
        ("[main]\nfoo\n", format!("Could not match line foo\n {}", place(2))),
        ("[main]\na b = c\n", format!("Could not match line a b = c\n {}", place(2))),
        ("[ main ]\n", format!("Could not match line [ main ]\n {}", place(1))),
        ("[main]\nvardir = /x {bad=1}\n", "Invalid file option 'bad'".to_owned()),
        (
            "[bogus]\na=1\n",
            format!(
                "Illegal section 'bogus' in config file at {}. The only valid puppet.conf sections are: [main, server, \
                 master, agent, user]. Please use the directory environments feature to specify environments. (See \
                 https://puppet.com/docs/puppet/latest/environments_about.html)",
                place(1)
            ),
        ),
    ] {
        let (settings, remarks) = conf(text).unwrap();
        let expected = format!("Could not parse /c/puppet.conf: {reason}");
        assert_eq!(remarks, [Remark { severity: Severity::Error, text: expected }]);
        assert_eq!(settings.text("vardir").unwrap(), "/opt/puppetlabs/puppet/cache");
    }
}

#[test]
fn what_may_not_be_set_is_an_error() {
    for (text, reason) in [
        ("certname = UPPER", "Certificate names must be lower case"),
        ("modulepath = /x", "Cannot set modulepath settings in puppet.conf"),
        ("strict = maybe", "Invalid value 'maybe' for parameter strict. Allowed values are 'off', 'warning', 'error'"),
        (
            "disable_warnings = foo,deprecations",
            "Cannot disable unrecognized warning types 'foo'. Valid values are 'deprecations, undefined_variables, \
             undefined_resources'.",
        ),
        (
            "disable_per_environment_manifest = true",
            "The 'default_manifest' setting must be set to an absolute path when 'disable_per_environment_manifest' is \
             true",
        ),
        (
            "node_name_fact = x\nnode_name_value = y",
            "Cannot specify both the node_name_value and node_name_fact settings",
        ),
        (
            "basemodulepath = $nope/x",
            "Error converting value for param 'basemodulepath': Could not find value for $nope",
        ),
    ] {
        assert_eq!(
            conf(text).unwrap_err(),
            format!("Could not initialize global default settings: {reason}"),
            "{text}"
        );
    }
}

#[test]
fn a_value_that_does_not_fit_is_an_error_for_who_asks() {
    for (text, name, reason) in [
        ("noop = maybe", "noop", "Invalid value '\"maybe\"' for boolean parameter: noop"),
        (
            "environment_timeout = 3x",
            "environment_timeout",
            "Invalid 'time to live' format '\"3x\"' for parameter: environment_timeout",
        ),
        ("max_errors = 3x", "max_errors", "Cannot convert '\"3x\"' to an integer for parameter: max_errors"),
        ("serverport = 99999", "serverport", "Value '99999' is not a valid port number for parameter: masterport"),
        ("libdir = $statedir\nstatedir = $libdir", "libdir", "leads back to itself"),
    ] {
        let reason_given = conf(text).and_then(|(settings, _)| settings.value(name)).unwrap_err();
        assert!(reason_given.contains(reason), "{reason_given}");
    }
}

#[test]
fn the_environment_stays_where_it_may_not_be_put_in() {
    let (settings, remarks) = conf("environment_timeout = 3m\nbasemodulepath = /$environment/x\n").unwrap();
    let text = "You cannot interpolate $environment within 'basemodulepath' when using directory environments. Its \
                value will remain /$environment/x.";
    assert_eq!(remarks, [Remark::warning(text.to_owned())]);
    assert_eq!(settings.text("basemodulepath").unwrap(), "/$environment/x");
    assert_eq!(settings.value("environment_timeout"), Ok(Value::Integer(180)));
}

#[test]
fn a_setting_that_is_not_there_is_named() {
    let mut settings = settings_with(&[], Language::Puppet7, &[]);
    assert_eq!(settings.set("strct", "off").unwrap_err(), "there is no setting 'strct'; did you mean strict?");
    assert!(settings.set("allow_pson_serialization", "true").is_err());
    assert!(settings.set("strict", "often").is_err());
}

/// What the real one has not: limits. They can be said wherever a setting can, and are no variables.
#[test]
fn limits_are_settings_of_our_own() {
    let (settings, _) = conf("[main]\nmax_calls = 7\n[server]\nmax_depth = 0x10\n").unwrap();
    assert_eq!((settings.limit("max_calls"), settings.limit("max_depth")), (Ok(7), Ok(16)));
    assert_eq!(settings.limit("max_elements"), Ok(pantin_base::limits::ELEMENTS));
    assert!(settings.names().all(|name| name != "max_calls"));
    let mut other = settings.clone();
    other.set("max_elements", "5").unwrap();
    assert_ne!(settings.shape(""), other.shape(""));
    for wrong in ["0", "-3", "many"] {
        assert!(other.set("max_depth", wrong).is_err(), "{wrong}");
        assert!(conf(&format!("max_text_bytes = {wrong}\n")).is_err(), "{wrong}");
    }
    assert_eq!(other.set("max_depht", "5").unwrap_err(), "there is no setting 'max_depht'; did you mean max_depth?");
}

#[test]
fn where_answers_are_kept_is_no_part_of_what_they_rest_on() {
    let (settings, _) = conf("[main]\npantin_cache = $vardir/kept\npantin_cache_size = 8M\n").unwrap();
    let vardir = settings.text("vardir").unwrap();
    assert_eq!(settings.cache(), Ok(Wish { first: None, last: Some(format!("{vardir}/kept")) }));
    let mut other = settings.clone();
    other.set("pantin_cache", "/here").unwrap();
    assert_eq!(other.cache(), Ok(Wish { first: Some("/here".to_owned()), last: None }));
    assert_eq!(other.cache_size(), Ok(Wish { first: None, last: Some("8M".to_owned()) }));
    assert_eq!(settings.shape(""), other.shape(""));
    assert_eq!(conf("").unwrap().0.cache(), Ok(Wish::default()));
}

#[test]
fn functions_that_are_declared_deterministic_are_a_list() {
    let (settings, _) = conf("[main]\ndeterministic_functions = a::b, c\n").unwrap();
    assert_eq!(settings.deterministic_functions(), Ok(vec!["a::b".to_owned(), "c".to_owned()]));
    assert!(settings.names().all(|name| name != "deterministic_functions"));
    assert!(Settings::limit_names().all(|name| name != "deterministic_functions"));
    let mut other = settings.clone();
    other.set("deterministic_functions", "a::b").unwrap();
    assert_ne!(settings.shape(""), other.shape(""));
    let (settings, _) = conf("").unwrap();
    assert_eq!(settings.deterministic_functions(), Ok(Vec::new()));
}
