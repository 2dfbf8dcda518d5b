//! The object that a template is evaluated for: `@variable`, `scope`, `has_variable?`.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pantin_values::Str;

use super::catalog;
use super::recording_outside::RecordingOutside;
use super::scope::is_top;
use crate::class::Core;
use crate::code::{Expr, ExprKind, Script};
use crate::erb::INLINE;
use crate::error::RubyError;
use crate::interp::{CallArguments, Interp, Method, MethodKind, Nesting, Visibility};
use crate::native::{NativeMethod, Side, Table, method};
use crate::outside::Outside;
use crate::stop::Flow;
use crate::value::{Data, Object, Value};

pub(super) const TABLES: [Table; 2] = [
    (Core::PuppetTemplateWrapper, Side::Instance, WRAPPER),
    (Core::PuppetTemplateWrapper, Side::Class, &[method("new", 1, 1, new_wrapper)]),
];

/// What a template is rendered by: for a function of Puppet's, or for code that has made it.
pub(crate) struct TemplateWrapper {
    scope: Value,
    file: RefCell<WrapperFile>,
    /// The variables of the scope that it was given when it was rendered last.
    seen: RefCell<Vec<Str>>,
}

/// The template of a wrapper.
#[derive(Clone, Default)]
enum WrapperFile {
    #[default]
    None,
    Script(Arc<Script>),
    /// A path where no file is, which is an error when it is read.
    Missing(Str),
}

const WRAPPER: &[NativeMethod] = &[
    method("scope", 0, 0, |interp, given| Ok(own(interp, given)?.scope.clone())),
    method("file", 0, 0, |interp, given| {
        let file = own(interp, given)?.file.borrow().clone();
        file_path(interp, &file)
    }),
    method("file=", 1, 1, set_file),
    method("result", 0, 1, result),
    method("has_variable?", 1, 1, |interp, given| {
        let name = interp.text_of(given.arg(0))?;
        let found = interp.outside.variable(&name);
        let Some(seen) = interp.outside(found)? else { return Ok(Value::Bool(false)) };
        Ok((!interp.value_from_outside(seen)?.is_nil()).into())
    }),
    method("classes", 0, 0, catalog::classes),
    method("all_tags", 0, 0, catalog::tags),
    method("tags", 0, 0, |interp, _| interp.raise(Core::NotImplementedError, "Call 'all_tags' instead.")),
    method("to_s", 0, 0, |interp, given| {
        let file = own(interp, given)?.file.borrow().clone();
        let path = file_path(interp, &file)?;
        let path = if path.is_nil() { "inline".to_owned() } else { interp.text_of(&path)? };
        Ok(Value::text(format!("template[{path}]")))
    }),
    method("method_missing", 1, 255, missing),
];

fn own(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow<Rc<TemplateWrapper>> {
    if let Value::Object(object) = given.receiver
        && let Data::Wrapper(own) = &*object.data.borrow()
    {
        return Ok(own.clone());
    }
    interp.unsupported(format!("the method Puppet::Parser::TemplateWrapper#{} of a subclass", given.name))
}

/// `Puppet::Parser::TemplateWrapper.new(scope)`
fn new_wrapper(_: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let Value::Class(class) = given.receiver else { return Ok(Value::Nil) };
    let own = TemplateWrapper { scope: given.arg(0).clone(), file: RefCell::default(), seen: RefCell::default() };
    Ok(Value::object(*class, Data::Wrapper(Rc::new(own))))
}

fn file_path(interp: &mut Interp<'_>, file: &WrapperFile) -> Flow {
    match file {
        WrapperFile::None => Ok(Value::Nil),
        WrapperFile::Script(script) => script.path.reveal(interp, str::to_owned),
        WrapperFile::Missing(path) => Ok(Value::text(path.as_str())),
    }
}

fn is_scope(value: &Value) -> bool {
    matches!(value, Value::Object(object) if matches!(&*object.data.borrow(), Data::Scope | Data::TopScope))
}

fn set_file(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let own = own(interp, given)?;
    if !is_scope(&own.scope) {
        let compiler = interp.send(&own.scope, "compiler", &[])?;
        interp.send(&compiler, "environment", &[])?;
        return interp.unsupported("a TemplateWrapper of what is no scope");
    }
    let name = interp.text_arg(given.arg(0))?;
    let found = interp.outside.template(&name);
    *own.file.borrow_mut() = match interp.outside(found)? {
        Some(script) => WrapperFile::Script(script),
        None if name.starts_with('/') => WrapperFile::Missing(name.into()),
        None => return interp.raise(Core::PuppetParseError, format!("Could not find template '{name}'")),
    };
    Ok(given.arg(0).clone())
}

/// Renders the file, or a text, with the variables of the scope as they are now.
fn result(interp: &mut Interp<'_>, given: &CallArguments<'_>) -> Flow {
    let own = own(interp, given)?;
    // To the template that is rendered it is a local of the method that renders it, with nothing in it yet.
    let is_within = given.frame.is_some_and(|frame| frame.context.self_value.is_same(given.receiver));
    if is_within && given.args.is_empty() {
        return Ok(Value::Nil);
    }
    let file = own.file.borrow().clone();
    let script = match (given.arg(0), file) {
        (Value::Nil, WrapperFile::Script(script)) => script,
        (Value::Nil, WrapperFile::Missing(path)) => {
            let message = format!("No such file or directory @ rb_sysopen - {path}");
            return interp.raise(Core::ErrnoEnoent, message);
        }
        (Value::Nil, WrapperFile::None) => {
            let message = "FileSystem implementation expected Pathname, got: 'NilClass'";
            return interp.raise(Core::ArgumentError, message);
        }
        (text, _) => {
            let text = interp.text_arg(text)?;
            match crate::erb::inline_template(&text) {
                Ok(script) => script,
                Err(error) => return interp.raise(Core::SyntaxError, error.to_string()),
            }
        }
    };
    if !is_scope(&own.scope) {
        interp.send(&own.scope, "to_hash", &[])?;
        return interp.unsupported("a TemplateWrapper of what is no scope");
    }
    let has_left = is_top(&own.scope) && interp.outside.enter_top();
    // What this run has set before is there for the template.
    let set = std::mem::take(&mut interp.set);
    let rendered = bind(interp, given.receiver, &own)
        .and_then(|()| interp.deeper(|interp| interp.run_script(&script, given.receiver.clone())));
    let more = std::mem::replace(&mut interp.set, set);
    interp.set.extend(more);
    if has_left {
        interp.outside.leave_top();
    }
    rendered
}

/// Forgets the variables of the last time. One that code has set goes if the scope has one of its name.
fn bind(interp: &mut Interp<'_>, wrapper: &Value, own: &TemplateWrapper) -> Flow<()> {
    let Value::Object(object) = wrapper else { return Ok(()) };
    let seen = own.seen.take();
    let mut kept = object.variables.take();
    kept.retain(|(name, _)| !seen.contains(name));
    for (name, value) in kept {
        if interp.template_variable(object, &name)?.is_none() {
            object.variables.borrow_mut().push((name, value));
        }
    }
    Ok(())
}

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
        // Undef is not there, however often it is looked for.
        let Some(value) = value.filter(|value| !value.is_nil()) else { return Ok(None) };
        wrapper.variables.borrow_mut().push((name.clone(), value.clone()));
        if let Data::Wrapper(own) = &*wrapper.data.borrow() {
            own.seen.borrow_mut().push(name.clone());
        }
        Ok(Some(value))
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
    let mut looking = RecordingOutside::new(outside);
    let text = run(template, &mut looking)?;
    if let Some(reads) = looking.into_reads() {
        template.rendered.keep(outside.release(), reads, &text);
    }
    Ok(text)
}

fn run(template: &Arc<Script>, outside: &mut dyn Outside) -> Result<pantin_values::Value, RubyError> {
    let mut interp = Interp::new(template.clone(), outside);
    let is_inline = template.path.beyond_code() == INLINE;
    let file = if is_inline { WrapperFile::None } else { WrapperFile::Script(template.clone()) };
    let scope = Value::object(Core::PuppetScope.class(), Data::Scope);
    let own = TemplateWrapper { scope, file: RefCell::new(file), seen: RefCell::default() };
    let wrapper = Value::object(Core::PuppetTemplateWrapper.class(), Data::Wrapper(Rc::new(own)));
    let result = interp.run_script(template, wrapper).and_then(|text| {
        interp.give_back()?;
        match &text {
            Value::String(text) if text.is_binary() => Ok(pantin_values::Value::unencoded(&text.bytes())),
            _ => interp.text_of(&text).map(pantin_values::Value::from),
        }
    });
    result.map_err(|stop| interp.into_error(*stop))
}
