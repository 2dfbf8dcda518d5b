//! Classes, modules and methods: how they are defined and found.

use std::cell::RefCell;
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use pantin_base::limits;
use pantin_values::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Context, Env, Frame, Interp};
use crate::class::{CORE, Class, Core};
use crate::classes::{is_frozen, is_own_variable, own_variable};
use crate::code::{Code, DefineClass, DefineMethod, Expr, Script};
use crate::native::{NativeMethod, Side};
use crate::stop::Flow;
use crate::value::{Data, Proc, Value};

/// The classes and modules whose bodies stand around a piece of code, innermost first.
pub(crate) struct Nesting {
    pub(crate) class: Class,
    /// A block that is run for a class: its methods become the class's, but constants are looked for where it is
    /// written.
    pub(crate) is_block: bool,
    pub(crate) outer: Option<Rc<Nesting>>,
}

impl Nesting {
    pub(crate) fn in_class(outer: Option<Rc<Nesting>>, class: Class) -> Option<Rc<Nesting>> {
        Some(Rc::new(Nesting { class, is_block: false, outer }))
    }

    pub(crate) fn in_block(outer: Option<Rc<Nesting>>, class: Class) -> Option<Rc<Nesting>> {
        Some(Rc::new(Nesting { class, is_block: true, outer }))
    }
}

#[derive(Clone)]
pub(crate) struct Method {
    pub(crate) kind: MethodKind,
    pub(crate) owner: Class,
    pub(crate) visibility: Visibility,
}

/// Who may call a method.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) enum Visibility {
    #[default]
    Public,
    /// Code of an object that has this class, too.
    Protected(Class),
    /// Code of the object alone.
    Private,
}

/// A method that was looked for. Those of Ruby's own are found at each call, and take nothing to be found.
#[derive(Clone)]
pub(crate) enum FoundMethod {
    Own(Rc<Method>),
    Native(Method),
}

impl FoundMethod {
    fn native(native: &'static NativeMethod, owner: Class) -> FoundMethod {
        FoundMethod::Native(Method {
            kind: MethodKind::Native(native),
            owner,
            visibility: Visibility::from_native(native),
        })
    }
}

impl Deref for FoundMethod {
    type Target = Method;

    fn deref(&self) -> &Method {
        match self {
            FoundMethod::Own(method) => method,
            FoundMethod::Native(method) => method,
        }
    }
}

impl Visibility {
    fn from_native(native: &NativeMethod) -> Visibility {
        if native.is_private { Visibility::Private } else { Visibility::Public }
    }
}

#[derive(Clone)]
pub(crate) enum MethodKind {
    Code { code: Arc<Code>, nesting: Option<Rc<Nesting>>, script: Arc<Script> },
    Proc(Rc<Proc>),
    Reader(Str),
    Writer(Str),
    Native(&'static NativeMethod),
    Undefined,
}

impl Method {
    /// Returns true if code of the program defines it.
    pub(crate) fn is_own(&self) -> bool {
        !matches!(self.kind, MethodKind::Native(_))
    }
}

struct OwnClass {
    name: Str,
    parent: Option<Class>,
    is_module: bool,
    /// The object whose methods these are, where they are those of one alone.
    of_one: bool,
}

/// What code has defined, beside what Ruby begins with.
#[derive(Default)]
pub(crate) struct Classes {
    own: Vec<OwnClass>,
    methods: FxHashMap<(Class, Side), FxHashMap<Str, Rc<Method>>>,
    /// Modules that were included or extended with.
    mixins: FxHashMap<(Class, Side), Vec<Class>>,
    prepended: FxHashMap<Class, Vec<Class>>,
    constants: FxHashMap<(Class, Str), Value>,
    private_constants: FxHashSet<(Class, Str)>,
    /// Where `class << self` collects methods, and for which class.
    collecting: FxHashMap<Class, Class>,
    variables: FxHashMap<(Class, Str), Value>,
    instance_variables: FxHashMap<(Class, Str), Value>,
    /// Whether code has done more than to make classes: a class of Ruby's own has a new method, or a module was mixed in.
    is_mixed: bool,
    /// Whether code says anywhere what objects hash to, or what they are the same as as keys.
    says_what_is_same: bool,
    /// Methods that were looked for, where it has; forgotten whenever there is another one, or a module more.
    found: RefCell<FxHashMap<Class, Looked>>,
}

/// Methods by their names, as far as they were looked for.
type Looked = FxHashMap<Str, Option<FoundMethod>>;

impl Classes {
    fn own(&self, class: Class) -> Option<&OwnClass> {
        self.own.get((class.0 as usize).checked_sub(CORE.len())?)
    }

    pub(crate) fn name(&self, class: Class) -> Str {
        match class.core() {
            Some(core) => core.path.into(),
            None => self.own(class).map(|own| own.name.clone()).unwrap_or_default(),
        }
    }

    pub(crate) fn parent(&self, class: Class) -> Option<Class> {
        match class.core() {
            Some(core) => core.parent,
            None => self.own(class)?.parent,
        }
    }

    pub(crate) fn is_module(&self, class: Class) -> bool {
        match class.core() {
            Some(core) => core.parent.is_none() && !class.is(Core::BasicObject),
            None => self.own(class).is_some_and(|own| own.is_module),
        }
    }

    pub(crate) fn add(&mut self, name: Str, parent: Option<Class>, is_module: bool) -> Class {
        self.own.push(OwnClass { name, parent, is_module, of_one: false });
        Class((CORE.len() + self.own.len() - 1) as u32)
    }

    fn add_singleton(&mut self, of: Class) -> Class {
        // What Ruby's own lists and hashes have is not known once for all any more.
        self.is_mixed |= of.core().is_some();
        let name = self.name(of);
        self.own.push(OwnClass { name, parent: Some(of), is_module: false, of_one: true });
        Class((CORE.len() + self.own.len() - 1) as u32)
    }

    pub(crate) fn set_name(&mut self, class: Class, name: Str) {
        let index = (class.0 as usize).checked_sub(CORE.len());
        if let Some(own) = index.and_then(|index| self.own.get_mut(index))
            && own.name.is_empty()
        {
            own.name = name;
        }
    }

    pub(crate) fn is_mixed(&self) -> bool {
        self.is_mixed
    }

    pub(crate) fn is_of_one(&self, class: Class) -> bool {
        self.own(class).is_some_and(|own| own.of_one)
    }

    pub(crate) fn define(&mut self, class: Class, side: Side, name: Str, method: Method) {
        self.is_mixed |= class.core().is_some();
        self.says_what_is_same |= matches!(name.as_str(), "hash" | "eql?");
        self.found.get_mut().clear();
        self.methods.entry((class, side)).or_default().insert(name, Rc::new(method));
    }

    pub(crate) fn say_what_is_same(&self) -> bool {
        self.says_what_is_same
    }

    pub(super) fn undefine(&mut self, class: Class, name: &Str) {
        let method = Method { kind: MethodKind::Undefined, owner: class, visibility: Visibility::Public };
        self.define(class, Side::Instance, name.clone(), method);
    }

    /// Forgets a method that the class itself has; whether it had one.
    pub(crate) fn remove(&mut self, class: Class, name: &str) -> bool {
        self.found.get_mut().clear();
        let of_class = self.collecting.get(&class).map(|of| (*of, Side::Class));
        let mut places = [Some((class, Side::Instance)), of_class].into_iter().flatten();
        places.any(|place| self.methods.get_mut(&place).is_some_and(|methods| methods.remove(name).is_some()))
    }

    pub(crate) fn method_names(&self, class: Class, side: Side) -> Vec<Str> {
        let mut names: Vec<Str> =
            self.methods.get(&(class, side)).into_iter().flat_map(|all| all.keys().cloned()).collect();
        names.sort();
        names
    }

    /// Returns the methods of a class's objects, if code has defined nothing else at all.
    pub(crate) fn methods_of_the_only_class(&self, class: Class) -> Option<Vec<(Str, &Method)>> {
        let is_only = self.own.len() == 1
            && self.mixins.is_empty()
            && self.prepended.is_empty()
            && self.constants.is_empty()
            && self.variables.is_empty()
            && self.instance_variables.is_empty()
            && self.methods.keys().all(|of| *of == (class, Side::Instance));
        let methods = self.methods.get(&(class, Side::Instance)).into_iter().flatten();
        is_only.then(|| methods.map(|(name, method)| (name.clone(), &**method)).collect())
    }

    pub(crate) fn mix(&mut self, class: Class, side: Side, module: Class) {
        self.is_mixed = true;
        self.found.get_mut().clear();
        let all = self.mixins.entry((class, side)).or_default();
        if !all.contains(&module) {
            all.push(module);
        }
    }

    /// Returns true if the class itself, or one above it, has the methods of the module.
    fn is_extended(&self, class: Class, module: Class) -> bool {
        let has = |class: Class| {
            let modules = self.mixins.get(&(class, Side::Class)).into_iter().flatten();
            modules.into_iter().any(|mixed| self.ancestors(*mixed).contains(&module))
        };
        std::iter::successors(Some(class), |class| self.parent(*class)).any(has)
    }

    pub(crate) fn prepend(&mut self, class: Class, module: Class) {
        self.is_mixed = true;
        self.found.get_mut().clear();
        self.prepended.entry(class).or_default().push(module);
    }

    /// Returns the class and its modules and ancestors, in the order in which methods are looked for.
    pub(crate) fn ancestors(&self, class: Class) -> Vec<Class> {
        let mut all = Vec::new();
        let mut next = Some(class);
        while let Some(class) = next {
            self.with_modules(class, &mut all);
            next = self.parent(class);
        }
        all
    }

    fn with_modules(&self, class: Class, all: &mut Vec<Class>) {
        if all.contains(&class) {
            return;
        }
        for module in self.prepended.get(&class).into_iter().flatten().rev() {
            self.with_modules(*module, all);
        }
        all.push(class);
        for module in self.mixins.get(&(class, Side::Instance)).into_iter().flatten().rev() {
            self.with_modules(*module, all);
        }
        for module in class.core().map(|core| core.mixins).unwrap_or_default() {
            self.with_modules(*module, all);
        }
    }

    pub(crate) fn constant(&self, class: Class, name: &Str) -> Option<Value> {
        self.constants.get(&(class, name.clone())).cloned()
    }

    pub(crate) fn set_private(&mut self, class: Class, constant: Str, is_private: bool) {
        match is_private {
            true => drop(self.private_constants.insert((class, constant))),
            false => drop(self.private_constants.remove(&(class, constant))),
        }
    }

    /// The class whose constant of this name the class has, if it is private.
    pub(super) fn owner_of_private(&self, class: Class, name: &Str) -> Option<Class> {
        if self.private_constants.is_empty() {
            return None;
        }
        let has = |class: &Class| self.constants.contains_key(&(*class, name.clone()));
        let owner = self.ancestors(class).into_iter().find(has)?;
        self.private_constants.contains(&(owner, name.clone())).then_some(owner)
    }

    pub(crate) fn set_constant(&mut self, class: Class, name: &Str, value: Value) {
        self.constants.insert((class, name.clone()), value);
    }
}

impl Interp<'_> {
    // ---- to find ----

    /// Returns the method of an object; `None` where neither code nor the tables have it.
    pub(crate) fn method_of(&self, value: &Value, name: &str) -> Option<FoundMethod> {
        match value {
            Value::Class(class) => self.class_method(*class, name),
            _ => self.instance_method(self.closest_class_of(value), name),
        }
    }

    /// Returns the class that an object alone has, or its class.
    fn closest_class_of(&self, value: &Value) -> Class {
        value.singleton().and_then(|class| class.get()).unwrap_or_else(|| self.real_class_of(value))
    }

    pub(crate) fn instance_method(&self, class: Class, name: &str) -> Option<FoundMethod> {
        if !self.classes.is_mixed {
            return self.unmixed_method(class, name);
        }
        if let Some(found) = self.classes.found.borrow().get(&class).and_then(|methods| methods.get(name)) {
            return found.clone();
        }
        let found = self.find_in(&self.classes.ancestors(class), name);
        self.classes.found.borrow_mut().entry(class).or_default().insert(name.into(), found.clone());
        found
    }

    /// Where code has only made classes: what objects of Ruby's own have is known once for all.
    fn unmixed_method(&self, class: Class, name: &str) -> Option<FoundMethod> {
        let mut class = class;
        while class.core().is_none() {
            let own = self.classes.methods.get(&(class, Side::Instance));
            if let Some(method) = own.and_then(|methods| methods.get(name)) {
                return Some(FoundMethod::Own(method.clone()));
            }
            class = self.classes.parent(class)?;
        }
        let (native, owner) = self.tables.inherited(class, name)?;
        Some(FoundMethod::native(native, owner))
    }

    fn find_in(&self, ancestors: &[Class], name: &str) -> Option<FoundMethod> {
        ancestors.iter().find_map(|class| self.method_here(*class, Side::Instance, name))
    }

    fn method_here(&self, class: Class, side: Side, name: &str) -> Option<FoundMethod> {
        if let Some(method) = self.classes.methods.get(&(class, side)).and_then(|methods| methods.get(name)) {
            return Some(FoundMethod::Own(method.clone()));
        }
        let native = self.tables.get(class, side, name)?;
        Some(FoundMethod::native(native, class))
    }

    /// Returns a method of a class itself.
    fn class_method(&self, class: Class, name: &str) -> Option<FoundMethod> {
        let mut next = Some(class);
        while let Some(class) = next {
            if let Some(found) = self.method_here(class, Side::Class, name) {
                return Some(found);
            }
            for module in self.classes.mixins.get(&(class, Side::Class)).into_iter().flatten().rev() {
                if let Some(found) = self.instance_method(*module, name) {
                    return Some(found);
                }
            }
            next = self.classes.parent(class);
        }
        let kind = if self.classes.is_module(class) { Core::Module } else { Core::ClassClass };
        self.instance_method(kind.class(), name)
    }

    /// Returns what `super` means.
    pub(super) fn method_above(&self, receiver: &Value, owner: Class, name: &str) -> Option<FoundMethod> {
        if let Value::Class(class) = receiver {
            let mut next = self.classes.parent(*class);
            while let Some(class) = next {
                if let Some(found) = self.method_here(class, Side::Class, name) {
                    return Some(found);
                }
                next = self.classes.parent(class);
            }
            return self.instance_method(Core::ClassClass.class(), name);
        }
        let ancestors = self.classes.ancestors(self.closest_class_of(receiver));
        let start = ancestors.iter().position(|class| *class == owner)? + 1;
        self.find_in(&ancestors[start..], name)
    }

    pub(crate) fn class_is_a(&self, class: Class, wanted: Class) -> bool {
        class == wanted || self.classes.ancestors(class).contains(&wanted)
    }

    pub(crate) fn is_a(&self, value: &Value, class: Class) -> bool {
        match value {
            Value::Class(it) if self.classes.is_extended(*it, class) => true,
            _ => self.class_is_a(self.closest_class_of(value), class),
        }
    }

    // ---- to define ----

    /// Whose methods `def` defines.
    pub(crate) fn definition_class(&self, frame: &Frame) -> Class {
        match (&frame.context.nesting, &frame.context.self_value) {
            (Some(nesting), _) => nesting.class,
            (None, Value::Object(object)) => object.class,
            (None, _) => Core::Object.class(),
        }
    }

    /// Returns the class of one object alone.
    pub(crate) fn singleton_of(&mut self, value: &Value) -> Flow<Class> {
        let Some(singleton) = value.singleton() else {
            let is_number = matches!(value, Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Symbol(_));
            if !is_number {
                let of = self.class_name_of(value);
                return self.unsupported(format!("what one {of} alone can do"));
            }
            return self.raise(Core::TypeError, "can't define singleton");
        };
        if let Some(class) = singleton.get() {
            return Ok(class);
        }
        let class = self.classes.add_singleton(self.real_class_of(value));
        singleton.set(Some(class));
        Ok(class)
    }

    pub(super) fn define_method(&mut self, define: &DefineMethod, frame: &Frame) -> Flow {
        self.check_sealed()?;
        let context = &frame.context;
        let kind = MethodKind::Code {
            code: define.code.clone(),
            nesting: context.nesting.clone(),
            script: context.script.clone(),
        };
        let name = define.name.clone();
        match &define.on {
            None => {
                let owner = self.definition_class(frame);
                let is_of_object = name == "initialize" || context.module_function.get();
                let visibility = if is_of_object { Visibility::Private } else { context.visibility.get() };
                let method = Method { kind, owner, visibility };
                if context.module_function.get() {
                    let of_class = Method { visibility: Visibility::Public, ..method.clone() };
                    self.classes.define(owner, Side::Class, name.clone(), of_class);
                }
                self.classes.define(owner, Side::Instance, name.clone(), method);
                self.tell_of_method(owner, &name)?;
            }
            Some(on) => match self.expr(on, frame)? {
                Value::Class(owner) => {
                    let method = Method { kind, owner, visibility: Visibility::Public };
                    self.classes.define(owner, Side::Class, name.clone(), method);
                }
                other => {
                    let owner = self.singleton_of(&other)?;
                    let method = Method { kind, owner, visibility: Visibility::Public };
                    self.classes.define(owner, Side::Instance, name.clone(), method);
                }
            },
        }
        Ok(Value::Symbol(name))
    }

    pub(super) fn define_class(&mut self, define: &DefineClass, at: u32, frame: &Frame) -> Flow {
        self.check_sealed()?;
        let within = match &define.within {
            Some(within) => match self.expr(within, frame)? {
                Value::Class(class) => class,
                _ => return self.raise(Core::TypeError, "this is not a class/module"),
            },
            None => self.constants_class(frame),
        };
        let superclass = match &define.superclass {
            Some(superclass) => Some(self.superclass(superclass, frame)?),
            None => None,
        };
        self.at = at;
        let class = match self.own_constant(within, &define.name) {
            Some(Value::Class(class)) => class,
            Some(_) => {
                let kind = if define.is_module { "module" } else { "class" };
                return self.raise(Core::TypeError, format!("{} is not a {kind}", define.name));
            }
            None => {
                let name = if within.is(Core::Object) {
                    define.name.clone()
                } else {
                    format!("{}::{}", self.classes.name(within), define.name).into()
                };
                let parent = (!define.is_module).then(|| superclass.unwrap_or(Core::Object.class()));
                let class = self.classes.add(name, parent, define.is_module);
                self.set_constant(within, &define.name, Value::Class(class));
                if let Some(parent) = parent
                    && self.class_method(parent, "inherited").is_some_and(|method| method.is_own())
                {
                    self.send(&Value::Class(parent), "inherited", &[Value::Class(class)])?;
                }
                class
            }
        };
        self.run_class_body(class, &define.body, frame)
    }

    fn superclass(&mut self, superclass: &Expr, frame: &Frame) -> Flow<Class> {
        match self.expr(superclass, frame)? {
            Value::Class(class) if !self.classes.is_module(class) => Ok(class),
            _ => self.raise(Core::TypeError, "superclass must be a Class"),
        }
    }

    fn run_class_body(&mut self, class: Class, body: &Code, frame: &Frame) -> Flow {
        let around = &frame.context;
        let context = Rc::new(Context {
            self_value: Value::Class(class),
            method: None,
            block: None,
            nesting: Nesting::in_class(around.nesting.clone(), class),
            script: around.script.clone(),
            tag: self.tag(),
            matched: Rc::default(),
            visibility: std::cell::Cell::default(),
            module_function: std::cell::Cell::new(false),
        });
        let inside = Frame { env: Env::new(body.slots, None), context };
        self.deeper(|interp| interp.expr(&body.body, &inside))
    }

    /// Runs a text of its own as the body of a class that code reopens.
    pub(crate) fn run_for_class(&mut self, class: Class, script: &Arc<Script>, from: Option<&Frame>) -> Flow {
        let around = from.and_then(|frame| frame.context.nesting.clone());
        let context = Context {
            self_value: Value::Class(class),
            method: None,
            block: None,
            nesting: Nesting::in_class(around, class),
            script: script.clone(),
            tag: self.tag(),
            matched: Rc::default(),
            visibility: std::cell::Cell::default(),
            module_function: std::cell::Cell::new(false),
        };
        let inside = Frame { env: Env::new(script.main.slots, None), context: Rc::new(context) };
        let outer = (std::mem::replace(&mut self.script, script.clone()), self.at);
        let result = self.deeper(|interp| interp.expr(&script.main.body, &inside));
        (self.script, self.at) = outer;
        result
    }

    pub(super) fn open_singleton(&mut self, of: &Expr, body: &Code, frame: &Frame) -> Flow {
        match self.expr(of, frame)? {
            // Its methods are collected in a class of their own, and become those of the class itself.
            Value::Class(class) => {
                let collected = self.classes.add(self.classes.name(class), Some(Core::Object.class()), false);
                self.classes.collecting.insert(collected, class);
                let result = self.run_class_body(collected, body, frame)?;
                self.classes.found.get_mut().clear();
                let methods = self.classes.methods.remove(&(collected, Side::Instance)).unwrap_or_default();
                let mut methods: Vec<(Str, Rc<Method>)> = methods.into_iter().collect();
                methods.sort_by(|a, b| a.0.cmp(&b.0));
                for (name, method) in methods {
                    let visibility = match method.visibility {
                        Visibility::Protected(_) => Visibility::Protected(class),
                        other => other,
                    };
                    let method = Method { owner: class, visibility, ..(*method).clone() };
                    self.classes.define(class, Side::Class, name, method);
                }
                Ok(result)
            }
            other => {
                let class = self.singleton_of(&other)?;
                self.run_class_body(class, body, frame)
            }
        }
    }

    pub(super) fn alias(&mut self, new: &Str, old: &Str, frame: &Frame) -> Flow {
        let class = self.definition_class(frame);
        self.alias_in(class, new, old)
    }

    pub(crate) fn alias_in(&mut self, class: Class, new: &Str, old: &Str) -> Flow {
        match self.method_named(class, old) {
            Some(method) => {
                self.classes.define(class, Side::Instance, new.clone(), (*method).clone());
                Ok(Value::Nil)
            }
            None => {
                let name = self.classes.name(class);
                self.raise(Core::NameError, format!("undefined method `{old}' for class `{name}'"))
            }
        }
    }

    /// Returns the method that `alias` and `private` mean by a name: in `class << self`, one of the class itself.
    pub(crate) fn method_named(&self, class: Class, name: &str) -> Option<FoundMethod> {
        match self.classes.collecting.get(&class) {
            Some(of) => {
                let own = self.classes.methods.get(&(class, Side::Instance)).and_then(|methods| methods.get(name));
                own.cloned().map(FoundMethod::Own).or_else(|| self.class_method(*of, name))
            }
            None => self.instance_method(class, name),
        }
    }

    /// Tells a class that wants to know it of a method that is new.
    pub(crate) fn tell_of_method(&mut self, class: Class, name: &Str) -> Flow<()> {
        if self.class_method(class, "method_added").is_some_and(|method| method.is_own()) {
            self.send(&Value::Class(class), "method_added", &[Value::Symbol(name.clone())])?;
        }
        Ok(())
    }

    // ---- variables of objects ----

    pub(crate) fn instance_variable(&mut self, object: &Value, name: &Str) -> Flow {
        Ok(self.instance_variable_if(object, name)?.unwrap_or_default())
    }

    pub(crate) fn instance_variable_if(&mut self, object: &Value, name: &Str) -> Flow<Option<Value>> {
        match object {
            Value::Object(object) => {
                let found =
                    object.variables.borrow().iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
                match found {
                    Some(value) => Ok(Some(value)),
                    None if object.class.is(Core::PuppetTemplateWrapper) => self.template_variable(object, name),
                    None if matches!(&*object.data.borrow(), Data::Xml(_)) => {
                        own_variable(self, &Value::Object(object.clone()), name)
                    }
                    None if self.declared.has_checks() => {
                        self.refuse_hidden_variable(&Value::Object(object.clone()), name)?;
                        Ok(None)
                    }
                    None => Ok(None),
                }
            }
            Value::Class(class) => Ok(self.classes.instance_variables.get(&(*class, name.clone())).cloned()),
            _ => Ok(None),
        }
    }

    pub(crate) fn set_instance_variable(&mut self, object: &Value, name: &Str, value: Value) -> Flow<()> {
        match object {
            Value::Object(it) if it.frozen.get() => return self.frozen(object),
            Value::Object(it) if is_own_variable(name) && matches!(&*it.data.borrow(), Data::Xml(_)) => {
                return self.unsupported(format!("the instance variable {name} of a node of REXML's, to set it,"));
            }
            Value::Object(object) => {
                let mut variables = object.variables.borrow_mut();
                match variables.iter().position(|(known, _)| known == name) {
                    Some(place) => variables[place].1 = value,
                    None if variables.len() >= limits::RUBY_VARIABLES => {
                        return self.fatal(format!("an object may have {} variables at most", limits::RUBY_VARIABLES));
                    }
                    None => variables.push((name.clone(), value)),
                }
            }
            Value::Class(class) => {
                self.check_sealed()?;
                self.classes.instance_variables.insert((*class, name.clone()), value);
            }
            other if is_frozen(other) => return self.frozen(other),
            other => {
                let of = self.class_name_of(other);
                return self.unsupported(format!("an instance variable of a {of}"));
            }
        }
        Ok(())
    }

    fn class_of_variables(&self, frame: &Frame) -> Class {
        frame.context.nesting.as_ref().map_or(Core::Object.class(), |nesting| nesting.class)
    }

    pub(super) fn class_variable_if(&self, name: &Str, frame: &Frame) -> Option<Value> {
        let ancestors = self.classes.ancestors(self.class_of_variables(frame));
        ancestors.iter().find_map(|class| self.classes.variables.get(&(*class, name.clone())).cloned())
    }

    pub(super) fn class_variable(&mut self, name: &Str, frame: &Frame, at: u32) -> Flow {
        self.at = at;
        match self.class_variable_if(name, frame) {
            Some(value) => Ok(value),
            None => {
                let class = self.classes.name(self.class_of_variables(frame));
                self.raise(Core::NameError, format!("uninitialized class variable {name} in {class}"))
            }
        }
    }

    pub(super) fn set_class_variable(&mut self, name: &Str, value: Value, frame: &Frame) {
        let class = self.class_of_variables(frame);
        let ancestors = self.classes.ancestors(class);
        let owner = ancestors.iter().find(|class| self.classes.variables.contains_key(&(**class, name.clone())));
        self.classes.variables.insert((owner.copied().unwrap_or(class), name.clone()), value);
    }
}
