//! The evaluation of classes: each once, added to the catalog before its body runs.
//! It must not know what the catalog holds of them.

use std::sync::Arc;

use pantin_eval::Instance;
use pantin_model::catalog::ResourceTypeKind;
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::{Failure, Include, Outcome};
use pantin_values::{Fault, Hash, NamedValues, Str, Value};

use super::Compiler;
use super::state::{NewResource, NewScope, Observer, Param, ResourceId, ScopeId};
use crate::code::Def;
use crate::report::{behind, failure_of};

impl Compiler<'_> {
    // ---- the functions `include`, `contain` and `require` ----

    pub(super) fn include(&mut self, how: Include, names: &[Str]) -> Outcome {
        let scope = self.here();
        match self.include_in(scope, how, names) {
            Ok(()) => Outcome::Done,
            Err(failure) => Outcome::Failed(Box::new(failure)),
        }
    }

    fn include_in(&mut self, scope: ScopeId, how: Include, names: &[Str]) -> Result<(), Failure> {
        let container = self.state.resource_of(scope);
        let classes = self.classes_named(names).map_err(failure_of)?;
        let resources = self.evaluate_classes(scope, &classes)?;
        match how {
            Include::Include => {}
            Include::Contain => {
                for resource in resources {
                    self.state.contain(container, resource);
                }
            }
            Include::Require => {
                for class in &classes {
                    self.state.add_requirement(container, class);
                }
            }
        }
        Ok(())
    }

    /// Includes a class as code of the top scope does it.
    pub(super) fn include_at_top(&mut self, name: &Str) -> Result<(), Failure> {
        let classes = self.classes_named(std::slice::from_ref(name)).map_err(failure_of)?;
        self.evaluate_classes(super::state::TOP, &classes).map(|_| ())
    }

    fn classes_named(&mut self, names: &[Str]) -> Result<Vec<Arc<Def>>, Fault> {
        names.iter().map(|name| self.class_named(name, "::")).collect()
    }

    /// `shown_before` stands before the name in the error.
    fn class_named(&mut self, name: &str, shown_before: &str) -> Result<Arc<Def>, Fault> {
        let replaced = self.replaced_class(name)?;
        let found = self.find_class(replaced.as_deref().unwrap_or(name))?;
        found.ok_or_else(|| {
            let fault = Fault::new(format!("Could not find class {shown_before}{name} for {}", self.request.node.name));
            fault.with_help_if(self.loader.help_for_class(name))
        })
    }

    /// Returns a class by its name, loaded if need be.
    pub(super) fn find_class(&mut self, name: &str) -> Result<Option<Arc<Def>>, Fault> {
        if name.strip_prefix("::").unwrap_or(name).eq_ignore_ascii_case("settings") {
            // It is always there, and no file is looked for that defines another.
            let own = || self.state.class_scope("settings").map(|scope| self.source(scope));
            return Ok(self.loader.loaded_class("settings").or_else(own));
        }
        let found = self.loader.class(name);
        self.tell();
        found
    }

    /// All are put into the catalog, then those that are new are evaluated.
    fn evaluate_classes(&mut self, scope: ScopeId, classes: &[Arc<Def>]) -> Result<Vec<ResourceId>, Failure> {
        let (mut resources, new) = self.ensure(scope, classes).map_err(failure_of)?;
        for &id in &new {
            self.evaluate_class(id)?;
        }
        resources.extend(new);
        Ok(resources)
    }

    /// Those that were evaluated before, and those that were not.
    fn ensure(&mut self, scope: ScopeId, classes: &[Arc<Def>]) -> Result<(Vec<ResourceId>, Vec<ResourceId>), Fault> {
        let (mut known, mut new) = (Vec::new(), Vec::new());
        for class in classes {
            match self.state.class_scope(&class.name) {
                Some(scope) if class.name == "settings" && !Arc::ptr_eq(class, self.state.source(scope)) => {
                    let location = behind(" ", &class.location());
                    let message = "A class cannot be called 'settings', for that is the class of Puppet's own settings";
                    return Err(Fault::located(format!("{message}{location}")));
                }
                Some(scope) => known.push(self.state.resource_of(scope)),
                None => new.push(self.ensure_class(scope, class, None)?),
            }
        }
        Ok((known, new))
    }

    // ---- the classes of an ENC ----

    pub(super) fn ensure_classes(&mut self, scope: ScopeId, names: &[Str]) -> Result<(), Fault> {
        let classes: Vec<Arc<Def>> = names.iter().map(|name| self.class_named(name, "")).collect::<Result<_, _>>()?;
        self.ensure(scope, &classes).map(|_| ())
    }

    pub(super) fn ensure_classes_with(&mut self, scope: ScopeId, classes: &[(Str, Hash)]) -> Result<(), Fault> {
        let found: Vec<Arc<Def>> =
            classes.iter().map(|(name, _)| self.class_named(name, "")).collect::<Result<_, _>>()?;
        for (class, (_, parameters)) in found.iter().zip(classes) {
            let params = parameters.iter().filter_map(|(name, value)| match name {
                Value::String(name) => Some(Param::new(name.clone(), value.clone(), class.clone())),
                _ => None,
            });
            self.ensure_class(scope, class, Some(params.collect()))?;
        }
        Ok(())
    }

    // ---- into the catalog ----

    fn ensure_class(
        &mut self,
        scope: ScopeId,
        class: &Arc<Def>,
        params: Option<Vec<std::rc::Rc<Param>>>,
    ) -> Result<ResourceId, Fault> {
        if params.is_none()
            && let Some(known) = self.find_class_resource(&class.name)
        {
            return Ok(known);
        }
        let new = NewResource {
            kind: ResourceTypeKind::Unknown,
            params: params.unwrap_or_default(),
            ..NewResource::from_class(class, scope, class.clone())
        };
        self.add_new(new)
    }

    /// What a class inherits is in the catalog before it.
    pub(super) fn ensure_parent(&mut self, class: &Arc<Def>, scope: ScopeId) -> Result<(), Fault> {
        let Some(parent) = class.parent.clone() else { return Ok(()) };
        if self.find_class_resource(&parent).is_some() {
            return Ok(());
        }
        self.check_line(class)?;
        let parent = self.parent_of(class, &parent)?;
        pantin_base::stack::with_room(|| self.ensure_class(scope, &parent, None).map(|_| ()))
    }

    /// Puppet runs out of its stack where a class comes to inherit itself.
    fn check_line(&mut self, class: &Arc<Def>) -> Result<(), Fault> {
        let mut line = vec![class.clone()];
        while let [.., last] = line.as_slice()
            && let Some(parent) = last.parent.clone()
        {
            let parent = self.parent_of(&last.clone(), &parent)?;
            let is_cycle = line.iter().any(|known| known.name == parent.name);
            line.push(parent);
            if is_cycle || line.len() > pantin_base::limits::BODY_DEPTH {
                let names: Vec<&str> = line.iter().take(10).map(|class| class.name.as_str()).collect();
                let what = if is_cycle { "inherits itself" } else { "inherits from too many classes" };
                let message = format!("Class '{}' {what} ({})", class.name, names.join(" inherits "));
                return Err(Fault::located(format!("{message}{}", behind(" ", &class.location()))));
            }
        }
        Ok(())
    }

    fn parent_of(&mut self, class: &Def, parent: &str) -> Result<Arc<Def>, Fault> {
        self.find_class(parent)?.ok_or_else(|| {
            let location = behind(" ", &class.location());
            let environment = &self.request.environment.name;
            let message = format!(
                "Could not find parent resource type '::{parent}' of type hostclass in {environment}{location}"
            );
            Fault::located(message).with_help_if(self.loader.help_for_class(parent))
        })
    }

    // ---- evaluation ----

    pub(super) fn evaluate_class(&mut self, id: ResourceId) -> Result<(), Failure> {
        let Some(own) = self.state.begin_evaluation(id) else { return Ok(()) };
        let declared_in = self.state.declared_in(id);
        let Some(class) = self.state.definition(id).cloned() else { return Ok(()) };
        self.state.take_scope_tags(id);
        let inherited = self.evaluate_parent(&class)?;
        let source = class.clone();
        let parent = Some(inherited.unwrap_or(declared_in));
        let scope = self.state.add_scope(NewScope { source, resource: id, parent, inherited, is_node: false });
        self.state.add_class(&class.name).map_err(failure_of)?;
        let title: Str = self.state.title(id).to_lowercase();
        let name = match self.state.own_name(&own) {
            Value::Undef => title.clone(),
            name => pantin_values::ops::to_s(&name).to_lowercase().into(),
        };
        let subject: Str = self.state.reference(id).into();
        let bound = self.bind_class(&own, &class.name, class.body(self.loader.base.builtins).as_deref());
        let parameters = self.state.parameters_for_body(&own);
        self.state.begin_scope(scope, &title, &name);
        self.state.set_class_scope(class.name.clone(), scope);
        bound?;
        let Some(body) = class.body(self.loader.base.builtins) else {
            let log = self.state.log(Observer::Data);
            return self.state.add_edge_to_stage(id, &log).map_err(failure_of);
        };
        let prefix: Str = [class.name.as_str(), "::"].concat().into();
        let instance = Instance {
            subject,
            arguments: &parameters,
            metaparameters: &METAPARAMETERS,
            data_prefix: Some(prefix),
            matched: None,
            is_node: false,
        };
        let result = self.walk_definition(&body, scope, instance);
        self.tell();
        result.map(|_| ()).map_err(|failure| self.with_data_origin(failure, class.name.as_str(), &parameters))
    }

    fn evaluate_parent(&mut self, class: &Arc<Def>) -> Result<Option<ScopeId>, Failure> {
        let Some(parent) = class.parent.clone() else { return Ok(None) };
        let definition = self.parent_of(class, &parent).map_err(failure_of)?;
        let Some(id) = self.find_class_resource(&definition.name) else { return Ok(None) };
        self.begin_recorded_parent(&class.name);
        let evaluated = self.evaluate_class(id);
        self.end_recorded();
        evaluated?;
        match self.state.class_scope(&definition.name) {
            Some(scope) => Ok(Some(scope)),
            None => Err(failure_of(Fault::new(format!("Could not find scope for {}", definition.name)))),
        }
    }

    /// The values that the body of the innermost frame works with.
    pub(super) fn take_parameters(&mut self, values: &NamedValues) -> Result<(), Fault> {
        let Some(scope) = self.frames.last().map(|frame| frame.scope) else { return Ok(()) };
        let log = self.state.log(Observer::Data);
        self.state.take_parameters(scope, values, &log)
    }

    /// The parameters of the body of the innermost frame as far as they have values.
    pub(super) fn show_parameters(&mut self, parameter: &Str, values: &NamedValues) {
        let Some(scope) = self.frames.last().map(|frame| frame.scope) else { return };
        self.state.show_parameters(scope, parameter, values);
    }

    /// Returns the resource of a class that is declared.
    fn find_class_resource(&self, name: &str) -> Option<ResourceId> {
        self.state.find_presence("Class", name, &self.state.log(Observer::Data))
    }
}
