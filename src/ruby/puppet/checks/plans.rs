//! How each attribute of a type is judged, found out once: many take anything, or name their values, and need no code to be run.

use std::rc::Rc;

use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_values::Str;
use rustc_hash::FxHashMap;

use super::Interp;
use crate::class::{Class, Core};
use crate::interp::MethodKind;
use crate::survey;
use crate::value::ProcKind;

/// The attributes of a type, in the order in which they are set.
#[derive(Default)]
pub(super) struct Plans {
    pub(super) attributes: Vec<PlannedAttribute>,
    numbers: FxHashMap<Str, usize>,
    /// The type has a check of the whole, or a default that may look at the resource.
    pub(super) looks_at_resource: bool,
}

pub(super) struct PlannedAttribute {
    pub(super) name: Str,
    pub(super) class: Class,
    pub(super) is_property: bool,
    pub(super) values: ValuePlan,
    pub(super) default: DefaultPlan,
}

/// What judges the values that an attribute is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ValuePlan {
    /// Nothing: what becomes of it is not known here.
    Unknown,
    /// Nothing: any value is taken as it is.
    Plain,
    /// The values that it names.
    Named,
    /// Code that looks at the value alone: what it says of a value it always says.
    OfValue,
    /// Code that may look at the resource.
    OfResource,
}

/// What an attribute is without a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DefaultPlan {
    None,
    /// A value that is known to be taken, whatever the resource is.
    Taken,
    /// The provider decides whether there is such an attribute.
    Unknown,
    OfResource,
}

impl Plans {
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }
}

impl Interp<'_> {
    /// Finds out how the attributes of a type are judged.
    pub(super) fn plan(&mut self, class: Class) -> Plans {
        let names = Rc::clone(&self.checks().names);
        let mut plans = Plans::default();
        for name in names.iter() {
            let Some(of) = self.declared_type(class) else { break };
            let properties = of.properties.iter().map(|each| (each, true));
            let mut all = properties.chain(of.parameters.iter().map(|each| (each, false)));
            let Some((declared, is_property)) = all.find(|(each, _)| each.name == *name) else { continue };
            let class = declared.class;
            let values = self.value_plan(name, class);
            let default = self.default_plan(name, class, values);
            plans.looks_at_resource |= default == DefaultPlan::OfResource;
            plans.numbers.insert(name.clone(), plans.attributes.len());
            plans.attributes.push(PlannedAttribute { name: name.clone(), class, is_property, values, default });
        }
        let has_own = |name: &str| self.instance_method(class, name).is_some_and(|method| method.is_own());
        plans.looks_at_resource |= has_own("validate") || has_own("unsafe_validate");
        plans
    }

    fn value_plan(&mut self, name: &Str, class: Class) -> ValuePlan {
        if METAPARAMETERS.contains(&name.as_str()) || name == "provider" || self.is_left_to_provider(class) {
            return ValuePlan::Unknown;
        }
        let is_own = |name: &str| self.instance_method(class, name).is_some_and(|method| method.is_own());
        if ["value=", "should=", "validate", "munge"].into_iter().any(is_own) {
            return ValuePlan::OfResource;
        }
        let brought = std::iter::successors(Some(class), |class| self.classes.parent(*class))
            .find(|class| class.core().is_some());
        let is_brought_by = |cores: &[Core]| brought.is_some_and(|class| cores.iter().any(|core| class.is(*core)));
        let is_usual = is_brought_by(&[Core::PuppetParameter, Core::PuppetProperty, Core::PuppetEnsure]);
        let is_boolean = is_brought_by(&[Core::PuppetParameterBoolean, Core::PuppetPropertyBoolean]);
        if !is_usual && !is_boolean {
            // Whatever of it is not run may have set other attributes.
            let sets_attributes = self.checks().sets_attributes;
            return if sets_attributes { ValuePlan::OfResource } else { ValuePlan::Unknown };
        }
        let mut has_code = false;
        for name in ["unsafe_validate", "unsafe_munge"] {
            let Some(method) = self.instance_method(class, name).filter(|method| method.is_own()) else { continue };
            has_code = true;
            let looks_at_value_alone = match &method.kind {
                MethodKind::Proc(body) => match &body.kind {
                    ProcKind::Code { code, .. } => survey::looks_at_value_alone(code),
                    _ => false,
                },
                _ => false,
            };
            if !looks_at_value_alone {
                return ValuePlan::OfResource;
            }
        }
        let has_values = self.checks().values.get(&class).is_some_and(|values| !values.is_empty());
        match (has_code || is_boolean, has_values) {
            (true, _) => ValuePlan::OfValue,
            (false, true) => ValuePlan::Named,
            (false, false) => ValuePlan::Plain,
        }
    }

    /// Says what an attribute is without a value. A default that does not look at the resource is set once, to see that it is taken.
    fn default_plan(&mut self, name: &Str, class: Class, values: ValuePlan) -> DefaultPlan {
        let Some(method) = self.instance_method(class, "default") else { return DefaultPlan::None };
        let looks_at_nothing = match &method.kind {
            MethodKind::Undefined => return DefaultPlan::None,
            MethodKind::Proc(body) => match &body.kind {
                ProcKind::Code { code, .. } => survey::looks_at_value_alone(code),
                // What was given as a value.
                ProcKind::Native(_) => true,
                _ => false,
            },
            // An `ensure` is `present` where the resource manages anything.
            MethodKind::Native(_) => return self.ensure_plan(class, values),
            _ => false,
        };
        if name == "provider" {
            return DefaultPlan::None;
        }
        if self.is_left_to_provider(class) && !self.checks().sets_attributes {
            return DefaultPlan::Unknown;
        }
        let is_judged_alone = matches!(values, ValuePlan::Plain | ValuePlan::Named | ValuePlan::OfValue);
        if looks_at_nothing && is_judged_alone && self.takes_default(class) {
            return DefaultPlan::Taken;
        }
        DefaultPlan::OfResource
    }

    fn ensure_plan(&mut self, class: Class, values: ValuePlan) -> DefaultPlan {
        let named = self.checks().values.get(&class).cloned();
        let takes_present = match values {
            ValuePlan::Plain => true,
            ValuePlan::Named => {
                named.and_then(|values| values.find_text("present")).is_some_and(|found| !found.needs_feature)
            }
            _ => false,
        };
        if takes_present { DefaultPlan::Taken } else { DefaultPlan::OfResource }
    }

    fn takes_default(&mut self, class: Class) -> bool {
        let Ok(attribute) = super::attributes::new_attribute(self, class, &crate::value::Value::Nil) else {
            return false;
        };
        let Ok(value) = self.send(&attribute, "default", &[]) else {
            self.forget_lack();
            return false;
        };
        let is_taken = !value.is_truthy() || self.send(&attribute, "value=", &[value]).is_ok();
        if !is_taken {
            self.forget_lack();
        }
        is_taken
    }
}
