//! The parts of what an ENC says that a layer may name.
//! It must not know what an ENC said.

use pantin_bindings::{Segment, Uri};

use super::layers::PlacedUri;

/// Parts of what an ENC says.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct EncParts {
    pub(crate) classes: bool,
    pub(crate) parameters: bool,
    pub(crate) variables: bool,
}

impl EncParts {
    const ALL: EncParts = EncParts { classes: true, parameters: true, variables: true };

    /// Returns the parts that a name or a pattern means; `None`: there is no such part.
    pub(crate) fn named(uri: &Uri) -> Option<EncParts> {
        let none = EncParts::default();
        match uri.segments.as_slice() {
            [] | [Segment::One | Segment::Any] => Some(EncParts::ALL),
            [Segment::Name(name)] => match name.as_str() {
                "classes" => Some(EncParts { classes: true, ..none }),
                "parameters" => Some(EncParts { parameters: true, ..none }),
                "variables" => Some(EncParts { variables: true, ..none }),
                _ => None,
            },
            _ => None,
        }
    }

    /// The parts that these names do not mean.
    pub(crate) fn without(self, excluded: &[PlacedUri]) -> EncParts {
        let of_enc = excluded.iter().filter(|wanted| wanted.uri.scheme == "enc");
        of_enc.filter_map(|wanted| EncParts::named(&wanted.uri)).fold(self, EncParts::beyond)
    }

    /// Returns the parts of the one that are not in the other.
    pub(crate) fn beyond(self, other: EncParts) -> EncParts {
        EncParts {
            classes: self.classes && !other.classes,
            parameters: self.parameters && !other.parameters,
            variables: self.variables && !other.variables,
        }
    }

    pub(crate) fn with(self, other: EncParts) -> EncParts {
        EncParts {
            classes: self.classes || other.classes,
            parameters: self.parameters || other.parameters,
            variables: self.variables || other.variables,
        }
    }

    pub(crate) fn uri(self) -> String {
        let parts = [(self.classes, "classes"), (self.parameters, "parameters"), (self.variables, "variables")];
        let named: Vec<&str> = parts.iter().filter(|(is_in, _)| *is_in).map(|(_, name)| *name).collect();
        match named.as_slice() {
            [only] => format!("enc:/{only}"),
            _ => "enc:/".to_owned(),
        }
    }
}
