//! The attributes of `user`: how they are checked and converted.

use pantin_machine::Who;
use pantin_values::{Value, ruby_class};

use super::super::{LOCAL_ACCOUNTS, integer};
use crate::failure::Failure;
use crate::log::Level;
use crate::resource::{AttributeRule, Draft, Feature, Pattern, munging_failed};
use crate::types::ruby_values::{any_line, text_to_check};
use crate::types::tool_command::check_provider;
use crate::value::{inspect, symbol, text};

const INCLUSIVE_MINIMUM: &[(&str, &str)] = &[("inclusive", "inclusive"), ("minimum", "minimum")];
const PROVIDERS: &[&str] =
    &["aix", "directoryservice", "hpuxuseradd", "ldap", "openbsd", "pw", "user_role_add", "useradd", "windows_adsi"];

const ROLES: Feature = Feature { name: "manages_roles", is_of: |_, _| false };
const SOLARIS: Feature = Feature { name: "manages_solaris_rbac", ..ROLES };
const AIX: Feature = Feature { name: "manages_aix_lam", ..ROLES };
const SALT: Feature = Feature { name: "manages_password_salt", ..ROLES };
const LOGIN_CLASS: Feature = Feature { name: "manages_loginclass", ..ROLES };

const DATE: Pattern = Pattern { shown: r"/^\d{4}-\d{2}-\d{2}$/", matches: is_date };

pub(super) const ATTRIBUTES: &[AttributeRule] = &[
    AttributeRule::property("ensure")
        .words(&[("present", "present"), ("absent", "absent"), ("role", "role")])
        .checked(check_ensure)
        .default_made(default_ensure),
    AttributeRule::property("home"),
    AttributeRule::property("uid").converted(|given, _| convert_number("uid", given)),
    AttributeRule::property("gid").converted(|given, _| convert_number("gid", given)),
    AttributeRule::property("comment"),
    AttributeRule::property("shell"),
    AttributeRule::property("password").checked(check_password),
    AttributeRule::property("password_min_age")
        .checked(|given, _| check_days("Password minimum age", given))
        .converted(convert_days),
    AttributeRule::property("password_max_age")
        .checked(|given, _| check_days("Password maximum age", given))
        .converted(convert_days),
    AttributeRule::property("password_warn_days")
        .checked(|given, _| check_days("Password warning days", given))
        .converted(convert_days),
    AttributeRule::property("groups").checked(check_group),
    AttributeRule::property("expiry").words(&[("absent", "absent")]).patterns(&[DATE]).checked(check_expiry),
    AttributeRule::property("roles").needs(ROLES),
    AttributeRule::property("auths").needs(SOLARIS),
    AttributeRule::property("profiles").needs(SOLARIS),
    AttributeRule::property("keys").needs(SOLARIS),
    AttributeRule::property("project").needs(SOLARIS),
    AttributeRule::property("attributes").needs(AIX),
    AttributeRule::property("salt").needs(SALT),
    AttributeRule::property("iterations").needs(SALT),
    AttributeRule::property("loginclass").needs(LOGIN_CLASS),
    AttributeRule::parameter("name"),
    AttributeRule::parameter("membership").words(INCLUSIVE_MINIMUM).default_text("minimum"),
    AttributeRule::parameter("system").boolean().default_boolean(false),
    AttributeRule::parameter("allowdupe").boolean().default_boolean(false),
    AttributeRule::parameter("managehome").boolean().checked(check_managehome).default_boolean(false),
    AttributeRule::parameter("role_membership").words(INCLUSIVE_MINIMUM).default_text("minimum"),
    AttributeRule::parameter("auth_membership").words(INCLUSIVE_MINIMUM).default_text("minimum"),
    AttributeRule::parameter("profile_membership").words(INCLUSIVE_MINIMUM).default_text("minimum"),
    AttributeRule::parameter("key_membership").words(INCLUSIVE_MINIMUM).default_text("minimum"),
    AttributeRule::parameter("ia_load_module").needs(AIX),
    AttributeRule::parameter("attribute_membership").words(INCLUSIVE_MINIMUM).default_text("minimum"),
    AttributeRule::parameter("forcelocal").boolean().default_boolean(false).needs(LOCAL_ACCOUNTS),
    AttributeRule::parameter("purge_ssh_keys")
        .checked(check_key_files)
        .converted(convert_key_files)
        .default_boolean(false),
    AttributeRule::parameter("provider").checked(|given, draft| check_provider("user", PROVIDERS, given, draft)),
];

fn check_ensure(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match &*text(given) {
        "present" | "absent" => Ok(()),
        "role" => {
            Err(Failure::new("Provider useradd must have features 'manages_solaris_rbac' to set 'ensure' to 'role'"))
        }
        _ => Err(Failure::new(format!("Invalid value {}. Valid values are present, absent, role.", inspect(given)))),
    }
}

/// A user of whom something is said is there.
fn default_ensure(draft: &Draft<'_>) -> Option<Value> {
    let says_anything = draft.values.properties().iter().any(|property| property.is_desired());
    (says_anything || draft.values.is_given("groups")).then(|| symbol("present"))
}

fn convert_number(name: &str, given: &Value) -> Result<Value, Failure> {
    integer(name, given).unwrap_or_else(|| Ok(given.clone()))
}

fn check_password(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match given {
        Value::String(password) if password.contains(':') => Err(Failure::new("Passwords cannot include ':'")),
        _ => Ok(()),
    }
}

fn check_managehome(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match &*text(given).to_lowercase() {
        "true" | "false" | "yes" | "no" => Ok(()),
        _ => Err(munging_failed("managehome", given, "expected a boolean value")),
    }
}

fn check_days(what: &str, given: &Value) -> Result<(), Failure> {
    let days = text(given);
    let is_number = |line: &str| {
        let digits = line.strip_prefix('-').unwrap_or(line);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    if any_line(&days, is_number) {
        return Ok(());
    }
    Err(Failure::new(format!("{what} must be provided as a number.")))
}

fn convert_days(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    let days = text(given);
    days.trim().parse().map(Value::Integer).map_err(|_| Failure::new(format!("{days} days are too many")))
}

fn check_group(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match given {
        // Of a list in a list, nothing is matched.
        Value::Array(items) if !items.is_empty() => return Ok(()),
        Value::Array(_) | Value::Hash(_) => {}
        other => drop(text_to_check("groups", "include?", other)?),
    }
    let name = text(given);
    let message = match () {
        () if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) => {
            "Group names must be provided, not GID numbers."
        }
        () if name.contains(',') => "Group names must be provided as an array, not a comma-separated list.",
        () if name.is_empty() => {
            "Group names must not be empty. If you want to specify \"no groups\" pass an empty array"
        }
        () => return Ok(()),
    };
    Err(Failure::new(message))
}

fn is_date(given: &str) -> bool {
    any_line(given, is_one_date)
}

fn is_one_date(given: &str) -> bool {
    given.len() == 10
        && given.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

fn check_expiry(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    match &*text(given) {
        "absent" => Ok(()),
        date if is_date(date) => Ok(()),
        _ => Err(Failure::new("Expiry dates must be YYYY-MM-DD or the string \"absent\"")),
    }
}

fn check_key_files(given: &Value, _: &Draft<'_>) -> Result<(), Failure> {
    if matches!(&*text(given), "true" | "false") {
        return Ok(());
    }
    let files: &[Value] = match given {
        Value::Array(files) => files,
        file @ Value::String(_) => std::slice::from_ref(file),
        other => {
            let shown = inspect(other);
            return Err(Failure::new(format!(
                "purge_ssh_keys must be true, false, or an array of file names, not {shown}"
            )));
        }
    };
    for file in files {
        let Value::String(path) = file else {
            let class = ruby_class(file);
            return Err(Failure::new(format!("Each entry for purge_ssh_keys must be a string, not a {class}")));
        };
        if !["/", "~/", "%h/"].iter().any(|start| path.starts_with(start)) {
            return Err(Failure::new(format!("Paths to keyfiles must be absolute, not {path}")));
        }
    }
    Ok(())
}

/// Turns what is said of files of keys into their paths. Where the user's home is unknown, those in it are left out.
fn convert_key_files(given: &Value, draft: &Draft<'_>) -> Result<Value, Failure> {
    let files = match &*text(given) {
        "false" => Vec::new(),
        "true" => vec![Value::string("~/.ssh/authorized_keys")],
        _ => match given {
            Value::Array(files) => files.to_vec(),
            one => vec![one.clone()],
        },
    };
    let in_home = |file: &str| file.strip_prefix("~/").or_else(|| file.strip_prefix("%h/")).map(str::to_owned);
    let home = match files.iter().any(|file| in_home(&text(file)).is_some()) {
        true => home_of(draft),
        false => None,
    };
    let path = |file: &Value| match (in_home(&text(file)), &home) {
        (None, _) => Some(file.clone()),
        (Some(inside), Some(home)) => Some(Value::string(format!("{home}/{inside}"))),
        (Some(_), None) => None,
    };
    Ok(Value::array(files.iter().filter_map(path)))
}

/// The home that the resource gives the user, or the one that the user has.
fn home_of(draft: &Draft<'_>) -> Option<String> {
    let name = draft.text("name").unwrap_or_default();
    let found = || draft.machine.user(Who::Name(&name)).ok().flatten().map(|user| user.home);
    let home = draft.text("home").or_else(found);
    if home.is_none() {
        draft.say(Level::Debug, format!("User '{name}' does not exist"));
    }
    home
}
