//! The type `group`, by groupadd, groupmod and groupdel.

use pantin_machine::{Reading, Who};
use pantin_values::Value;

use super::database::{GROUP, local_entry};
use super::{LOCAL_ACCOUNTS, could_not, could_not_set, has_libuser, integer, keep_local};
use crate::context::ApplyContext;
use crate::failure::{Failure, ProviderLack};
use crate::footprint::Footprint;
use crate::managed::{ChangeMessage, Managed, Observation, Property};
use crate::resource::{AttributeRule, AttributeValues, Draft, Feature};
use crate::types::tool_command::{ToolCommand, check_provider, lack_of};
use crate::types::{NewResource, TypeEntry};
use crate::value::{is_word, symbol, text};

const INCLUSIVE_MINIMUM: &[(&str, &str)] = &[("inclusive", "inclusive"), ("minimum", "minimum")];
const PROVIDERS: &[&str] = &["aix", "directoryservice", "groupadd", "ldap", "pw", "windows_adsi"];
const MEMBERS: Feature = Feature { name: "manages_members", is_of: has_libuser };
const AIX: Feature = Feature { name: "manages_aix_lam", is_of: |_, _| false };

pub(in crate::types) const TYPE: TypeEntry = TypeEntry {
    name: "group",
    namevar: Some("name"),
    provider: Some("groupadd"),
    attributes: &[
        AttributeRule::property("ensure")
            .words(&[("present", "present"), ("absent", "absent")])
            .default_text("present"),
        AttributeRule::property("gid").converted(convert_gid),
        AttributeRule::list_property("members").needs(MEMBERS),
        AttributeRule::property("attributes").needs(AIX),
        AttributeRule::parameter("auth_membership").boolean().default_boolean(false),
        AttributeRule::parameter("name"),
        AttributeRule::parameter("allowdupe").boolean().default_boolean(false),
        AttributeRule::parameter("ia_load_module").needs(AIX),
        AttributeRule::parameter("attribute_membership").words(INCLUSIVE_MINIMUM).default_text("minimum"),
        AttributeRule::parameter("system").boolean().default_boolean(false),
        AttributeRule::parameter("forcelocal").boolean().default_boolean(false).needs(LOCAL_ACCOUNTS),
        AttributeRule::parameter("provider").checked(|given, draft| check_provider("group", PROVIDERS, given, draft)),
    ],
    validate: None,
    spread_secret: None,
    make,
};

fn convert_gid(given: &Value, _: &Draft<'_>) -> Result<Value, Failure> {
    match (integer("gid", given), given) {
        (Some(number), _) => number,
        (None, Value::String(other)) => Err(Failure::new(format!("Invalid GID {other}"))),
        (None, other) => Ok(other.clone()),
    }
}

struct Group {
    name: String,
    values: AttributeValues,
    properties: Vec<Property>,
    is_local: bool,
    /// As the machine has them, for words about a change.
    members: Vec<String>,
}

fn make(new: &NewResource<'_>) -> Result<Box<dyn Managed>, Failure> {
    Ok(Box::new(Group {
        name: new.values.text("name").unwrap_or_default(),
        properties: new.values.properties(),
        is_local: new.values.is_true("forcelocal"),
        values: new.values.clone(),
        members: Vec::new(),
    }))
}

impl Group {
    fn subject(&self) -> (&str, &str) {
        ("group", &self.name)
    }

    fn desired(&self, name: &str) -> Option<Value> {
        self.values.get(name).cloned()
    }

    /// Returns the name of a tool: that of libuser where the group is one of this machine alone.
    fn tool(&self, is_local: bool, name: &'static str) -> &'static str {
        match (is_local, name) {
            (true, "groupadd") => "lgroupadd",
            (true, "groupmod") => "lgroupmod",
            (true, "groupdel") => "lgroupdel",
            _ => name,
        }
    }

    fn run(
        &self,
        is_local: bool,
        name: &'static str,
        arguments: Vec<String>,
        context: &ApplyContext<'_>,
    ) -> Result<(), Failure> {
        let mut command = ToolCommand::new(self.tool(is_local, name), arguments, context.machine)?;
        if is_local {
            keep_local(&mut command, context)?;
        }
        command.run_to_success(context).map(drop)
    }

    /// Says whether a number may be taken twice; of a group of this machine alone this is looked at here.
    fn allow_duplicate(&self, machine: &dyn Reading) -> Result<Option<String>, Failure> {
        let allows = self.values.is_true("allowdupe");
        if !allows && self.is_local {
            if let Some(gid) = self.desired("gid").map(|gid| text(&gid).into_owned())
                && local_entry(GROUP, (2, &gid), self.subject(), machine)?.is_some()
            {
                return Err(Failure::new(format!("GID {gid} already exists, use allowdupe to force group creation")));
            }
            return Ok(None);
        }
        Ok((allows && !self.is_local).then(|| "-o".to_owned()))
    }

    fn create(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let mut arguments = Vec::new();
        if let Some(gid) = self.desired("gid") {
            arguments.extend(["-g".to_owned(), text(&gid).into_owned()]);
        }
        arguments.extend(self.allow_duplicate(context.machine)?);
        if self.values.is_true("system") {
            arguments.push("-r".to_owned());
        }
        arguments.push(self.name.clone());
        self.run(self.is_local, "groupadd", arguments, context)
            .map_err(|failure| could_not("create", self.subject(), &failure))?;
        if self.values.has("members") { self.set_members(context) } else { Ok(()) }
    }

    fn set_members(&self, context: &ApplyContext<'_>) -> Result<(), Failure> {
        let members: Vec<String> = self.values.list("members").iter().map(|member| text(member).into_owned()).collect();
        for member in members.iter().flat_map(|members| members.split(',')).map(str::trim) {
            if context.machine.user(Who::Name(member)).ok().flatten().is_none() {
                return Err(Failure::new(format!("can't find user for {member}")));
            }
        }
        let current = current_members(&self.name, context.machine);
        if self.values.is_true("auth_membership") && !current.is_empty() {
            self.run(true, "groupmod", vec!["-m".to_owned(), current.join(","), self.name.clone()], context)?;
        }
        let arguments = vec!["-M".to_owned(), members.join(","), self.name.clone()];
        self.run(true, "groupmod", arguments, context)
            .map_err(|failure| could_not_set("members", self.subject(), &failure))
    }

    fn set_gid(&self, gid: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        if !matches!(gid, Value::Integer(_)) {
            return Err(Failure::new(format!("Invalid value {}: GID must be an integer", text(gid))));
        }
        let mut arguments = vec!["-g".to_owned(), text(gid).into_owned()];
        arguments.extend(self.allow_duplicate(context.machine)?);
        arguments.push(self.name.clone());
        let is_local = self.is_local || self.values.has("members");
        self.run(is_local, "groupmod", arguments, context)
            .map_err(|failure| could_not_set("gid", self.subject(), &failure))
    }

    /// All members that the group is to have: those that are named, and the others where they may stay.
    fn wanted_members(&self) -> Vec<String> {
        let named = self.values.list("members").into_iter().map(|member| text(&member).into_owned());
        let mut wanted: Vec<String> = named.collect();
        if !self.values.is_true("auth_membership") {
            wanted.extend(self.members.iter().cloned());
        }
        wanted.sort();
        wanted.dedup();
        wanted
    }
}

fn current_members(name: &str, machine: &dyn Reading) -> Vec<String> {
    machine.group(Who::Name(name)).ok().flatten().map(|group| group.members).unwrap_or_default()
}

impl Managed for Group {
    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn lack(&self, machine: &dyn Reading) -> Option<ProviderLack> {
        let named = self.values.text("provider");
        lack_of(("group", "groupadd"), named, &["groupadd", "groupdel", "groupmod"], machine)
    }

    fn observe(&mut self, context: &ApplyContext<'_>) -> Result<Observation, Failure> {
        let gid = match self.is_local {
            true => local_entry(GROUP, (0, &self.name), self.subject(), context.machine)?
                .and_then(|entry| entry.get(2).map(Value::string)),
            false => {
                let found = context.machine.group(Who::Name(&self.name));
                found.ok().flatten().map(|group| Value::Integer(group.gid.into()))
            }
        };
        let Some(gid) = gid else { return Ok(Observation::absent(&self.properties)) };
        self.members = current_members(&self.name, context.machine);
        let members = Value::array(self.members.iter().map(Value::string));
        Ok(Observation::new().with("ensure", symbol("present")).with("gid", gid).with("members", members))
    }

    fn is_in_step(&mut self, property: &Property, is: &Value, _: &ApplyContext<'_>) -> Result<bool, Failure> {
        if property.name != "members" {
            return Ok(property.matches(is));
        }
        let mut current = self.members.clone();
        current.sort();
        current.dedup();
        Ok(current == self.wanted_members())
    }

    fn change(&mut self, property: &Property, _is: &Value, context: &ApplyContext<'_>) -> Result<(), Failure> {
        match property.name {
            "gid" => self.set_gid(&property.should(), context),
            "members" => self.set_members(context),
            _ if is_word(&property.should(), "absent") => self
                .run(self.is_local, "groupdel", vec![self.name.clone()], context)
                .map_err(|failure| could_not("delete", self.subject(), &failure)),
            _ => self.create(context),
        }
    }

    fn describe(&self, property: &Property, _is: &Value, _: &ApplyContext<'_>) -> ChangeMessage {
        match property.name {
            "members" => {
                let (is, should) = (self.members.join(","), self.wanted_members().join(","));
                ChangeMessage::Text(format!("members changed {is} to {should}"))
            }
            _ => ChangeMessage::Standard,
        }
    }

    fn show_current(&self, property: &Property, value: &Value) -> String {
        match (property.name, value) {
            ("members", Value::Array(members)) => {
                members.iter().map(|member| text(member).into_owned()).collect::<Vec<_>>().join(",")
            }
            _ => crate::value::display(value),
        }
    }

    fn show_desired(&self, property: &Property) -> String {
        match property.name {
            "members" => self.wanted_members().join(","),
            _ => crate::value::display(&property.should()),
        }
    }

    fn footprint(&self) -> Footprint {
        Footprint::Accounts(Vec::new())
    }
}
