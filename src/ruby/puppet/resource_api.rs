//! `Puppet::ResourceApi`: a type of resources as one hash that says all of it.

use std::sync::Arc;

use pantin_model::trace::Level;
use pantin_values::types::parse;
use pantin_values::{BuiltInOnly, Regexp, Str, Type};

use crate::class::{Class, Core};
use crate::interp::{CallArguments, Interp, Method, MethodKind, Visibility};
use crate::native::{NativeMethod, Side, Table, method};
use crate::stop::Flow;
use crate::table::Table as Hash;
use crate::value::Value;

pub(super) const METHODS: Table = (Core::PuppetResourceApi, Side::Class, API);

const API: &[NativeMethod] = &[
    method("register_type", 1, 1, register_type),
    // How a device is reached is nothing that a catalog holds.
    method("register_transport", 1, 1, |_, _| Ok(Value::Nil)),
];

/// What no attribute may be called.
const RESERVED: [&str; 15] = [
    "title",
    "provider",
    "alias",
    "audit",
    "before",
    "consume",
    "export",
    "loglevel",
    "noop",
    "notify",
    "require",
    "schedule",
    "stage",
    "subscribe",
    "tag",
];

/// What a provider may be able to do; of anything else is warned.
const FEATURES: [&str; 5] = ["supports_noop", "canonicalize", "custom_insync", "remote_resource", "simple_get_filter"];

/// The property of a type that has no other to compare.
const TRIGGER: &str = "rsapi_custom_insync_trigger";
const ITS_USE: &str = "it is reserved for propertyless types with the custom_insync feature";

const WRONG_ENSURE: &str =
    "`:ensure` attribute must have a type of: `Enum[present, absent]` or `Optional[Enum[present, absent]]`";

fn register_type(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Value::Hash(definition) = given.arg(0) else {
        let of = interp.class_name_of(given.arg(0));
        return interp.refuse(format!("Puppet::ResourceApi::TypeDefinition must be a Hash, not `{of}`"));
    };
    let Some(name) = definition.get_symbol("name") else {
        return interp.refuse("Puppet::ResourceApi::TypeDefinition must have a name".to_owned());
    };
    let name = interp.name_arg(&name)?;
    let attributes = interp.attributes(&name, definition)?;
    let titles = definition.get_symbol("title_patterns");
    if let Some(other) = titles.as_ref().filter(|titles| !matches!(titles, Value::Array(_))) {
        let of = interp.class_name_of(other);
        return interp.refuse(format!("`:title_patterns` must be an array, not `{of}`"));
    }
    interp.warn_of_features(definition)?;
    let has_trigger = interp.wants_trigger(definition, &attributes)?;
    interp.new_type(&name, |interp, class| {
        if has_trigger {
            interp.new_property(class, &TRIGGER.into(), Core::PuppetProperty.class(), None)?;
        }
        let mut first_namevar = None;
        for (name, behaviour) in &attributes {
            interp.define_attribute(class, name, behaviour.as_deref())?;
            if behaviour.as_deref() == Some("namevar") {
                first_namevar.get_or_insert(name);
            }
        }
        let patterns = match titles {
            Some(titles) => interp.patterns_by_group_names(&titles)?,
            None => whole_title(first_namevar),
        };
        define_title_patterns(interp, class, patterns)
    })
}

/// The names of the attributes, and how each behaves.
type Attributes = Vec<(Str, Option<Str>)>;

impl Interp<'_> {
    fn refuse<T>(&mut self, message: String) -> Flow<T> {
        self.raise(Core::PuppetDevError, message)
    }

    fn attributes(&mut self, name: &str, definition: &Hash) -> Flow<Attributes> {
        let Some(attributes) = definition.get_symbol("attributes") else {
            return self.raise(Core::KeyError, "key<attr_key> not found");
        };
        let Value::Hash(attributes) = attributes else {
            let of = self.class_name_of(&attributes);
            return self.refuse(format!("`{name}.attributes` must be a hash, not `{of}`"));
        };
        match (definition.get_symbol("docs"), definition.get_symbol("desc")) {
            (None, None) => self.undocumented(name)?,
            (Some(_), Some(desc)) if desc.is_truthy() => {
                return self.refuse(format!("`{name}` has both `desc` and `docs`, prefer using `desc`"));
            }
            _ => {}
        }
        let mut all = Vec::new();
        for (key, options) in attributes.pairs() {
            let key = self.name_arg(&key)?;
            if key == TRIGGER {
                return self.refuse(format!("`{TRIGGER}` cannot be specified as an attribute; {ITS_USE}"));
            }
            let Value::Hash(options) = &options else {
                let of = self.class_name_of(&options);
                return self.refuse(format!("`{name}.{key}` must be a Hash, not a {of}"));
            };
            if options.get_symbol("type").is_none() {
                return self.refuse(format!("`{name}.{key}` has no type"));
            }
            if options.get_symbol("desc").is_none() {
                self.undocumented(&format!("{name}.{key}"))?;
            }
            let [behaviour, behavior] =
                ["behaviour", "behavior"].map(|word| options.get_symbol(word).filter(Value::is_truthy));
            if behaviour.is_some() && behavior.is_some() {
                let message = format!("the '{key}' attribute has both a `behavior` and a `behaviour`, only use one");
                return self.refuse(message);
            }
            let behaviour = match behaviour.or(behavior) {
                Some(behaviour) => Some(self.name_arg(&behaviour)?),
                None => None,
            };
            all.push((key, behaviour));
        }
        if let Some(Value::Hash(ensure)) = attributes.get_symbol("ensure") {
            self.check_ensure(&ensure)?;
        }
        if let Some(reserved) = RESERVED.iter().find(|name| all.iter().any(|(known, _)| known == *name)) {
            return self.refuse(format!("must not define an attribute called `:{reserved}`"));
        }
        Ok(all)
    }

    /// (A type that modules have themselves is not looked into.)
    fn check_ensure(&mut self, options: &Hash) -> Flow<()> {
        let of = match options.get_symbol("type") {
            Some(written @ Value::String(_)) => self.text_of(&written)?,
            _ => return Ok(()),
        };
        match parse(&of, &mut BuiltInOnly) {
            Ok(of) if !is_ensure(&of) => self.refuse(WRONG_ENSURE.to_owned()),
            _ => Ok(()),
        }
    }

    fn undocumented(&mut self, what: &str) -> Flow<()> {
        let logged =
            self.outside.log(Level::Warning, &format!("`{what}` has no documentation, add it using a `desc` key"));
        self.outside(logged)
    }

    fn define_attribute(&mut self, class: Class, name: &Str, behaviour: Option<&str>) -> Flow<()> {
        match behaviour {
            Some("parameter" | "namevar" | "read_only") => {
                let parameter = self.new_parameter(class, name, Core::PuppetParameter.class(), None)?;
                if behaviour == Some("namevar") {
                    self.send(&Value::Class(parameter), "isnamevar", &[])?;
                }
            }
            None | Some("init_only") => {
                self.new_property(class, name, Core::PuppetProperty.class(), None)?;
            }
            Some(other) => {
                let message = format!("`{other}` is not a valid behaviour value");
                return self.raise(Core::PuppetResourceError, message);
            }
        }
        Ok(())
    }

    fn warn_of_features(&mut self, definition: &Hash) -> Flow<()> {
        let Some(features @ Value::Array(_)) = definition.get_symbol("features") else { return Ok(()) };
        let is_known = |feature: &Value| match feature {
            Value::String(name) => name.as_str().is_some_and(|name| FEATURES.contains(&&*name)),
            _ => false,
        };
        let unknown: Vec<Value> = self.array_arg(&features)?.into_iter().filter(|feature| !is_known(feature)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let shown = self.inspect(&Value::array(unknown))?;
        let said = self.outside.log(Level::Warning, &format!("Unknown feature detected: {shown}"));
        self.outside(said)
    }

    /// A type whose provider compares by itself has to have something to compare.
    fn wants_trigger(&mut self, definition: &Hash, attributes: &[(Str, Option<Str>)]) -> Flow<bool> {
        let features = match definition.get_symbol("features") {
            Some(features @ Value::Array(_)) => self.array_arg(&features)?,
            _ => Vec::new(),
        };
        let mut compares = false;
        for feature in features {
            compares |= self.text_of(&feature)? == "custom_insync";
        }
        Ok(compares && attributes.iter().all(|(_, behaviour)| behaviour.is_some()))
    }

    /// `{ pattern: …, desc: … }`: each group says by its name what it gives.
    fn patterns_by_group_names(&mut self, titles: &Value) -> Flow {
        let mut all = Vec::new();
        for title in self.array_arg(titles)? {
            let pattern = self.send(&title, "[]", &[Value::symbol("pattern")])?;
            let Value::Regex(regexp) = &pattern else {
                return self.unsupported("a title pattern that is not a regular expression");
            };
            let names: Vec<Value> = match regexp.regex() {
                Ok(regex) => regex.group_names().iter().map(|(name, _)| Value::symbol(name)).collect(),
                Err(error) => return self.raise(Core::RegexpError, error.message.clone()),
            };
            let fills = names.into_iter().map(|name| Value::array(vec![name])).collect();
            all.push(Value::pair(pattern, Value::array(fills)));
        }
        Ok(Value::array(all))
    }
}

fn is_ensure(of: &Type) -> bool {
    match of {
        Type::Optional(Some(of)) => is_ensure(of),
        Type::Variant(types) => match &types[..] {
            [Type::Undef, of] | [of, Type::Undef] => is_ensure(of),
            _ => false,
        },
        Type::Enum(of) => of.values.len() == 2 && ["absent", "present"].iter().all(|word| of.contains(word)),
        _ => false,
    }
}

/// Where nothing is said of titles, they are the first namevar.
fn whole_title(namevar: Option<&Str>) -> Value {
    let options = pantin_values::regex::Options { multi_line: true, ..Default::default() };
    let name = namevar.map_or(Value::Nil, |name| Value::Symbol(name.clone()));
    let fills = Value::array(vec![Value::array(vec![name])]);
    Value::array(vec![Value::pair(Value::Regex(Arc::new(Regexp::new("(.*)", options))), fills)])
}

/// The method of the type that hands them out.
fn define_title_patterns(interp: &mut Interp<'_>, class: Class, patterns: Value) -> Flow<()> {
    let body = interp.proc_of(&Value::native_block(move |_, _| Ok(patterns.clone())))?;
    let method = Method { kind: MethodKind::Proc(body), owner: class, visibility: Visibility::Public };
    interp.classes.define(class, Side::Class, "title_patterns".into(), method);
    Ok(())
}
