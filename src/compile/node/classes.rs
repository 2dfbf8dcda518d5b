//! The evaluation of classes: each once, added to the catalog before its body runs.

use std::sync::Arc;

use pantin_base::names::{is_module_variable, is_reserved_variable};
use pantin_eval::Instance;
use pantin_model::catalog::ResourceTypeKind;
use pantin_model::catalog::kinds::METAPARAMETERS;
use pantin_model::trace::{Failure, Include, Outcome};
use pantin_values::{Fault, Hash, NamedValues, Str, Type, Value};

use super::Compiler;
use super::declare::NewResource;
use super::overrides::listed;
use super::resource::{Param, ResourceId};
use super::scope::{PendingParameters, Scope, ScopeId};
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
        let container = self.scopes.get(scope).resource;
        let classes = self.classes_named(names).map_err(failure_of)?;
        let resources = self.evaluate_classes(scope, &classes)?;
        match how {
            Include::Include => {}
            Include::Contain => {
                for resource in resources {
                    if !self.edges.contains(&(container, resource)) {
                        self.edges.push((container, resource));
                    }
                }
            }
            Include::Require => {
                for class in &classes {
                    self.add_requirement(container, class);
                }
            }
        }
        Ok(())
    }

    fn classes_named(&mut self, names: &[Str]) -> Result<Vec<Arc<Def>>, Fault> {
        names.iter().map(|name| self.class_named(name, "::")).collect()
    }

    /// `shown_before` stands before the name in the error.
    fn class_named(&mut self, name: &str, shown_before: &str) -> Result<Arc<Def>, Fault> {
        let found = self.find_class(name)?;
        found.ok_or_else(|| {
            Fault::new(format!("Could not find class {shown_before}{name} for {}", self.request.node.name))
        })
    }

    /// A class by its name, loaded if need be.
    pub(super) fn find_class(&mut self, name: &str) -> Result<Option<Arc<Def>>, Fault> {
        if name.strip_prefix("::").unwrap_or(name).eq_ignore_ascii_case("settings") {
            // It is always there, and no file is looked for that defines another.
            let own = || self.scopes.of_class("settings").map(|scope| self.source(scope));
            return Ok(self.loader.known_class("settings").or_else(own));
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
            match self.scopes.of_class(&class.name) {
                Some(scope) if class.name == "settings" && !Arc::ptr_eq(class, &self.scopes.get(scope).source) => {
                    let location = behind(" ", &class.location());
                    let message = "A class cannot be called 'settings', for that is the class of Puppet's own settings";
                    return Err(Fault::located(format!("{message}{location}"), false));
                }
                Some(scope) => known.push(self.scopes.get(scope).resource),
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
            && let Some(known) = self.find_resource("Class", &class.name)
        {
            return Ok(known);
        }
        let new = NewResource {
            kind: ResourceTypeKind::Unknown,
            params: params.unwrap_or_default(),
            ..NewResource::of_class(class, scope, class.clone())
        };
        self.add_new(new)
    }

    /// What a class inherits is in the catalog before it.
    pub(super) fn ensure_parent(&mut self, class: &Arc<Def>, scope: ScopeId) -> Result<(), Fault> {
        let Some(parent) = class.parent.clone() else { return Ok(()) };
        if self.find_resource("Class", &parent).is_some() {
            return Ok(());
        }
        self.check_line(class)?;
        let parent = self.parent_of(class, &parent)?;
        pantin_base::stack::with_room(|| self.ensure_class(scope, &parent, None).map(|_| ()))
    }

    /// The real one runs out of its stack where a class comes to inherit itself.
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
                return Err(Fault::located(format!("{message}{}", behind(" ", &class.location())), false));
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
            Fault::located(message, false)
        })
    }

    // ---- evaluation ----

    pub(super) fn evaluate_class(&mut self, id: ResourceId) -> Result<(), Failure> {
        if self.resource(id).is_evaluated {
            return Ok(());
        }
        let resource = self.resource_mut(id);
        resource.is_evaluated = true;
        let (declared_in, class) = (resource.scope, resource.definition().cloned());
        let Some(class) = class else { return Ok(()) };
        self.take_scope_tags(id);
        let inherited = self.evaluate_parent(&class)?;
        let mut scope = Scope::new(class.clone(), id, Some(inherited.unwrap_or(declared_in)));
        scope.inherited = inherited;
        let scope = self.scopes.add(scope);
        self.classes.push(class.name.clone());
        self.tags.add(&class.name, &self.tag_names).map_err(failure_of)?;
        let resource = self.resource(id);
        let title: Str = resource.title.to_lowercase();
        let name = match resource.get("name") {
            Value::Undef => title.clone(),
            name => pantin_values::ops::to_s(&name).to_lowercase().into(),
        };
        let subject: Str = resource.reference().into();
        let given: Vec<(Str, Value)> = given(&resource.params);
        self.begin_scope(scope, &title, &name);
        self.scopes.set_class(class.name.clone(), scope);
        let Some(body) = class.body(self.loader.base.builtins) else {
            return self.add_edge_to_stage(id).map_err(failure_of);
        };
        let prefix: Str = [class.name.as_str(), "::"].concat().into();
        let instance = Instance {
            subject,
            given: &given,
            metaparameters: &METAPARAMETERS,
            data_prefix: Some(prefix),
            matched: None,
            is_node: false,
        };
        let result = self.walk_definition(&body, scope, instance);
        self.tell();
        result.map(|_| ())
    }

    fn evaluate_parent(&mut self, class: &Arc<Def>) -> Result<Option<ScopeId>, Failure> {
        let Some(parent) = class.parent.clone() else { return Ok(None) };
        let definition = self.parent_of(class, &parent).map_err(failure_of)?;
        let Some(id) = self.find_resource("Class", &definition.name) else { return Ok(None) };
        self.evaluate_class(id)?;
        match self.scopes.of_class(&definition.name) {
            Some(scope) => Ok(Some(scope)),
            None => Err(failure_of(Fault::new(format!("Could not find scope for {}", definition.name)))),
        }
    }

    /// The variables that a scope has from its beginning.
    pub(super) fn begin_scope(&mut self, scope: ScopeId, title: &Str, name: &Str) {
        let here = self.scopes.get(scope);
        let module = here.source.module.clone();
        let caller = here.parent.map(|parent| self.scopes.get(parent).source.module.clone());
        let variables = &mut self.scopes.get_mut(scope).variables;
        variables.reserve(4);
        variables.insert("module_name".into(), module.into());
        if let Some(caller) = caller {
            variables.insert("caller_module_name".into(), caller.into());
        }
        variables.insert("title".into(), title.clone().into());
        variables.insert("name".into(), name.clone().into());
    }

    /// The values that the body of the innermost frame works with; from here on it stands in its stage.
    pub(super) fn take_parameters(&mut self, values: &NamedValues) -> Result<(), Fault> {
        let Some(scope) = self.frames.last().map(|frame| frame.scope) else { return Ok(()) };
        self.check_parameter_names(scope)?;
        let id = self.scopes.get(scope).resource;
        let resource = &mut self.resources[id.index()];
        // Each comes once, so that it can only be among those that were there before all of them.
        let given = resource.params.len();
        for (name, value) in values {
            let known = resource.params[..given].iter().position(|param| param.name == *name);
            if known.is_some_and(|known| !resource.params[known].value.borrow().is_undef()) {
                continue;
            }
            let param = Param::new(name.clone(), value.clone(), resource.source.clone());
            match known {
                Some(known) => resource.params[known] = param,
                None => resource.params.push(param),
            }
            if name == "tag" {
                resource.tags.add_values(value, &self.tag_names)?;
            }
        }
        // What a deferred call gives is looked at once more in the end, and a title that was given is an error only then.
        let is_deferred = resource.params.iter().any(|param| matches!(*param.value.borrow(), Value::Object(_)));
        resource.is_checked = !is_deferred && resource.param("title").is_none();
        let scope = self.scopes.get_mut(scope);
        scope.variables.extend(values);
        scope.half_done = None;
        self.add_edge_to_stage(id)
    }

    /// The parameters of the body of the innermost frame as far as they have values.
    pub(super) fn show_parameters(&mut self, of: &Str, values: &NamedValues) {
        let Some(scope) = self.frames.last().map(|frame| frame.scope) else { return };
        let Some(body) = self.scopes.get(scope).source.body(self.loader.base.builtins) else { return };
        let params = body.lambda.params.iter().map(|param| &param.name).enumerate();
        let waiting = params.clone().filter(|(_, name)| values.get(name).is_none());
        let place = params.clone().find(|(_, name)| *name == of).map_or(0, |(place, _)| place);
        let waiting = waiting.map(|(place, name)| (place, name.clone())).collect();
        self.scopes.were_half_done = true;
        let scope = self.scopes.get_mut(scope);
        scope.half_done = Some(Box::new(PendingParameters { of: of.clone(), place, waiting }));
        for (name, value) in values.iter().filter(|(name, _)| !is_module_variable(name)) {
            scope.variables.insert(name.clone(), value.clone());
        }
    }

    /// A parameter is set like a variable, and there are names that are set already.
    fn check_parameter_names(&self, scope: ScopeId) -> Result<(), Fault> {
        let Scope { source, variables, .. } = self.scopes.get(scope);
        let Some(body) = source.body(self.loader.base.builtins).filter(|body| body.lambda.may_clash) else {
            return Ok(());
        };
        let complain =
            |message: String| Err(Fault::located(format!("{message}{}", behind(" ", &source.location())), false));
        for name in body.lambda.params.iter().map(|param| param.name.as_str()) {
            if is_reserved_variable(name) {
                return complain(format!("Attempt to assign to a reserved variable name: '{name}'"));
            }
            if is_module_variable(name) && variables.contains(name) {
                return complain(format!("Cannot reassign variable '${name}'"));
            }
        }
        Ok(())
    }

    fn add_edge_to_stage(&mut self, id: ResourceId) -> Result<(), Fault> {
        if !self.resource(id).is_class() {
            return Ok(());
        }
        let own = self.resource(id).get("stage");
        let around = self.scopes.get(self.resource(id).scope).resource;
        let wanted = match (&own, self.resource(around).get("stage")) {
            (Value::Undef, Value::Undef) => Value::from("main"),
            (Value::Undef, inherited) => inherited,
            (own, _) => own.clone(),
        };
        let name: Str = pantin_values::ops::to_s(&wanted).into();
        let Some(stage) = self.find_resource("Stage", &name) else {
            let shown = match &own {
                Value::Undef => "main".to_owned(),
                Value::Type(of) => super::references::reference_text(of),
                Value::Resource(resource) => resource.to_string(),
                own => pantin_values::ops::to_s(own).to_string(),
            };
            let of = self.resource(id).reference();
            return Err(Fault::new(format!("Could not find stage {shown} specified by {of}")));
        };
        if own.is_undef() && name != "main" {
            let title = self.resource(stage).title.clone();
            let source = self.resource(id).source.clone();
            self.resource_mut(id).set(Param::new("stage".into(), title.into(), source));
        }
        self.edges.push((stage, id));
        Ok(())
    }

    /// A class that is required is a parameter of whoever requires it.
    fn add_requirement(&mut self, id: ResourceId, class: &Def) {
        let mut required = listed(self.resource(id).get("require"));
        required.push(Value::Type(Type::resource("Class", Some(super::references::class_title(&class.name)))));
        let resource = self.resource_mut(id);
        let source = resource.source.clone();
        resource.set(Param::new("require".into(), Value::array(required), source));
    }
}

/// The parameters as its own body sees them.
pub(super) fn given(params: &[std::rc::Rc<Param>]) -> Vec<(Str, Value)> {
    let is_shown = |param: &&std::rc::Rc<Param>| !matches!(param.name.as_str(), "name" | "title");
    params.iter().filter(is_shown).map(|param| (param.name.clone(), param.value())).collect()
}
