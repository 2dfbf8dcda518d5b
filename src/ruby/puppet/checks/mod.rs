//! Checks of resources by the Ruby of their type: the file of the type is run once, and then each resource is made as an agent makes it,
//! until an attribute or the type refuses it.
//!
//! What looks at the machine, and whatever else is not run here, makes the value of an attribute unknown; what depends on that is not
//! judged. Code that would leave something behind for the next resource is not run either.

mod attributes;
mod light;
mod plans;
mod resources;
#[cfg(test)]
mod tests;
mod values;
mod words;

use std::rc::Rc;

use pantin_base::budget::Steps;
use pantin_values::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use self::light::{LightVerdict, Pending, ValueVerdict};
use self::plans::Plans;
use self::values::AllowedValues;
use super::type_table::TypeFile;
use crate::class::{Class, Core};
use crate::error::RubyError;
use crate::interp::Interp;
use crate::native::Table;
use crate::outside::Outside;
use crate::stop::{Flow, Stop};
use crate::survey;
use crate::table::Table as Entries;
use crate::value::Value;

pub(super) use words::{
    alias_value, default_values, feature_needed, give_default, hear_block, list_matching, new_value, new_values,
    no_default, unmanaged,
};

pub(super) const TABLES: [Table; 9] = [
    resources::OF_RESOURCES,
    attributes::OF_PARAMETERS,
    attributes::OF_PROPERTIES,
    attributes::OF_ENSURE,
    attributes::OF_BOOLEAN_PARAMETERS,
    attributes::OF_BOOLEAN_PROPERTIES,
    attributes::OF_PATHS,
    attributes::OF_PACKAGE_OPTIONS,
    resources::OF_PROVIDERS,
];

pub(super) const MORE_TABLES: [Table; 6] = [
    attributes::OF_LISTS,
    attributes::OF_PAIRS,
    attributes::OF_FILE_OWNERS,
    attributes::OF_FILE_GROUPS,
    attributes::OF_FILE_MODES,
    attributes::OF_FILE_SOURCES,
];

/// So many steps may one resource take.
const STEPS: u64 = 1_000_000;

/// What is known of the attributes of a type that is checked, and of the resource that is being made.
#[derive(Default)]
pub(super) struct Checks {
    values: FxHashMap<Class, Rc<AllowedValues>>,
    /// Attributes that are left out where the provider lacks something.
    featured: FxHashSet<Class>,
    /// Properties of which all values count.
    lists: FxHashSet<Class>,
    unmanaged: FxHashSet<Class>,
    /// Attributes of the resource whose values nobody knows.
    unknown: FxHashSet<Str>,
    /// The names of the type's attributes in the order in which they are set, and the namevar, where there is one.
    names: Rc<[Str]>,
    namevar: Option<Str>,
    /// Attributes that take any value as it is: by class, whether they are so.
    plain: FxHashMap<Class, bool>,
    plans: Rc<Plans>,
    /// What came of values that attributes judge alone, by the number of the attribute, whether it was a text, and the text.
    judged: FxHashMap<(usize, bool, Str), ValueVerdict>,
    /// The attributes that are made of the resource.
    attributes: Rc<Entries>,
    /// Those that are made when somebody asks for them, by their numbers among the planned ones.
    pending: Vec<Pending>,
    /// Code of the type reads variables of a resource that are there only when it is made as a whole.
    reads_hidden: bool,
    has_provider: bool,
    /// Code of one attribute may set another one.
    sets_attributes: bool,
}

/// A resource as its catalog has it.
#[derive(Clone, Copy, Debug)]
pub struct CheckedResource<'r> {
    pub title: &'r str,
    /// `Ini_setting[x]`
    pub reference: &'r str,
    /// What the title says, and what is given.
    pub attributes: &'r [(Str, pantin_values::Value)],
}

/// Checks resources of one type, for as long as it is kept.
pub struct TypeChecker {
    interp: Interp<'static>,
    class: Class,
    /// A run has ended in a way after which nothing can be relied on.
    is_spent: bool,
}

impl std::fmt::Debug for TypeChecker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypeChecker").finish_non_exhaustive()
    }
}

impl TypeChecker {
    /// Runs the file of a type. `None`: it does not declare the type in a way that says what resources take.
    pub fn new(file: &TypeFile, outside: Box<dyn Outside>) -> Result<Option<TypeChecker>, RubyError> {
        let _steps = Steps::begin(u64::MAX);
        let mut interp = Interp::owning(file.script.clone(), outside);
        let sets_attributes = survey::sets_attributes(&file.script);
        interp.declared.checks = Some(Box::new(Checks { sets_attributes, ..Checks::default() }));
        let class = match interp.declare_type(file) {
            Ok(class) => class,
            Err(stop) => return Err(interp.into_error(*stop)),
        };
        let Some(class) = class.filter(|class| !has_own_beginning(&interp, *class)) else { return Ok(None) };
        let has_provider =
            interp.declared_type(class).is_some_and(|of| of.parameters.iter().any(|each| each.name == "provider"));
        let (names, namevars) = match interp.attribute_names(class).and_then(|names| {
            let namevars = interp.key_attributes(class)?;
            Ok((names, namevars))
        }) {
            Ok(found) => found,
            Err(stop) => return Err(interp.into_error(*stop)),
        };
        let checks = interp.checks();
        checks.has_provider = has_provider;
        checks.names = names.into();
        checks.namevar = if let [only] = &namevars[..] { Some(only.clone()) } else { None };
        interp.seal();
        let plans = interp.plan(class);
        interp.checks().plans = Rc::new(plans);
        interp.park();
        Ok(Some(TypeChecker { interp, class, is_spent: false }))
    }

    /// Returns why the agent would refuse a resource. `None`: it takes it, or nobody knows.
    pub fn refusal(&mut self, resource: CheckedResource<'_>) -> Option<String> {
        // Whose resource it is does not matter, nor how many were checked before.
        let _steps = Steps::begin(STEPS);
        self.interp.resume();
        let refusal = match self.interp.verdict(self.class, resource) {
            LightVerdict::Taken | LightVerdict::Unknown => None,
            LightVerdict::Open => self.interp.refusal(self.class, resource),
        };
        self.is_spent |= !self.interp.is_fit_for_more();
        self.interp.park();
        refusal
    }

    /// Returns true if another checker has to be made for the next resource.
    pub fn is_spent(&self) -> bool {
        self.is_spent
    }
}

/// Returns true if a type makes its resources in a way of its own.
fn has_own_beginning(interp: &Interp<'_>, class: Class) -> bool {
    const WAYS: [&str; 6] = ["initialize", "newattr", "set_default", "set_parameters", "provider", "validate_resource"];
    WAYS.iter().any(|name| interp.instance_method(class, name).is_some_and(|method| method.is_own()))
}

impl Interp<'_> {
    fn checks(&mut self) -> &mut Checks {
        self.declared.checks.get_or_insert_default()
    }

    fn verdict(&mut self, class: Class, resource: CheckedResource<'_>) -> LightVerdict {
        self.checks().unknown.clear();
        if self.checks().reads_hidden {
            return LightVerdict::Open;
        }
        let verdict = self.judge_lightly(class, resource);
        if verdict == LightVerdict::Open {
            self.forget_lack();
        }
        verdict
    }

    /// Refuses a variable of a resource that is there only when it is made as a whole.
    pub(crate) fn refuse_hidden_variable(&mut self, object: &Value, name: &Str) -> Flow<()> {
        let is_hidden = matches!(name.as_str(), "@parameters" | "@original_parameters")
            && self.is_a(object, Core::PuppetType.class());
        if !is_hidden {
            return Ok(());
        }
        self.checks().reads_hidden = true;
        self.unsupported(format!("the variable {name} of a resource"))
    }

    fn refusal(&mut self, class: Class, resource: CheckedResource<'_>) -> Option<String> {
        self.checks().unknown.clear();
        let stop = self.make_resource(class, resource).err()?;
        let Stop::Raise(exception) = *stop else { return None };
        if self.is_about_lack(&exception) {
            return None;
        }
        self.exception_message(&exception).ok()
    }

    /// Returns true if an exception may come of what is not here, or of the machine.
    fn is_about_lack(&self, exception: &Value) -> bool {
        const LACKS: [Core; 5] =
            [Core::NameError, Core::ScriptError, Core::SystemCallError, Core::IoError, Core::LocalJumpError];
        let is_standard = self.is_a(exception, Core::StandardError.class());
        !is_standard || LACKS.iter().any(|lack| self.is_a(exception, lack.class()))
    }

    /// Ends what is under way, where an exception may come of what is not here.
    fn refuse_lack(&mut self, exception: &Value) -> Flow<()> {
        match self.is_about_lack(exception) {
            true => self.unsupported("what a check asks for"),
            false => Ok(()),
        }
    }

    fn is_unknown(&mut self, name: &Str) -> bool {
        self.checks().unknown.contains(name)
    }

    fn refuse_unknown<T>(&mut self, name: &str) -> Flow<T> {
        self.unsupported(format!("the attribute {name}, whose value nobody knows,"))
    }
}
