//! What a compiler has to know of a resource type: its attributes, what its titles say, and what makes two of its
//! resources the same one.
//!
//! Such a table is made of what is compiled in, or of what a module's Ruby file has told.

use std::ops::Deref;
use std::sync::Arc;

use pantin_values::{Fault, Str, Value};
use rustc_hash::FxHashMap;

use super::declaration::METAPARAMETERS;
use super::title::{self, TitleConverter, TitlePattern};
use super::{Attribute, NativeType};

#[derive(PartialEq, Debug)]
pub struct TypeTable {
    name: Str,
    /// `Ssh_authorized_key`: as references have it.
    type_name: Str,
    properties: Vec<Str>,
    parameters: Vec<Str>,
    attributes: FxHashMap<Str, Attribute>,
    namevars: Vec<Str>,
    /// The same, by name.
    sorted_namevars: Vec<Str>,
    is_isomorphic: bool,
    titles: Titles,
    converter: Option<Converter>,
    declared_at: Option<(Str, u32)>,
}

/// What a converter does follows from the file of the type, as the patterns do.
#[derive(Debug)]
struct Converter(Arc<dyn TitleConverter>);

impl PartialEq for Converter {
    fn eq(&self, _: &Converter) -> bool {
        true
    }
}

/// What is made of a title.
#[derive(PartialEq, Debug)]
pub enum Titles {
    /// The only namevar is the title.
    Namevar,
    /// The first pattern that matches says which attributes it gives.
    Patterns(Vec<TitlePattern>),
    /// No title can be taken apart: the type itself has told why.
    Wrong(Fault),
}

/// What a table is made of.
#[derive(Debug)]
pub struct NewTable {
    /// In lower case.
    pub name: Str,
    pub properties: Vec<Str>,
    pub parameters: Vec<Str>,
    /// Those of the parameters that name what is managed, in the order of their definition.
    pub namevars: Vec<Str>,
    pub is_isomorphic: bool,
    pub titles: Titles,
}

/// A table that is always there, or one that a module has brought.
#[derive(Clone, Debug)]
pub enum TypeRef {
    Native(&'static NativeType),
    Module(Arc<TypeTable>),
    /// The same, from the file that was generated of it.
    Generated(Arc<TypeTable>),
}

impl Deref for TypeRef {
    type Target = TypeTable;

    fn deref(&self) -> &TypeTable {
        match self {
            TypeRef::Native(native) => native,
            TypeRef::Module(table) | TypeRef::Generated(table) => table,
        }
    }
}

impl TypeTable {
    pub fn new(new: NewTable) -> TypeTable {
        let NewTable { name, properties, parameters, namevars, is_isomorphic, titles } = new;
        let mut type_name = name.to_string();
        if let Some(first) = type_name.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let mut sorted_namevars = namevars.clone();
        sorted_namevars.sort_unstable();
        let of = |names: &[Str], kind| names.iter().map(move |name| (name.clone(), kind)).collect::<Vec<_>>();
        let attributes = [of(&properties, Attribute::Property), of(&parameters, Attribute::Parameter)];
        TypeTable {
            name,
            type_name: type_name.into(),
            attributes: attributes.into_iter().flatten().collect(),
            properties,
            parameters,
            namevars,
            sorted_namevars,
            is_isomorphic,
            titles,
            converter: None,
            declared_at: None,
        }
    }

    /// Returns true if code of the type makes something of what its patterns find.
    pub fn converts_titles(&self) -> bool {
        matches!(&self.titles, Titles::Patterns(patterns) if patterns.iter().any(TitlePattern::is_converted))
    }

    pub fn with_converter(self, converter: Arc<dyn TitleConverter>) -> TypeTable {
        TypeTable { converter: Some(Converter(converter)), ..self }
    }

    /// Says in which file and line its Ruby code declares it.
    pub fn with_place(self, file: Str, line: u32) -> TypeTable {
        TypeTable { declared_at: Some((file, line)), ..self }
    }

    /// Returns the file and line in which Ruby code declares it.
    pub fn declared_at(&self) -> Option<&(Str, u32)> {
        self.declared_at.as_ref()
    }

    /// In lower case.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// As references have it: `Ssh_authorized_key`.
    pub fn type_name(&self) -> &Str {
        &self.type_name
    }

    /// In the order of their definition; `ensure` is first.
    pub fn properties(&self) -> &[Str] {
        &self.properties
    }

    /// In the order of their definition.
    pub fn parameters(&self) -> &[Str] {
        &self.parameters
    }

    /// Whether a property or a parameter has this name; a metaparameter is neither.
    pub fn attribute(&self, name: &str) -> Option<Attribute> {
        self.attributes.get(name).copied()
    }

    /// Returns true if a resource may set it: a property, a parameter, a metaparameter, or `name`, which every type
    /// takes.
    pub fn is_attribute(&self, name: &str) -> bool {
        name == "name" || self.attributes.contains_key(name) || METAPARAMETERS.contains(&name)
    }

    /// Returns the parameters that name what is managed, in the order of their definition.
    pub fn namevars(&self) -> &[Str] {
        &self.namevars
    }

    /// Returns the namevar, where there is only one: what `name` stands for.
    pub fn sole_namevar(&self) -> Option<&str> {
        match &self.namevars[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns true if two resources with the same namevars are the same thing, so that a catalog holds one of them.
    pub fn is_isomorphic(&self) -> bool {
        self.is_isomorphic
    }

    pub fn titles(&self) -> &Titles {
        &self.titles
    }

    /// The namevar, where a title as it is says what that is.
    pub fn named_by_title(&self) -> Option<&str> {
        self.sole_namevar().filter(|_| matches!(self.titles, Titles::Namevar))
    }

    /// Returns true if a title is the name as it stands.
    pub fn is_whole(&self, title: &str) -> bool {
        match &self.titles {
            Titles::Namevar => true,
            Titles::Patterns(patterns) => patterns.first().is_some_and(|first| first.takes_whole(title)),
            Titles::Wrong(_) => false,
        }
    }

    /// Returns the attributes that a title gives.
    pub fn parse_title(&self, title: &str) -> Result<Vec<(&str, Value)>, Fault> {
        match &self.titles {
            Titles::Namevar => Ok(self.sole_namevar().map(|name| (name, Value::from(title))).into_iter().collect()),
            Titles::Patterns(patterns) => {
                let converter = self.converter.as_ref().map(|converter| &*converter.0);
                title::parse(patterns, converter, title)
            }
            Titles::Wrong(fault) => Err(fault.clone()),
        }
    }

    /// Returns what sets a resource apart from all others of its type: the values of the namevars, in the order of
    /// their names. `parameter` tells what a parameter was set to; for `name` it is not asked where another one is the
    /// namevar.
    pub fn uniqueness_key(
        &self,
        title: &str,
        parameter: impl Fn(&str) -> Option<Value>,
    ) -> Result<Vec<Option<Value>>, Fault> {
        let from_title = self.parse_title(title)?;
        let given = |name: &str| {
            // A name that comes twice counts the last time.
            let of_title = || from_title.iter().rfind(|(given, _)| *given == name).map(|(_, value)| value.clone());
            parameter(name).or_else(of_title).filter(|value| !value.is_undef())
        };
        let main = self.sole_namevar().unwrap_or("name");
        // Where nothing says what the main one is, it is made of type and title.
        let key = self.sorted_namevars.iter().map(|name| match given(name) {
            None | Some(Value::Boolean(false)) if *name == main => {
                Some(Value::string(format!("{}/{title}", self.type_name)))
            }
            found => found,
        });
        Ok(key.collect())
    }
}
