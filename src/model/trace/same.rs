//! The comparison of two effects without computing digests: most are compared only once.

use std::sync::Arc;

use pantin_values::{Str, Value, identical};

use super::{Declaration, DeclaredBody, Effect, Layer, Parameters, SharedLocal};

impl Effect {
    /// Returns true if both do the same at the same place of the code: what equal digests would say.
    pub(super) fn is_same(&self, other: &Effect) -> bool {
        use Effect::{
            Change, Collect, Declare, Defaults, Deprecate, Export, ExportPart, Include, Log, Override, Parameters,
            Realize, Relate, SetAtTop, ShareLocals, Showing, Stand, Tag,
        };
        match (self, other) {
            (Log(a), Log(b)) => a == b,
            (Deprecate(a), Deprecate(b)) => a == b,
            (Export { name, value }, Export { name: n, value: v })
            | (SetAtTop { name, value }, SetAtTop { name: n, value: v }) => name == n && identical(value, v),
            (Change { name, value }, Change { name: n, value: v }) => name == n && identical(value, v),
            (ExportPart { name, variable, path }, ExportPart { name: n, variable: v, path: p }) => {
                name == n && variable == v && all(path, p)
            }
            (Stand(a), Stand(b)) => a == b,
            (ShareLocals(a), ShareLocals(b)) => Layer::are_same(a, b),
            (Parameters(a), Parameters(b)) => a.is_identical(b),
            (Showing { of, values }, Showing { of: o, values: v }) => of == o && values.is_identical(v),
            (Declare(a), Declare(b)) => Arc::ptr_eq(a, b) || a.is_same(b),
            (Defaults { type_name, parameters, at }, Defaults { type_name: t, parameters: p, at: a }) => {
                type_name == t && at == a && parameters_are_same(parameters, p)
            }
            (Override { references, parameters, at }, Override { references: r, parameters: p, at: a }) => {
                at == a && all(references, r) && parameters_are_same(parameters, p)
            }
            (Relate { arrow, left, right, at }, Relate { arrow: w, left: l, right: r, at: a }) => {
                arrow == w && at == a && identical(left, l) && identical(right, r)
            }
            (
                Collect { type_name, exported, query, parameters, at },
                Collect { type_name: t, exported: e, query: q, parameters: p, at: a },
            ) => {
                type_name == t && exported == e && at == a && identical(query, q) && parameters_are_same(parameters, p)
            }
            (Include { how, classes, at }, Include { how: h, classes: c, at: a }) => {
                how == h && classes == c && at == a
            }
            (Realize { references, at }, Realize { references: r, at: a }) => at == a && all(references, r),
            (Tag(a), Tag(b)) => a == b,
            _ => false,
        }
    }
}

impl Layer {
    pub fn are_same(some: &[Layer], others: &[Layer]) -> bool {
        some.len() == others.len() && some.iter().zip(others).all(|(one, other)| one.is_same(other))
    }

    fn is_same(&self, other: &Layer) -> bool {
        let is_same = |(name, one): &(Str, SharedLocal), (known, of): &(Str, SharedLocal)| {
            name == known
                && match (one, of) {
                    (SharedLocal::Value(one), SharedLocal::Value(of)) => identical(one, of),
                    (SharedLocal::Part { variable, path }, SharedLocal::Part { variable: v, path: p }) => {
                        variable == v && all(path, p)
                    }
                    (SharedLocal::Gone, SharedLocal::Gone) => true,
                    _ => false,
                }
        };
        self.standing == other.standing
            && identical(&self.matched, &other.matched)
            && self.locals.len() == other.locals.len()
            && self.locals.iter().zip(&other.locals).all(|(one, of)| is_same(one, of))
    }
}

impl Declaration {
    fn is_same(&self, other: &Declaration) -> bool {
        self.form == other.form
            && self.by_function == other.by_function
            && self.type_name == other.type_name
            && self.at == other.at
            && self.bodies.len() == other.bodies.len()
            && self.bodies.iter().zip(&other.bodies).all(|(body, of)| body.is_same(of))
    }
}

impl DeclaredBody {
    fn is_same(&self, other: &DeclaredBody) -> bool {
        self.titles == other.titles
            && self.are_texts == other.are_texts
            && self.node == other.node
            && parameters_are_same(&self.parameters, &other.parameters)
    }
}

fn parameters_are_same(a: &Parameters, b: &Parameters) -> bool {
    (Arc::ptr_eq(a.written(), b.written()) || a.written() == b.written())
        && a.iter().zip(b.iter()).all(|(a, b)| identical(a.value, b.value))
}

fn all(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| identical(a, b))
}
