//! The reasons why a node is compiled after an edit, and not patched.
//!
//! Knows nothing of how they are found out: [`Patcher::patch`](super::Patcher::patch) does.

use pantin_model::trace::UntellableDiff;

macro_rules! refusals {
    ($($name:ident, $code:literal, $words:literal;)*) => {
        /// Why a node is compiled after an edit, and not patched.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum PatchRefusal {
            $(#[doc = $words] $name,)*
        }

        impl PatchRefusal {
            pub const ALL: &[PatchRefusal] = &[$(PatchRefusal::$name,)*];

            /// Returns its name in JSON.
            pub fn code(self) -> &'static str {
                match self {
                    $(PatchRefusal::$name => $code,)*
                }
            }

            /// Returns the reason in words, for a person.
            pub fn words(self) -> &'static str {
                match self {
                    $(PatchRefusal::$name => $words,)*
                }
            }
        }
    };
}

// First those that stand in the node's last answer, then those in the edit, in what bodies do, in what code observed, in resources.
refusals! {
    NotCompiledBefore, "not_compiled_before", "it was not compiled since the watch began";
    MissedEdit, "missed_edit", "it was not answered after an earlier edit";
    FailedBefore, "failed_before", "it had no catalog before the edit";
    Volatile, "volatile", "its catalog depends on the clock, on chance or on a command";
    BindingProviders, "binding_providers", "other functions provide bindings of its environment";
    BindingReplacements, "binding_replacements", "bindings put a type, or a class that changes, in the place of another";
    Unreadable, "unreadable", "its settings, facts or environment cannot be read";
    InputsChanged, "inputs_changed", "its settings, facts, classification or environment are new";
    ExportsChanged, "exports_changed", "other nodes export other resources to it";
    NamedInLog, "named_in_log", "a line of its log names an edited file";
    SeveralEdits, "several_edits", "there were several edits before it was answered";
    OtherFile, "other_file", "a file came, went, or is neither a manifest, data nor a text that code reads";
    OtherDefinitions, "other_definitions", "the edit of a manifest is not of bodies of classes, defined types and functions alone";
    OtherData, "other_data", "the edit of a data file is not of values of keys alone";
    WholeDataFile, "whole_data_file", "it depends on all of an edited data file, not on keys";
    ReadByOthers, "read_by_others", "an edited file was read by something else than a class or a defined type";
    NotRecorded, "not_recorded", "what an affected body did is not recorded";
    LookupNotRepeatable, "lookup_not_repeatable", "an affected look-up depends on more than data files and recorded answers";
    BindingProblems, "binding_problems", "something is wrong with its bindings, or doubtful";
    BoundOutsideBodies, "bound_outside_bodies", "an edited binding is of a variable, a class or resources, or data asked for it";
    InjectionNotRepeatable, "injection_not_repeatable", "an affected injection depends on more than bindings and recorded values";
    FileNotRepeatable, "file_not_repeatable", "an affected function or template depends on more than files";
    NothingLearnt, "nothing_learnt", "no compiled node has shown yet what the edit does to catalogs";
    PatchDiffers, "patch_differs", "a compiled node came out otherwise than its patched catalog";
    NotADefinition, "not_a_definition", "an affected body is none of a class or a defined type";
    AsksAnew, "asks_anew", "an affected body asks or does what it did not before";
    BodyFails, "body_fails", "an affected body fails";
    OtherEffects, "other_effects", "an affected body changes more than resources and variables";
    OtherBodies, "other_bodies", "the edit makes other bodies run than before";
    WrongOrder, "wrong_order", "an affected body changes what a body before it was given";
    UnknownVariable, "unknown_variable", "it is not known what a body reads in a changed variable";
    ResourceObserved, "resource_observed", "code looks at a resource that changes, comes or goes";
    CollectedByTag, "collected_by_tag", "a collector may match a resource that changes, comes or goes by a tag";
    ResourceBound, "resource_bound", "bindings set parameters of a resource that changes, comes or goes";
    VariableObserved, "variable_observed", "something else than a body looks at a variable that changes";
    LoadOrderObserved, "load_order_observed", "it depends on which of several files with one name was loaded first";
    NotShown, "not_shown", "no compiled node shows what becomes of one of its resources";
    AlreadyThere, "already_there", "a resource that is added is there already";
    NeedsMissing, "needs_missing", "a resource that is added refers to one that is not there";
    ConcernsOthers, "concerns_others", "a resource changes its name, its tags, its relationships or another metaparameter";
    NotPlain, "not_plain", "a resource that comes or goes is not of a native type, or has a name beside its title";
    StillNeeded, "still_needed", "a resource that stays may refer to one that goes";
    TooManySteps, "too_many_steps", "its code takes more steps than it may";
    UnknownPosition, "unknown_position", "it is not known where in its catalog a resource comes to stand";
}

impl From<UntellableDiff> for PatchRefusal {
    fn from(reason: UntellableDiff) -> PatchRefusal {
        match reason {
            UntellableDiff::Failed => PatchRefusal::BodyFails,
            UntellableDiff::AsksAnew => PatchRefusal::AsksAnew,
            UntellableDiff::OtherEffects => PatchRefusal::OtherEffects,
        }
    }
}
