//! From a file that declares a type of resources to its table, and what the type makes of a title.

use std::sync::Arc;

use pantin_model::catalog::kinds::{NewTable, TitleGroup, TitlePattern, Titles, TypeTable};
use pantin_values::regex::Options;
use pantin_values::{Fault, Regexp, Str, Type};

use crate::border::{UndefSymbol, outward};
use crate::class::Class;
use crate::code::{ExprKind, Script, Target};
use crate::error::RubyError;
use crate::interp::Interp;
use crate::outside::Outside;
use crate::stop::{Flow, Stop};
use crate::value::{ProcKind, Value};

/// A file that declares a type of resources.
#[derive(Debug)]
pub struct TypeFile {
    pub name: Str,
    pub script: Arc<Script>,
    /// Whether a module has a provider of the type.
    pub has_providers: bool,
}

/// Returns the type that a file declares under its name, if it does.
pub fn type_table(file: &TypeFile, outside: &mut dyn Outside) -> Result<Option<TypeTable>, RubyError> {
    let mut interp = Interp::new(file.script.clone(), outside);
    let result = interp.read_type(file);
    result.map_err(|stop| interp.into_error(*stop))
}

/// Returns what the type makes of the texts that one of its title patterns has found: the file is run again for it.
pub fn convert_title(
    file: &TypeFile,
    pattern: usize,
    found: &[Option<Str>],
    outside: &mut dyn Outside,
) -> Result<Vec<pantin_values::Value>, RubyError> {
    let mut interp = Interp::new(file.script.clone(), outside);
    let result = interp.converted_title(file, pattern, found);
    result.map_err(|stop| interp.into_error(*stop))
}

/// One of a type's patterns, as its code gives it.
struct RubyPattern {
    regexp: Arc<Regexp>,
    /// The name of an attribute, and what converts its text.
    groups: Vec<(Str, Option<Value>)>,
}

impl Interp<'_> {
    /// Runs the file. The class of the type, if the file declares it.
    pub(super) fn declare_type(&mut self, file: &TypeFile) -> Flow<Option<Class>> {
        let main = self.main.clone();
        self.loaded.insert(file.script.path.beyond_code().clone());
        self.run_script(&file.script, main)?;
        let class = self.declared.types.iter().find(|of| of.name == file.name).map(|of| of.class);
        if let Some(class) = class
            && file.has_providers
        {
            self.providify(class)?;
        }
        Ok(class)
    }

    fn read_type(&mut self, file: &TypeFile) -> Flow<Option<TypeTable>> {
        let Some(class) = self.declare_type(file)? else { return Ok(None) };
        let namevars = self.key_attributes(class)?;
        let is_isomorphic = self.is_isomorphic(class)?;
        let titles = self.titles(class, &namevars)?;
        let Some(of) = self.declared_type(class) else { return Ok(None) };
        let (file, line) = &of.declared_at;
        let table = TypeTable::new(NewTable {
            name: of.name.clone(),
            properties: of.properties.iter().map(|each| each.name.clone()).collect(),
            parameters: of.parameters.iter().map(|each| each.name.clone()).collect(),
            namevars,
            is_isomorphic,
            titles,
        });
        Ok(Some(table.with_place(file.beyond_code().clone(), *line)))
    }

    /// What the type's `title_patterns` are. An exception in them is one of each title that is taken apart.
    fn titles(&mut self, class: Class, namevars: &[Str]) -> Flow<Titles> {
        let has_own = self.method_of(&Value::Class(class), "title_patterns").is_some_and(|method| method.is_own());
        if !has_own && namevars.len() == 1 {
            return Ok(Titles::Namevar);
        }
        let patterns = match self.send(&Value::Class(class), "title_patterns", &[]).map_err(|stop| *stop) {
            Ok(patterns) => patterns,
            Err(Stop::Raise(exception)) => {
                return Ok(Titles::Wrong(Fault::new(self.exception_message(&exception)?)));
            }
            Err(stop) => return Err(Box::new(stop)),
        };
        let patterns = self.ruby_patterns(&patterns)?;
        let as_table = |RubyPattern { regexp, groups }| {
            let group = |(name, convert): (Str, Option<Value>)| TitleGroup { name, is_converted: convert.is_some() };
            TitlePattern::new(regexp, groups.into_iter().map(group).collect())
        };
        Ok(Titles::Patterns(patterns.into_iter().map(as_table).collect()))
    }

    fn ruby_patterns(&mut self, patterns: &Value) -> Flow<Vec<RubyPattern>> {
        if patterns.is_nil() {
            // Then the title is the name.
            let all = Regexp::new("(.*)", Options { multi_line: true, ..Options::default() });
            return Ok(vec![RubyPattern { regexp: all.into(), groups: vec![("name".into(), None)] }]);
        }
        let mut all = Vec::new();
        for pattern in self.array_arg(patterns)? {
            let parts = self.array_arg(&pattern)?;
            let [Value::Regex(regexp), fills, ..] = &parts[..] else {
                return self.unsupported("a title pattern that is not a regular expression and names");
            };
            let mut groups = Vec::new();
            for fill in self.array_arg(fills)? {
                groups.push(self.title_group(&fill)?);
            }
            all.push(RubyPattern { regexp: regexp.clone(), groups });
        }
        Ok(all)
    }

    /// The name that a group of a pattern gives, and what it is converted by, where that may change it.
    fn title_group(&mut self, fill: &Value) -> Flow<(Str, Option<Value>)> {
        // As Ruby takes an argument apart that need not be an array.
        let parts = if let Value::Array(_) = fill { self.array_arg(fill)? } else { vec![fill.clone()] };
        let name = self.name_arg(&parts.first().cloned().unwrap_or_default())?;
        let convert = parts.get(1).filter(|convert| convert.is_truthy());
        Ok((name, convert.filter(|convert| !is_identity(convert)).cloned()))
    }

    fn converted_title(
        &mut self,
        file: &TypeFile,
        pattern: usize,
        found: &[Option<Str>],
    ) -> Flow<Vec<pantin_values::Value>> {
        let class = self.declare_type(file)?;
        let patterns = self.send(&class.map(Value::Class).unwrap_or_default(), "title_patterns", &[])?;
        let patterns = self.ruby_patterns(&patterns)?;
        let Some(pattern) = patterns.get(pattern).filter(|pattern| pattern.groups.len() == found.len()) else {
            return self.unsupported("a type whose title patterns are others when it is read again");
        };
        let mut values = Vec::with_capacity(found.len());
        for ((name, convert), text) in pattern.groups.iter().zip(found) {
            let text = text.as_ref().map(|text| Value::text(text.to_string())).unwrap_or_default();
            let value = match convert {
                None => text,
                Some(convert) => self.send(convert, "call", &[text])?,
            };
            values.push(self.title_value(name, &value)?);
        }
        Ok(values)
    }

    /// A class of Ruby's is a value that may stand for itself: that of no other value, for example.
    fn title_value(&mut self, name: &str, value: &Value) -> Flow<pantin_values::Value> {
        if let Value::Class(class) = value {
            return Ok(pantin_values::Value::Type(Type::from_ruby_class(&self.classes.name(*class))));
        }
        // In a name the symbol `:undef` is not nil.
        outward(value, UndefSymbol::Symbol).or_else(|_| {
            self.unsupported(format!("a title pattern that makes of '{name}' what Puppet has no value for"))
        })
    }
}

/// `lambda { |x| x }`
fn is_identity(convert: &Value) -> bool {
    let Value::Proc(convert) = convert else { return false };
    let code = match &convert.kind {
        ProcKind::Code { code, .. } => code,
        ProcKind::Symbol(name) => return name == "itself",
        _ => return false,
    };
    let body = match &code.body.kind {
        ExprKind::Sequence(body) if body.len() == 1 => &body[0].kind,
        body => body,
    };
    matches!((&code.params.required[..], body), ([Target::Local(0, taken)], ExprKind::Local(0, given)) if taken == given)
}
