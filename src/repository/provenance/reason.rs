//! One step from something in a catalog to what it comes from. It must not know how steps are found.

use pantin_hiera::DecryptedTexts;
use pantin_model::trace::{At, Include};
use pantin_values::{Str, Value};
use serde::{Deserialize, Serialize};

use super::secret;

/// A step, and the steps that led to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    pub kind: ReasonKind,
    pub place: Option<SourcePlace>,
    /// The expression that stands there, in one line.
    pub code: Option<String>,
    pub value: Option<Value>,
    pub reasons: Vec<Reason>,
    /// Its own reasons stand at the same step elsewhere in the tree.
    pub is_repeated: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ReasonKind {
    /// The resource or class that was asked about.
    Resource(String),
    /// Declared in the body of this resource, or in the site manifests.
    DeclaredIn {
        body: String,
    },
    /// Included in the body of this resource. Only the first include evaluates a class.
    IncludedIn {
        class: String,
        body: String,
        how: Include,
        is_first: bool,
    },
    /// A class that this one inherits.
    InheritedBy {
        class: String,
    },
    /// A classifier names the class.
    Classifier {
        class: String,
    },
    /// Another node exports it.
    ExportedBy {
        node: String,
    },
    /// A virtual or exported resource that a collector, or `realize`, brings.
    RealizedIn {
        body: String,
    },
    /// The code stands in a branch that was taken, or not taken, because of this value.
    Condition {
        is_taken: bool,
    },
    /// The branch that gave the value.
    Branch,
    Parameter {
        name: String,
        setter: Setter,
    },
    Assignment {
        name: String,
    },
    Fact {
        path: String,
    },
    Trusted {
        path: String,
    },
    ServerFact {
        path: String,
    },
    /// A variable of the top scope that a classifier, or the server, sets.
    NodeVariable {
        name: String,
    },
    /// No scope has it.
    Unset {
        name: String,
    },
    /// A variable that code was lent, or that Ruby code has set.
    Variable {
        name: String,
    },
    Lookup {
        key: String,
        is_found: bool,
    },
    /// What is bound to a key.
    Injection {
        key: String,
        is_found: bool,
    },
    /// A binding in this layer.
    Binding {
        layer: String,
        is_overridden: bool,
    },
    DataLevel {
        level: String,
        is_overridden: bool,
    },
    /// The code that asks for a key.
    AskedIn {
        body: String,
    },
    AskedByNobody,
    Call {
        function: String,
    },
    Template {
        name: String,
    },
    Argument {
        name: String,
    },
    /// The parameter of a lambda: what is gone through.
    Element {
        name: String,
    },
    /// It is in the catalog after all.
    Present(String),
    /// A declaration that the node does not reach, in a body or in code at the top.
    Unreached {
        body: String,
    },
    /// A body that the node does not have.
    NotEvaluated {
        body: String,
    },
    /// Code that works out what it includes, and what it has included.
    OtherClasses {
        body: String,
        classes: Vec<String>,
        total: usize,
    },
    /// A declaration that the node reaches, with another title.
    OtherTitle {
        titles: Vec<String>,
        total: usize,
    },
    /// It is virtual, and nothing brings it.
    NotRealized,
    /// No manifest declares it.
    NowhereDeclared,
    /// A class that is defined, and that no manifest includes.
    NowhereIncluded,
}

/// Who set a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setter {
    Declaration,
    Override,
    Collector,
    Defaults,
    Data,
    Binding,
    /// The default of the class or defined type.
    Default,
    /// A function that declares resources.
    Function,
    Classifier,
    /// `->`, `~>` and their like.
    Relationship,
    /// A metaparameter of what contains the resource.
    Container,
    /// What else Puppet sets itself.
    Puppet,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct SourcePlace {
    pub file: Option<Str>,
    pub line: Option<u32>,
}

impl SourcePlace {
    pub(super) fn from_at(at: &At) -> SourcePlace {
        let file = at.unit.source.name().map(Str::from);
        SourcePlace { file, line: at.place().line() }
    }
}

impl Reason {
    pub(super) fn new(kind: ReasonKind) -> Reason {
        Reason { kind, place: None, code: None, value: None, reasons: Vec::new(), is_repeated: false }
    }

    pub(super) fn at(mut self, at: &At) -> Reason {
        self.place = Some(SourcePlace::from_at(at));
        self
    }

    pub(super) fn with_code(mut self, code: Option<String>) -> Reason {
        self.code = code;
        self
    }

    pub(super) fn with_value(mut self, value: Option<&Value>) -> Reason {
        self.value = value.cloned();
        self
    }

    /// Each of the reasons is told once. A call that is all of the code has nothing of its own to say.
    pub(super) fn because(mut self, reasons: Vec<Reason>) -> Reason {
        for reason in reasons {
            let is_same =
                |known: &Reason| known.kind == reason.kind && known.place == reason.place && known.code == reason.code;
            if !self.reasons.iter().any(is_same) {
                self.reasons.push(reason);
            }
        }
        if let [Reason { kind: ReasonKind::Call { .. }, code, reasons, .. }] = self.reasons.as_mut_slice()
            && *code == self.code
        {
            self.reasons = std::mem::take(reasons);
        }
        self
    }

    /// Returns true if anything in it comes from elsewhere than from the code that works it out.
    pub(super) fn has_origin(&self) -> bool {
        use ReasonKind::{Assignment, Branch, Call, Condition, Element};
        let is_step = matches!(self.kind, Assignment { .. } | Branch | Call { .. } | Condition { .. } | Element { .. });
        !is_step || self.reasons.iter().any(Reason::has_origin)
    }

    /// Leaves out what stands deeper.
    pub(super) fn cut_below(&mut self, depth: usize) {
        match depth {
            0 => self.reasons.clear(),
            _ => self.reasons.iter_mut().for_each(|reason| reason.cut_below(depth - 1)),
        }
    }

    /// Hides what is a secret, what a secret was made of, and what eyaml decrypted.
    pub(super) fn hide_secrets(&mut self, decrypted: &DecryptedTexts, is_below_secret: bool) {
        let is_secret = is_below_secret || self.value.as_ref().is_some_and(Value::holds_sensitive);
        if is_secret {
            self.code = None;
            if self.value.is_some() {
                self.value = Some(secret());
            }
        } else {
            if let Some(hidden) = self.value.as_ref().and_then(|value| decrypted.hide(value)) {
                self.value = Some(hidden);
            }
            if let Some(hidden) = self.code.as_ref().and_then(|code| decrypted.hide_in_text(code)) {
                self.code = Some(hidden);
            }
        }
        self.reasons.iter_mut().for_each(|reason| reason.hide_secrets(decrypted, is_secret));
    }
}
