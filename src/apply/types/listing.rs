//! How all resources of a type are found on a machine, without a catalog.

use pantin_machine::Reading;
use pantin_values::Value;

use super::{accounts, cron, host, keys, mount, package, service};
use crate::context::ApplyContext;
use crate::failure::Failure;
use crate::managed::Observation;
use crate::provider::ProviderEntry;

/// How all resources of a type are found.
pub(crate) enum Listing {
    /// The provider of this machine lists them.
    Provided(fn(&dyn Reading) -> Option<&'static ProviderEntry>),
    Found(fn(&ApplyContext<'_>) -> Result<Vec<ListedResource>, Failure>),
    /// There is none but in catalogs.
    Nothing,
}

/// A resource that was found.
#[derive(Default)]
pub(crate) struct ListedResource {
    pub name: String,
    /// What tells where it was found.
    pub parameters: Vec<(&'static str, Value)>,
    /// Its properties, where they were found in the same go.
    pub state: Option<Observation>,
}

/// What a provider of Ruby says that lists nothing.
const UNLISTED: &str = "To support listing resources of this type the 'ruby' provider needs to implement an 'instances' class \
    method returning the current set of resources. We recommend porting your module to the simpler Resource API instead: \
    https://puppet.com/search/docs?keys=resource+api";

/// Returns how resources of a type are found, or why they cannot be.
pub(crate) fn listing(type_name: &str) -> Result<Listing, Failure> {
    Ok(match type_name {
        "package" => Listing::Provided(package::provider_entry),
        "service" => Listing::Found(service::list),
        "user" => Listing::Found(|context| Ok(accounts("passwd", context))),
        "group" => Listing::Found(|context| Ok(accounts("group", context))),
        "host" => Listing::Found(|context| records(&host::PROVIDER, context)),
        "cron" => Listing::Found(jobs),
        "mount" => Listing::Found(mounts),
        "sshkey" => Listing::Found(host_keys),
        // Where keys of users are is not known without users.
        "ssh_authorized_key" | "exec" | "schedule" | "tidy" => Listing::Nothing,
        "ini_setting" => {
            let why = "Ini_settings only support collecting instances when a file path is hard coded";
            return Err(Failure::new(why));
        }
        "file_line" | "ini_subsetting" => return Err(Failure::new(UNLISTED)),
        _ => return Err(Failure::new(format!("{type_name} has no providers and has not overridden 'instances'"))),
    })
}

fn accounts(database: &'static str, context: &ApplyContext<'_>) -> Vec<ListedResource> {
    let named = |(name, _)| ListedResource { name, ..ListedResource::default() };
    accounts::names(database, context.machine, context.stop).into_iter().map(named).collect()
}

/// Lists the records that a provider finds, each name once.
pub(super) fn records(
    provider: &'static ProviderEntry,
    context: &ApplyContext<'_>,
) -> Result<Vec<ListedResource>, Failure> {
    let mut found: Vec<ListedResource> = Vec::new();
    for row in context.list(provider)? {
        if !found.iter().any(|known| known.name == row.name) {
            let target = row.state.get("target").map(|target| ("target", target.clone()));
            let parameters = target.into_iter().collect();
            found.push(ListedResource { name: row.name, parameters, state: Some(row.state) });
        }
    }
    Ok(found)
}

/// Lists the jobs of all users. The user of a job is the one whose table it stands in.
pub(crate) fn jobs(context: &ApplyContext<'_>) -> Result<Vec<ListedResource>, Failure> {
    let mut found = records(&cron::PROVIDER, context)?;
    for job in &mut found {
        if let [("target", user)] = &job.parameters[..] {
            let user = user.clone();
            job.state.iter_mut().for_each(|state| state.set("user", user.clone()));
            job.parameters.push(("user", user));
        }
    }
    Ok(found)
}

/// Lists the keys of other machines. One is known by the host's name and the kind of key.
pub(super) fn host_keys(context: &ApplyContext<'_>) -> Result<Vec<ListedResource>, Failure> {
    let mut found = records(&keys::SSHKEY_PROVIDER, context)?;
    for key in &mut found {
        if let Some((host, kind)) = key.name.split_once('@') {
            key.parameters.extend([("name", Value::string(host)), ("type", Value::string(kind))]);
        }
    }
    Ok(found)
}

/// Lists what the table of file systems has, and what is mounted without it.
pub(super) fn mounts(context: &ApplyContext<'_>) -> Result<Vec<ListedResource>, Failure> {
    let mut found = records(&mount::PROVIDER, context)?;
    for path in mount::mounted(context.machine)? {
        if !found.iter().any(|known| known.name == path) {
            found.push(ListedResource { name: path, ..ListedResource::default() });
        }
    }
    Ok(found)
}
