//! The interpreter of the lowered tree.
//!
//! Knows the world through [`Outside`] alone, and counts what it does: a limit ends what would not end.

mod assign;
mod block;
mod call;
mod constants;
mod control;
mod define;
mod expr;
mod form;
mod identities;
mod keys;
pub(super) use form::regex_to_s;
pub(super) use form::{YieldedValues, big_of, compare_numbers, float_of};
mod matching;
mod mismatch;
mod shared_values;
pub(super) use matching::match_of;
mod pattern;
mod raise;
mod view;

use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::Arc;

use pantin_base::{budget, limits};
use pantin_values::{Fault, Str};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) use call::{Args, CallArguments};
pub(super) use define::{Classes, Method, MethodKind, Nesting, Visibility};
use identities::Identities;
use shared_values::LentValue;

use super::alone::Bounds;
use super::code::Script;
use super::deep::release;
use super::memory::{ITEM, OBJECT, Run, Weight};
use super::native::Tables;
use super::outside::Outside;
use super::puppet::Declarations;
use super::stop::{Flow, Stop};
use super::value::Value;

/// The variable that holds what code has put on the load path.
pub(super) const LOAD_PATH: &str = "$LOAD_PATH";

/// The locals of one run of a body.
pub(super) struct Env {
    slots: RefCell<Vec<Value>>,
    outer: Option<Rc<Env>>,
    /// Blocks that are kept keep it.
    #[expect(dead_code, reason = "it is taken back with the rest")]
    weight: Weight,
}

/// What a method's body and the blocks in it have in common.
pub(super) struct Context {
    pub(super) self_value: Value,
    /// The method that runs, and the class that has it.
    pub(super) method: Option<(Str, super::class::Class)>,
    pub(super) block: Option<Value>,
    pub(super) nesting: Option<Rc<Nesting>>,
    pub(super) script: Arc<Script>,
    /// Names this run, for `return`.
    pub(super) tag: u64,
    /// `$~`
    pub(super) matched: Rc<RefCell<Value>>,
    /// Of what is defined from here on in this body of a class: `private` without arguments was met.
    pub(super) visibility: Cell<Visibility>,
    pub(super) module_function: Cell<bool>,
}

/// Where an expression is evaluated.
#[derive(Clone)]
pub(super) struct Frame {
    pub(super) context: Rc<Context>,
    pub(super) env: Rc<Env>,
}

/// How a run gets at the outside.
pub(super) enum OutsideDoor<'o> {
    Lent(&'o mut dyn Outside),
    Own(Box<dyn Outside>),
}

impl<'o> Deref for OutsideDoor<'o> {
    type Target = dyn Outside + 'o;

    fn deref(&self) -> &(dyn Outside + 'o) {
        match self {
            OutsideDoor::Lent(outside) => &**outside,
            OutsideDoor::Own(outside) => &**outside,
        }
    }
}

impl<'o> DerefMut for OutsideDoor<'o> {
    fn deref_mut(&mut self) -> &mut (dyn Outside + 'o) {
        match self {
            OutsideDoor::Lent(outside) => &mut **outside,
            OutsideDoor::Own(outside) => &mut **outside,
        }
    }
}

/// One run of Ruby code, with all that it has defined.
pub(super) struct Interp<'o> {
    pub(super) outside: OutsideDoor<'o>,
    pub(super) tables: &'static Tables,
    pub(super) classes: Classes,
    pub(super) globals: FxHashMap<Str, Value>,
    pub(super) loaded: FxHashSet<Str>,
    pub(super) declared: Declarations,
    /// What runs at the moment, and where.
    pub(super) script: Arc<Script>,
    pub(super) at: u32,
    /// Where the method or block stood in the end that has ended last.
    ended: (Arc<Script>, u32),
    pub(super) main: Value,
    /// What of the outside this run has got as objects of its own.
    pub(super) lent: Vec<LentValue>,
    /// Of how many of these it is known whether they may be changed.
    pub(super) judged: usize,
    /// One of them, or a part of one, may have been changed.
    pub(super) touched: bool,
    /// Variables of the scope that this run has set: a template has those from before alone as its own.
    pub(super) set: Vec<Str>,
    /// Something of the world was asked for.
    pub(super) has_asked: Cell<bool>,
    /// The run ended because the code wants what is not here.
    pub(super) lacks: bool,
    /// A library that was asked for in vain.
    pub(super) missing: Option<Str>,
    /// What `srand` has begun.
    pub(super) generator: Option<Rc<super::classes::Generator>>,
    /// What `catch` waits for, outermost first.
    pub(super) caught: Vec<Value>,
    /// Nodes of XML that have children, which children name but do not keep.
    nodes: Vec<Value>,
    /// The arrays and hashes that are being shown, each in the one before.
    shown: Vec<Value>,
    /// How many bytes their texts have so far.
    shown_bytes: usize,
    identities: Identities,
    depth: u32,
    steps: u64,
    tags: u64,
    most_steps: u64,
    /// Nothing may be left behind in classes: the next run of the same code is to find what this one found.
    is_sealed: bool,
    run: Run,
}

impl Interp<'_> {
    /// A text in which a path may stand, handed to code: whatever that makes of it depends on where the files are.
    pub(crate) fn reveal_text(&mut self, text: String) -> Flow {
        self.reveal(&text)?;
        Ok(Value::text(text))
    }

    /// Keeps a node of XML until the run ends, for those that name it as their parent.
    pub(crate) fn keep_node(&mut self, node: Value) {
        self.nodes.push(node);
    }

    /// Tells the outside of such a text.
    pub(crate) fn reveal(&mut self, text: &str) -> Flow<()> {
        let revealed = self.outside.reveal(text);
        self.outside(revealed)
    }
}

impl<'o> Interp<'o> {
    pub(super) fn new(script: Arc<Script>, outside: &'o mut dyn Outside) -> Interp<'o> {
        Interp::with_bounds(script, outside, Bounds::default())
    }

    pub(super) fn with_bounds(script: Arc<Script>, outside: &'o mut dyn Outside, bounds: Bounds) -> Interp<'o> {
        Interp::behind(OutsideDoor::Lent(outside), script, bounds)
    }

    /// Returns a run that is kept for more code than one.
    pub(super) fn owning(script: Arc<Script>, outside: Box<dyn Outside>) -> Interp<'static> {
        Interp::behind(OutsideDoor::Own(outside), script, Bounds::default())
    }

    fn behind(outside: OutsideDoor<'o>, script: Arc<Script>, bounds: Bounds) -> Interp<'o> {
        Interp {
            outside,
            tables: Tables::shared(),
            classes: Classes::default(),
            globals: FxHashMap::default(),
            loaded: FxHashSet::default(),
            declared: Declarations::default(),
            ended: (script.clone(), 0),
            script,
            at: 0,
            main: Value::object(super::class::Core::Object.class(), super::value::Data::None),
            lent: Vec::new(),
            judged: 0,
            touched: false,
            set: Vec::new(),
            has_asked: Cell::new(false),
            lacks: false,
            missing: None,
            generator: None,
            caught: Vec::new(),
            nodes: Vec::new(),
            shown: Vec::new(),
            shown_bytes: 0,
            identities: Identities::default(),
            depth: 0,
            steps: 0,
            tags: 0,
            most_steps: bounds.steps,
            is_sealed: false,
            run: Run::begin(bounds.bytes),
        }
    }

    /// From here on code that would change a class, a constant or a global variable is not run.
    pub(super) fn seal(&mut self) {
        self.is_sealed = true;
    }

    pub(super) fn check_sealed(&mut self) -> Flow<()> {
        match self.is_sealed {
            true => self.unsupported("code that changes what the next run of it finds"),
            false => Ok(()),
        }
    }

    /// Leaves the run for a while: what it has taken counts for nobody meanwhile.
    pub(super) fn park(&mut self) {
        self.run.park();
    }

    /// Begins again where only definitions are left of what ran before.
    pub(super) fn resume(&mut self) {
        self.run.resume();
        (self.steps, self.depth, self.shown_bytes, self.lacks) = (0, 0, 0, false);
        self.shown.clear();
        self.caught.clear();
        self.globals.remove("$!");
    }

    /// Returns true if memory and steps are left.
    pub(super) fn has_steps(&self) -> bool {
        self.steps <= self.most_steps && !budget::is_over() && self.is_fit_for_more()
    }

    /// Returns true if what has ended has left enough memory for more.
    pub(super) fn is_fit_for_more(&self) -> bool {
        self.run.has_room(0) && !self.run.has_given_up()
    }

    /// Goes on after code that wants what is not here.
    pub(super) fn forget_lack(&mut self) {
        self.lacks = false;
        self.shown.clear();
        self.shown_bytes = 0;
        self.caught.clear();
        self.globals.remove("$!");
    }

    /// A method or block has ended, and who called it goes on.
    fn back_to(&mut self, (script, at): (Arc<Script>, u32)) {
        self.ended = (std::mem::replace(&mut self.script, script), std::mem::replace(&mut self.at, at));
    }

    /// Runs a file; what it is worth is the value of its last expression.
    pub(super) fn run_script(&mut self, script: &Arc<Script>, self_value: Value) -> Flow {
        let class = match &self_value {
            Value::Object(object) if !object.class.is(super::class::Core::Object) => Some(object.class),
            _ => None,
        };
        let context = Rc::new(Context {
            self_value,
            method: None,
            block: None,
            nesting: class.and_then(|class| Nesting::in_class(None, class)),
            script: script.clone(),
            tag: self.tag(),
            matched: Rc::default(),
            visibility: Cell::default(),
            module_function: Cell::new(false),
        });
        let frame = Frame { env: Env::new(script.main.slots, None), context };
        let outer = (std::mem::replace(&mut self.script, script.clone()), self.at);
        let result = self.expr(&script.main.body, &frame);
        (self.script, self.at) = outer;
        match result.map_err(|stop| *stop) {
            Err(Stop::Return(tag, value)) if tag == frame.context.tag => Ok(value),
            Err(stop) => Err(Box::new(stop)),
            Ok(value) => Ok(value),
        }
    }

    /// Runs code where other code stands: it sees its locals, and is of the same object.
    pub(super) fn run_within(&mut self, script: &Arc<Script>, around: &Frame) -> Flow {
        let of = &around.context;
        let context = Rc::new(Context {
            self_value: of.self_value.clone(),
            method: of.method.clone(),
            block: of.block.clone(),
            nesting: of.nesting.clone(),
            script: script.clone(),
            tag: of.tag,
            matched: of.matched.clone(),
            visibility: Cell::default(),
            module_function: Cell::new(false),
        });
        let frame = Frame { env: Env::new(script.main.slots, Some(around.env.clone())), context };
        let outer = (std::mem::replace(&mut self.script, script.clone()), self.at);
        let result = self.expr(&script.main.body, &frame);
        (self.script, self.at) = outer;
        result
    }

    /// Returns where code stands that stands nowhere.
    pub(super) fn top_frame(&mut self) -> Frame {
        let context = Rc::new(Context {
            self_value: self.main.clone(),
            method: None,
            block: None,
            nesting: None,
            script: self.script.clone(),
            tag: self.tag(),
            matched: Rc::default(),
            visibility: Cell::default(),
            module_function: Cell::new(false),
        });
        Frame { env: Env::new(0, None), context }
    }

    /// Returns the release of Puppet that is followed.
    pub(super) fn release(&self) -> &'static str {
        self.has_asked.set(true);
        self.outside.release()
    }

    pub(super) fn tag(&mut self) -> u64 {
        self.tags += 1;
        self.tags
    }

    /// One step more: of a loop, or a call.
    pub(super) fn step(&mut self) -> Flow<()> {
        self.take_steps(1)
    }

    /// So many steps more: of something that takes as long as these.
    pub(super) fn take_steps(&mut self, steps: u64) -> Flow<()> {
        self.steps += steps;
        if self.steps > self.most_steps {
            return self.fatal(format!("Ruby code took more than {} steps", self.most_steps));
        }
        budget::spend(steps);
        self.check_room(0)
    }

    /// Runs something one call deeper.
    pub(super) fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> Flow<T>) -> Flow<T> {
        if self.depth >= limits::RUBY_DEPTH {
            return self.fatal(format!("Ruby code is nested more than {} calls deep", limits::RUBY_DEPTH));
        }
        self.depth += 1;
        let result = pantin_base::stack::with_room(|| run(self));
        self.depth -= 1;
        result
    }

    pub(super) fn check_bytes(&mut self, bytes: usize) -> Flow<()> {
        if bytes > limits::TEXT_BYTES {
            return self.fatal(format!("a text may have {} bytes at most", limits::TEXT_BYTES));
        }
        self.check_room(bytes)
    }

    /// Whether there is memory for so much more.
    pub(super) fn check_room(&mut self, bytes: usize) -> Flow<()> {
        if budget::is_over() {
            return self.fatal("there are no steps left for the node's code");
        }
        match self.run.has_room(bytes) {
            true => Ok(()),
            false if self.run.has_given_up() => {
                self.fatal("values of Ruby code hold themselves, or nest too deep, or are too many, to be compared")
            }
            false => {
                let most = self.run.most();
                self.fatal(format!("the values of Ruby code may take {most} bytes of memory at most"))
            }
        }
    }

    pub(super) fn check_count(&mut self, count: usize) -> Flow<()> {
        if count as u64 > limits::RUBY_ELEMENTS {
            return self.fatal(format!("an array or hash may have {} elements at most", limits::RUBY_ELEMENTS));
        }
        self.check_room(count * ITEM)
    }

    /// The same, where each is a text that is new.
    pub(super) fn check_texts(&mut self, count: usize) -> Flow<()> {
        self.check_count(count)?;
        self.check_room(count * (ITEM + OBJECT))
    }

    /// Ends the run with an error that no `rescue` sees; the place is put behind it.
    pub(super) fn fatal<T>(&mut self, message: impl std::fmt::Display) -> Flow<T> {
        let place =
            format!("{message} (file: {}, line: {})", self.script.path.beyond_code(), self.script.line(self.at));
        Err(Box::new(Stop::Fatal(Fault::limit(place))))
    }

    /// The same for something that Ruby has and that is not run here.
    pub(super) fn unsupported<T>(&mut self, what: impl std::fmt::Display) -> Flow<T> {
        self.lacks = true;
        self.fatal(format!("{what} is not supported in Ruby code that Pantin runs"))
    }
}

impl Drop for Env {
    fn drop(&mut self) {
        let slots = self.slots.take();
        if slots.iter().any(Value::may_hold) {
            release(slots);
        }
    }
}

impl Env {
    pub(super) fn new(slots: usize, outer: Option<Rc<Env>>) -> Rc<Env> {
        let weight = Weight::from_bytes(OBJECT + ITEM * slots);
        Rc::new(Env { slots: RefCell::new(vec![Value::Nil; slots]), outer, weight })
    }

    fn out(self: &Rc<Env>, depth: u32) -> Option<&Rc<Env>> {
        (0..depth).try_fold(self, |env, _| env.outer.as_ref())
    }

    pub(super) fn get(self: &Rc<Env>, depth: u32, slot: u32) -> Value {
        self.out(depth).and_then(|env| env.slots.borrow().get(slot as usize).cloned()).unwrap_or_default()
    }

    pub(super) fn set(self: &Rc<Env>, depth: u32, slot: u32, value: Value) {
        if let Some(env) = self.out(depth)
            && let Some(place) = env.slots.borrow_mut().get_mut(slot as usize)
        {
            *place = value;
        }
    }
}
