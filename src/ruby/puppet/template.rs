//! The object that a template is evaluated for: `@variable`, `scope`, `has_variable?`.

use std::sync::Arc;

use pantin_values::Str;

use super::catalog;
use super::looking::LookingOutside;
use crate::class::Core;
use crate::code::{Expr, ExprKind, Script};
use crate::error::RubyError;
use crate::interp::{CallArguments, Interp, Method, MethodKind, Nesting, Visibility};
use crate::native::{NativeMethod, Side, Table, method};
use crate::outside::Outside;
use crate::stop::Flow;
use crate::value::{Data, Object, Value};

pub(super) const METHODS: Table = (Core::PuppetTemplateWrapper, Side::Instance, WRAPPER);

const WRAPPER: &[NativeMethod] = &[
    method("scope", 0, 0, |_, _| Ok(Value::object(Core::PuppetScope.class(), Data::Scope))),
    method("file", 0, 0, |interp, _| interp.script.clone().path.reveal(interp, str::to_owned)),
    method("has_variable?", 1, 1, |interp, given| {
        let name = interp.text_of(given.arg(0))?;
        let found = interp.outside.variable(&name);
        let Some(seen) = interp.outside(found)? else { return Ok(Value::Bool(false)) };
        Ok((!interp.value_from_outside(seen)?.is_nil()).into())
    }),
    method("classes", 0, 0, catalog::classes),
    method("all_tags", 0, 0, catalog::tags),
    method("tags", 0, 0, |interp, _| interp.raise(Core::NotImplementedError, "Call 'all_tags' instead.")),
    method("to_s", 0, 0, |interp, _| interp.script.clone().path.reveal(interp, |path| format!("template[{path}]"))),
    method("method_missing", 1, 255, missing),
];

/// Where the files that a template is written in are unknown, a name that is no local is one that nobody knows.
fn missing(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let name = interp.name_arg(given.arg(0))?;
    if let Some(known) = interp.unknown_core_method(Core::PuppetTemplateWrapper.class(), given.receiver, &name) {
        return interp.unsupported(format!("the method {known}"));
    }
    let what = if given.args.len() == 1 { "local variable or method" } else { "method" };
    let class = if given.args.len() == 1 { Core::NameError } else { Core::NoMethodError };
    let message = format!("undefined {what} `{name}' for #<Puppet::Parser::TemplateWrapper>");
    interp.raise_about(class, message, Value::Symbol(name))
}

impl Interp<'_> {
    /// `@name` in a template: a variable of the scope, looked up when it is first wanted.
    pub(crate) fn template_variable(&mut self, wrapper: &Object, name: &Str) -> Flow<Option<Value>> {
        let Some(bare) = name.strip_prefix('@') else { return Ok(None) };
        if self.set.iter().any(|set| set == bare) {
            return Ok(None);
        }
        let value = self.outer_variable(name)?;
        // Undef is not there.
        let value = value.filter(|value| !value.is_nil());
        wrapper.variables.borrow_mut().push((name.clone(), value.clone().unwrap_or_default()));
        Ok(value)
    }
}

impl Interp<'_> {
    /// The methods that templates have defined which were rendered on the way: they are those of all templates then.
    pub(super) fn adopt_methods_of(&mut self, templates: &[Value]) -> Flow<()> {
        let names = self.send(&Value::array(templates.to_vec()), "flatten", &[])?;
        for name in self.array_arg(&names)? {
            let name = self.text_of(&name)?;
            let script = self.outside.template(&name);
            if let Some(script) = self.outside(script)? {
                self.adopt_methods(&script, &script.main.body);
            }
        }
        Ok(())
    }

    fn adopt_methods(&mut self, script: &Arc<Script>, of: &Expr) {
        match &of.kind {
            ExprKind::Sequence(all) => all.iter().for_each(|one| self.adopt_methods(script, one)),
            ExprKind::DefineMethod(define) if define.on.is_none() => {
                let owner = Core::PuppetTemplateWrapper.class();
                let nesting = Nesting::in_class(None, owner);
                let kind = MethodKind::Code { code: define.code.clone(), nesting, script: script.clone() };
                let method = Method { kind, owner, visibility: Visibility::Public };
                self.classes.define(owner, Side::Instance, define.name.clone(), method);
            }
            _ => {}
        }
    }

    /// `instance_variables` of a template: what it was given first, all that its scope has, what it has set itself.
    pub(crate) fn names_in_template(&mut self, wrapper: &Value) -> Flow {
        let mut names: Vec<Str> = vec!["@__scope__".into()];
        if !self.script.path.beyond_code().is_empty() {
            names.push("@__file__".into());
        }
        let seen = self.outside.variable_names();
        names.extend(self.outside(seen)?.iter().map(|name| Str::from(format!("@{name}"))));
        if let Value::Object(object) = wrapper {
            for (name, value) in object.variables.borrow().iter() {
                if !value.is_nil() && !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        Ok(Value::array(names.into_iter().map(Value::Symbol).collect()))
    }
}

/// Renders a template, unless it is known what it gives.
pub fn render(template: &Arc<Script>, outside: &mut dyn Outside) -> Result<pantin_values::Value, RubyError> {
    if let Some(text) = template.rendered.find(outside) {
        return Ok(text);
    }
    let mut looking = LookingOutside::new(outside);
    let text = run(template, &mut looking)?;
    if let Some(reads) = looking.into_reads() {
        template.rendered.keep(outside.release(), reads, &text);
    }
    Ok(text)
}

fn run(template: &Arc<Script>, outside: &mut dyn Outside) -> Result<pantin_values::Value, RubyError> {
    let mut interp = Interp::new(template.clone(), outside);
    let wrapper = Value::object(Core::PuppetTemplateWrapper.class(), Data::None);
    let result = interp.run_script(template, wrapper).and_then(|text| {
        interp.give_back()?;
        match &text {
            Value::String(text) if text.is_binary() => Ok(pantin_values::Value::unencoded(&text.bytes())),
            _ => interp.text_of(&text).map(pantin_values::Value::from),
        }
    });
    result.map_err(|stop| interp.into_error(*stop))
}
