//! The door of the sandbox: what Ruby code can get from the world, all of it through one trait.

use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

use pantin_model::trace::{Container, Level, ResourcePart, VariableName};
use pantin_values::{Fault, Hash, Object, Str, Value};

use super::border;
use super::code::Script;
use super::path_texts::ScriptPath;
use super::puppet::Declaration;
use super::user_ruby::RubyBlock;
use super::value::Value as Ruby;

/// What a variable of the outside is.
#[derive(Debug)]
pub enum OutsideVariable {
    Value(Value),
    /// What Ruby code has set, itself.
    Held(HeldValue),
    /// A container; its parts are to be asked for.
    View(Place),
}

/// Where a container of the outside is.
#[derive(Clone, Debug)]
pub struct Place {
    pub container: Container,
    pub variable: VariableName,
    pub path: Vec<Value>,
}

/// A value that Ruby code has set as a variable: whoever looks it up gets the same object, and may change it.
#[derive(Clone)]
pub struct HeldValue(pub(super) Ruby);

impl HeldValue {
    /// A value that no code here has in its hands.
    pub fn from_value(value: &Value) -> HeldValue {
        HeldValue(border::inward(value))
    }

    /// As Puppet code sees it, at this moment.
    pub fn value(&self) -> Result<Value, Fault> {
        border::outward(&self.0, border::UndefSymbol::Undef)
            .map_err(|_| Fault::new("a variable that Ruby code has set holds what Puppet code has not"))
    }
}

impl std::fmt::Debug for HeldValue {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Held")
    }
}

/// A container of the outside, until its whole is wanted.
pub(super) struct View {
    pub(super) container: Container,
    pub(super) variable: VariableName,
    pub(super) path: Vec<Value>,
    pub(super) whole: RefCell<Option<Ruby>>,
}

/// A file of Ruby code, and a line of it.
pub type RubyPlace = (ScriptPath, u32);

/// Something that failed outside.
#[derive(Debug)]
pub struct Trouble {
    pub message: String,
    pub kind: TroubleKind,
    /// Where other Ruby code raised it.
    pub place: Option<RubyPlace>,
    /// What the outside gets back when no Ruby code has rescued it.
    pub origin: Option<Box<dyn Any>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TroubleKind {
    /// `Puppet::ParseError`, which most of Puppet's errors are.
    Parse,
    /// `ArgumentError`
    Argument,
    /// No exception of Ruby's: a limit, a jump of Puppet code. It cannot be rescued.
    Fatal,
    /// The same, for something that code may not do: the message gets its place.
    Refused,
}

/// The world, as the caller of Ruby code lets it be seen.
pub trait Outside {
    /// Returns a variable as the scope sees it; `None` where there is none. With `@` before its name, as a template has
    /// it for its own.
    fn variable(&mut self, name: &str) -> Result<Option<OutsideVariable>, Trouble>;

    /// Returns a part of a variable's container; `None` where there is none.
    fn part(&mut self, variable: &VariableName, path: &[Value]) -> Result<Option<OutsideVariable>, Trouble>;

    /// Returns a variable's container, or a part of it, as a whole.
    fn whole_variable(&mut self, variable: &VariableName, path: &[Value]) -> Result<Value, Trouble>;

    /// The names of all variables that `variable` finds and that are not undef, in their order.
    fn variable_names(&mut self) -> Result<Vec<Str>, Trouble> {
        unavailable("the list of all variables")
    }

    /// What `scope.lookupvar` and `scope[…]` say of an unknown variable, where that is an error.
    fn unknown_variable(&mut self, name: &str) -> Result<(), Trouble>;

    /// Returns why there is no variable of a name, for code that catches what is thrown then: a text, or undef. `None`:
    /// to the scope it is there all the same.
    fn absence_of(&mut self, _name: &str) -> Result<Option<Value>, Trouble> {
        Ok(None)
    }

    /// Sets a variable in the scope, if it has none of the name. `value` is what Puppet code gets of it.
    fn set_variable(&mut self, name: &Str, held: HeldValue, value: Value) -> Result<(), Trouble>;

    /// Returns true if a variable's object, and all in it, is not to be changed: it is known of the node.
    fn is_fixed(&mut self, _name: &VariableName) -> Result<bool, Trouble> {
        Ok(false)
    }

    /// The same of an argument of the function that runs.
    fn is_fixed_argument(&mut self, _index: usize) -> Result<bool, Trouble> {
        Ok(false)
    }

    /// An argument of the function that runs was changed in place.
    fn change_argument(&mut self, _index: usize, _value: Value) -> Result<(), Trouble> {
        Ok(())
    }

    /// A variable's object was changed in place.
    fn change_variable(&mut self, name: &VariableName, value: Value) -> Result<(), Trouble>;

    /// Returns the defaults that resources of a type get in the scope: a hash.
    fn defaults(&mut self, type_name: &str) -> Result<Value, Trouble>;

    /// Returns what a resource has for a parameter, or which parameters it has, by the text of its reference; `None`
    /// where it is not declared.
    fn resource_part(&mut self, _reference: &str, _part: ResourcePart) -> Result<Option<Value>, Trouble> {
        unavailable("the catalog")
    }

    /// The classes that are evaluated by now, and the tags that the catalog has.
    fn classes_and_tags(&mut self) -> Result<(Value, Value), Trouble> {
        unavailable("the catalog")
    }

    /// Returns the class, instance of a defined type, or node whose code calls: `A::B[c]`.
    fn own_resource(&mut self) -> Result<String, Trouble> {
        unavailable("the code that calls")
    }

    /// Calls a method of an object of the outside. Only the context that a back end of Hiera is given has any.
    fn method(&mut self, object: &Arc<Object>, name: &str, args: Vec<Value>) -> Result<Value, Trouble>;

    fn call_function(&mut self, name: &str, args: Vec<Value>, how: CallForm) -> Result<Value, Trouble>;

    /// The same with a block that another Ruby runs.
    fn call_with_block(
        &mut self,
        _name: &str,
        _args: Vec<Value>,
        _how: CallForm,
        _block: Arc<dyn RubyBlock>,
    ) -> Result<Value, Trouble> {
        unavailable("a function that takes a block")
    }

    /// Returns which of the ways to call a function takes these arguments, and the block that was given if it is handed
    /// on.
    fn choose(&mut self, function: &Declaration, args: &[Value], with_block: bool) -> Result<usize, Trouble>;

    /// Whether what the function gave is what it says that it gives.
    fn check_result(&mut self, function: &Declaration, chosen: usize, value: &Value) -> Result<(), Trouble>;

    /// What follows is asked and done as from the scope at the top, until that is left. Says whether there is anything to leave.
    fn enter_top(&mut self) -> bool {
        false
    }

    fn leave_top(&mut self) {}

    /// Returns true if the function was given a lambda.
    fn has_block(&self) -> bool;

    /// Returns how many arguments that takes, as Ruby counts them.
    fn block_arity(&self) -> i64;

    fn call_block(&mut self, args: Vec<Value>) -> Result<Value, Trouble>;

    /// The file of Ruby that `require` names, if a module has it.
    fn library(&mut self, name: &str) -> Result<Option<Arc<Script>>, Trouble>;

    /// Returns the template of this name, if a module has it.
    fn template(&mut self, _name: &str) -> Result<Option<Arc<Script>>, Trouble> {
        unavailable("a template")
    }

    /// Returns true if the scope has a method for this function: only one of the older kind is one.
    fn is_method_of_scope(&mut self, name: &str) -> Result<bool, Trouble> {
        self.has_function(name)
    }

    /// Returns the resource of which the scope is: `Class[A]`.
    fn resource_around(&mut self) -> Result<Option<Str>, Trouble> {
        Ok(None)
    }

    /// Returns true if a function of this name is known.
    fn has_function(&mut self, name: &str) -> Result<bool, Trouble>;

    fn log(&mut self, level: Level, message: &str) -> Result<(), Trouble>;

    /// A warning that is said once for each key.
    fn deprecated(&mut self, _key: &str, _message: &str) -> Result<(), Trouble> {
        unavailable("a deprecation")
    }

    /// Returns a setting of the compiler; `None` where none of the name is known.
    fn setting(&mut self, name: &str) -> Result<Option<Value>, Trouble>;

    /// Returns the release of Puppet whose behaviour is followed.
    fn release(&self) -> &'static str;

    /// Returns the facts of the machine that compiles; `None` where nobody may look at it.
    fn server_facts(&mut self) -> Option<&Hash>;

    /// Code is told a text in which a path may stand: whatever it makes of it depends on where the files are.
    fn reveal(&mut self, text: &str) -> Result<(), Trouble>;

    /// The first of these absolute paths that may not be read, and where it leads.
    fn beyond(&mut self, _paths: &[Str]) -> Result<Option<(Str, Str)>, Trouble> {
        unavailable("a file")
    }

    /// Returns what is in the file at an absolute path; `None` where there is none.
    fn content(&mut self, _path: &str) -> Result<Option<Vec<u8>>, Trouble> {
        unavailable("a file")
    }

    /// Returns true if there is a file or a folder at an absolute path.
    fn exists(&mut self, _path: &str) -> Result<bool, Trouble> {
        unavailable("a file")
    }

    fn is_folder(&mut self, _path: &str) -> Result<bool, Trouble> {
        unavailable("a file")
    }

    /// Returns the files and folders that match absolute patterns: a list of paths.
    fn matching(&mut self, _patterns: &[Str]) -> Result<Value, Trouble> {
        unavailable("files")
    }

    /// Returns how a command ends: a hash of its `output`, `errors` and `status`; `None` where commands are not run.
    fn command(&mut self, _words: &[Str]) -> Result<Option<Value>, Trouble> {
        Ok(None)
    }

    /// Returns what the look-up of a name finds, by what Ruby calls it: an array; `None` where names are not looked up.
    fn name_lookup(&mut self, _function: &str, _arguments: &[Value]) -> Result<Option<Value>, Trouble> {
        Ok(None)
    }

    /// Returns a number that nobody can foresee.
    fn random(&mut self) -> Result<i64, Trouble> {
        unavailable("chance")
    }

    /// Returns true if another Ruby takes over where this one lacks something.
    fn has_own_ruby(&self) -> bool {
        false
    }

    /// The function that runs is begun anew, in another Ruby: what it has done already is not to be done twice.
    fn restart(&mut self) {}

    /// Seconds and nanoseconds since 1970.
    fn now(&mut self) -> Result<(i64, u32), Trouble>;

    /// Returns how many seconds the machine's zone is ahead of UTC.
    fn local_offset(&mut self) -> i32;
}

fn unavailable<T>(what: &str) -> Result<T, Trouble> {
    let message = format!("{what} is not to be had for code that is run here");
    Err(Trouble { message, kind: TroubleKind::Fatal, place: None, origin: None })
}

/// In which way Ruby code calls a function of Puppet's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallForm {
    /// `call_function(name, …)` of a function of the newer kind: from the scope at the top.
    Newer,
    /// `scope.call_function(name, […])`
    ByScope,
    /// `scope.function_name([…])`
    Older,
}
