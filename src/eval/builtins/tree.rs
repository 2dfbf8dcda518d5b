//! `tree_each`: through a tree of arrays, hashes and objects, with the path to everything in it.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};

use pantin_values::types::AttributeKind;
use pantin_values::{BuiltInOnly, Fault, Hash, Items, Sequence, Type, Value, types};

use super::iteration::or_broken;
use super::older::no_method;
use crate::{Builtin, Flow, Invocation, block, optional, overload, required};

const TREE: &str = "Variant[Iterator, Array, Hash, Object]";

pub(super) static FUNCTIONS: &[Builtin] = &[Builtin::typed(
    "tree_each",
    &[
        overload(&[required(TREE, "tree"), optional("OptionsType", "options")], block("Callable[2,2]"), with_block),
        overload(&[required(TREE, "tree"), optional("OptionsType", "options")], block("Callable[1,1]"), with_block),
        overload(&[required(TREE, "tree"), optional("OptionsType", "options")], None, iterator),
    ],
    "Goes through a tree of containers: the lambda gets the path and the value of everything in it, or the value alone.",
)
.with_types(&[(
    "OptionsType",
    "Struct[{container_type => Optional[Type], include_root => Optional[Boolean], \
     include_containers => Optional[Boolean], include_values => Optional[Boolean], \
     order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}]",
)])];

fn with_block(call: &mut Invocation<'_, '_>) -> Flow {
    if !call.has_block() {
        return iterator(call);
    }
    let tree = call.take(0);
    let mut walk = Walk::new(tree.clone(), call.arg(1))?;
    let with_path = call.block_params() >= 2;
    let mut go = || {
        while let Some((path, value)) = walk.next()? {
            if with_path {
                call.yield_values([Value::Array(path.into()), value])?;
            } else {
                call.yield_values([value])?;
            }
        }
        Ok(())
    };
    or_broken(go())?;
    Ok(tree)
}

/// The pairs of path and value.
fn iterator(call: &mut Invocation<'_, '_>) -> Flow {
    let tree = call.take(0);
    let mut walk = Walk::new(tree, call.arg(1))?;
    let mut pairs = Vec::new();
    let mut size = 0;
    while let Some((path, value)) = walk.next()? {
        size += path.len() + 1;
        call.check_elements(size)?;
        pairs.push(Value::array([Value::Array(path.into()), value]));
    }
    let items = Items::Tree { pairs: pairs.into(), breadth_first: walk.options.breadth_first };
    Ok(Value::Iterator(Arc::new(Sequence::new(items, Type::Any))))
}

/// What of a tree is wanted.
struct Options {
    containers: Option<Type>,
    with_root: bool,
    with_containers: bool,
    with_values: bool,
    with_references: bool,
    breadth_first: bool,
}

impl Options {
    fn new(given: &Value) -> Result<Options, Fault> {
        let none = Hash::default();
        let given = match given {
            Value::Hash(given) => given,
            _ => &none,
        };
        let flag = |name, default| match given.get_str(name) {
            None | Some(Value::Undef) => default,
            Some(value) => value.is_truthy(),
        };
        let with_containers = flag("include_containers", true);
        let options = Options {
            containers: container_type(given.get_str("container_type"))?,
            with_root: with_containers && flag("include_root", true),
            with_containers,
            with_values: flag("include_values", true),
            with_references: flag("include_refs", false),
            breadth_first: given.get_str("order").and_then(Value::as_str) == Some("breadth_first"),
        };
        if !options.with_containers && !options.with_values {
            return Err(Fault::new("Options 'include_containers' and 'include_values' cannot both be false"));
        }
        Ok(options)
    }

    fn is_container(&self, value: &Value) -> Result<bool, Fault> {
        match (value, &self.containers) {
            (Value::Array(_) | Value::Hash(_) | Value::Object(_), Some(of)) => of.accepts(value),
            (Value::Array(_) | Value::Hash(_) | Value::Object(_), None) => Ok(true),
            _ => Ok(false),
        }
    }
}

fn container_type(given: Option<&Value>) -> Result<Option<Type>, Fault> {
    static CONTAINERS: LazyLock<Result<Type, Fault>> =
        LazyLock::new(|| types::parse("Variant[Array, Hash, Object]", &mut BuiltInOnly));
    let Some(Value::Type(of)) = given else { return Ok(None) };
    if !CONTAINERS.as_ref().map_err(Clone::clone)?.assignable(of) {
        return Err(Fault::new(format!("Only Array, Hash, and Object types can be used as container types. Got {of}")));
    }
    Ok(Some(of.clone()))
}

/// A container that is being gone through.
struct Level {
    container: Value,
    next: usize,
    /// Where it is itself. Only who goes breadth first needs it.
    path: Vec<Value>,
}

/// Gives everything in a tree, one at a time. No recursion: a tree may be deeper than a stack.
struct Walk {
    options: Options,
    /// Not begun yet.
    root: Option<Value>,
    /// It was no container of those that are wanted.
    is_no_tree: bool,
    /// Depth first, the last is gone through; breadth first, the first.
    levels: VecDeque<Level>,
    /// Depth first: where the last level is.
    path: Vec<Value>,
}

impl Walk {
    fn new(root: Value, options: &Value) -> Result<Walk, Fault> {
        let options = Options::new(options)?;
        Ok(Walk { options, root: Some(root), is_no_tree: false, levels: VecDeque::new(), path: Vec::new() })
    }

    fn next(&mut self) -> Flow<Option<(Vec<Value>, Value)>> {
        if let Some(root) = self.root.take() {
            if self.options.is_container(&root)? {
                self.levels.push_back(Level { container: root.clone(), next: 0, path: Vec::new() });
            } else {
                // A type is a leaf here.
                self.is_no_tree = !matches!(root, Value::Type(_)) || self.options.containers.is_some();
            }
            if self.options.with_root {
                return Ok(Some((Vec::new(), root)));
            }
        }
        if self.is_no_tree {
            // The real one goes on all the same, with what it has not got.
            return Err(no_method("next", &Value::Undef).into());
        }
        if self.options.breadth_first { self.next_in_breadth() } else { self.next_in_depth() }
    }

    fn next_in_depth(&mut self) -> Flow<Option<(Vec<Value>, Value)>> {
        while let Some(level) = self.levels.back_mut() {
            let Some((key, value)) = child(level, self.options.with_references) else {
                self.levels.pop_back();
                self.path.pop();
                continue;
            };
            let is_container = self.options.is_container(&value)?;
            let wanted = if is_container { self.options.with_containers } else { self.options.with_values };
            let found = wanted.then(|| {
                let mut path = Vec::with_capacity(self.path.len() + 1);
                path.extend_from_slice(&self.path);
                path.push(key.clone());
                (path, value.clone())
            });
            if is_container {
                self.path.push(key);
                self.levels.push_back(Level { container: value, next: 0, path: Vec::new() });
            }
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Values cannot be left out here, in Puppet neither.
    fn next_in_breadth(&mut self) -> Flow<Option<(Vec<Value>, Value)>> {
        while let Some(level) = self.levels.front_mut() {
            let Some((key, value)) = child(level, self.options.with_references) else {
                self.levels.pop_front();
                continue;
            };
            let mut path = Vec::with_capacity(level.path.len() + 1);
            path.extend_from_slice(&level.path);
            path.push(key);
            let is_container = self.options.is_container(&value)?;
            if is_container {
                self.levels.push_back(Level { container: value.clone(), next: 0, path: path.clone() });
            }
            if !is_container || self.options.with_containers {
                return Ok(Some((path, value)));
            }
        }
        Ok(None)
    }
}

/// Returns the next thing in a container, and its key.
fn child(level: &mut Level, with_references: bool) -> Option<(Value, Value)> {
    loop {
        let at = level.next;
        level.next += 1;
        return match &level.container {
            Value::Array(items) => Some((Value::Integer(at as i64), items.get(at)?.clone())),
            Value::Hash(entries) => entries.entry_at(at).map(|(key, value)| (key.clone(), value.clone())),
            Value::Object(object) => {
                let (name, attribute) = object.class.attributes.get_index(at)?;
                if attribute.kind == AttributeKind::Reference && !with_references {
                    continue;
                }
                let value = object.get(name).or(attribute.value.as_ref()).cloned().unwrap_or_default();
                Some((Value::String(name.clone()), value))
            }
            _ => None,
        };
    }
}
