//! The attributes of a service, and what they may be.

use pantin_base::Language;
use pantin_machine::Reading;
use pantin_values::Value;

use super::super::native_provider::NativeProvider;
use super::super::tool_command::check_provider as check_named_provider;
use super::provider::ServiceProvider;
use crate::failure::Failure;
use crate::resource::{AttributeRule, Draft, Feature, munging_failed};
use crate::types::ruby_values::no_method;
use crate::value::text;

const TRUE_FALSE: &[(&str, &str)] = &[("true", "true"), ("false", "false")];

pub(super) const ATTRIBUTES: &[AttributeRule] = &[
    AttributeRule::property("ensure").words(&[
        ("stopped", "stopped"),
        ("running", "running"),
        ("false", "stopped"),
        ("true", "running"),
    ]),
    ENABLE.checked(check_enable),
    AttributeRule::property("logonaccount").needs(FOREIGN_ALONE[0]),
    AttributeRule::property("flags").needs(FOREIGN_ALONE[1]),
    AttributeRule::parameter("logonpassword").needs(FOREIGN_ALONE[0]),
    AttributeRule::parameter("binary"),
    AttributeRule::parameter("hasstatus").words(TRUE_FALSE).default_text("true"),
    AttributeRule::parameter("name"),
    AttributeRule::parameter("path").converted(convert_path).default_made(default_path),
    AttributeRule::parameter("pattern").default_made(|draft| draft.get("binary").or(draft.get("name")).cloned()),
    AttributeRule::parameter("restart"),
    AttributeRule::parameter("start"),
    AttributeRule::parameter("status"),
    AttributeRule::parameter("stop"),
    AttributeRule::parameter("control"),
    AttributeRule::parameter("hasrestart").words(TRUE_FALSE),
    AttributeRule::parameter("manifest"),
    AttributeRule::parameter("timeout").needs(FOREIGN_ALONE[2]),
    AttributeRule::parameter("provider").checked(check_provider).default_made(usual_provider),
];

const ENABLE: AttributeRule = AttributeRule::property("enable").needs(ENABLEABLE).words(&[
    ("true", "true"),
    ("false", "false"),
    ("manual", "manual"),
    ("mask", "mask"),
    ("delayed", "delayed"),
]);

const ENABLEABLE: Feature = Feature { name: "enableable", is_of: |provider, _| has_feature(provider, "enableable") };

/// What none of the providers here can do; those from elsewhere are taken to have it.
const FOREIGN_ALONE: [Feature; 3] = [
    Feature { name: "manages_logon_credentials", is_of: is_foreign },
    Feature { name: "flaggable", is_of: is_foreign },
    Feature { name: "configurable_timeout", is_of: is_foreign },
];

fn is_foreign(provider: &str, _: &dyn Reading) -> bool {
    ServiceProvider::from_name(provider).is_none()
}

fn has_feature(provider: &str, feature: &str) -> bool {
    // The same in every version.
    crate::check::has_feature("service", provider, feature, Language::default()).unwrap_or(true)
}

fn check_enable(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    let Some(word) = ENABLE.symbol(given) else { return Err(ENABLE.invalid(given)) };
    let feature = match word {
        "manual" => "manual_startable",
        "mask" => "maskable",
        "delayed" => "delayed_startable",
        _ => return Ok(()),
    };
    let Some(provider) = draft.text("provider") else { return Ok(()) };
    match has_feature(&provider, feature) {
        true => Ok(()),
        false => Err(Failure::new(format!(
            "Provider {provider} must have features '{feature}' to set 'enable' to '{}'",
            text(given)
        ))),
    }
}

/// Returns the provider of services that name none, by the machine or by the facts of a node.
fn usual_provider(draft: &Draft<'_>) -> Option<Value> {
    let usual = match draft.node() {
        Some(node) => node.usual_provider("service"),
        None => ServiceProvider::usual(draft.machine).map(ServiceProvider::name),
    };
    usual.map(Value::string)
}

fn check_provider(given: &Value, draft: &Draft<'_>) -> Result<(), Failure> {
    let known: Vec<&str> = ServiceProvider::known_names().collect();
    check_named_provider("service", &known, given, draft)
}

/// Makes one list of folders of texts that have several each.
fn convert_path(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    let mut folders = Vec::new();
    collect_folders(given, &mut folders).map_err(|detail| munging_failed("path", given, &detail))?;
    Ok(Value::array(folders))
}

fn collect_folders(given: &Value, folders: &mut Vec<Value>) -> Result<(), String> {
    match given {
        Value::Array(items) => items.iter().try_for_each(|item| collect_folders(item, folders)),
        Value::String(text) => {
            folders.extend(text.split(':').filter(|folder| !folder.is_empty()).map(Value::string));
            Ok(())
        }
        other => Err(no_method("split", other)),
    }
}

/// Returns where the providers look that have init scripts.
fn default_path(draft: &Draft<'_>) -> Option<Value> {
    let provider = ServiceProvider::from_name(&draft.text("provider")?)?;
    matches!(provider, ServiceProvider::Debian | ServiceProvider::Init).then(|| Value::string("/etc/init.d"))
}
