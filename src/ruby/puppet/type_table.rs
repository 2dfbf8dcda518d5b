//! From a file that declares a type of resources to its table.

use std::sync::Arc;

use pantin_model::catalog::kinds::{NewTable, TitlePattern, Titles, TypeTable};
use pantin_values::{Fault, Str};

use crate::class::Class;
use crate::code::{ExprKind, Script, Target};
use crate::error::RubyError;
use crate::interp::Interp;
use crate::outside::Outside;
use crate::stop::{Flow, Stop};
use crate::value::{Proc, ProcKind, Value};

/// The type that a file declares under this name, if it does. `has_providers`: whether a module has a provider of it.
pub fn type_table(
    name: &str,
    file: &Arc<Script>,
    has_providers: bool,
    outside: &mut dyn Outside,
) -> Result<Option<TypeTable>, RubyError> {
    let mut interp = Interp::new(file.clone(), outside);
    let result = interp.read_type(name, file, has_providers);
    result.map_err(|stop| interp.into_error(*stop))
}

impl Interp<'_> {
    fn read_type(&mut self, name: &str, file: &Arc<Script>, has_providers: bool) -> Flow<Option<TypeTable>> {
        let main = self.main.clone();
        self.loaded.insert(file.path.beyond_code().clone());
        self.run_script(file, main)?;
        let Some(class) = self.declared.types.iter().find(|of| of.name == name).map(|of| of.class) else {
            return Ok(None);
        };
        if has_providers {
            self.providify(class)?;
        }
        let namevars = self.key_attributes(class)?;
        let is_isomorphic = self.is_isomorphic(class)?;
        let titles = self.titles(class, &namevars)?;
        let Some(of) = self.declared_type(class) else { return Ok(None) };
        Ok(Some(TypeTable::new(NewTable {
            name: of.name.clone(),
            properties: of.properties.iter().map(|each| each.name.clone()).collect(),
            parameters: of.parameters.iter().map(|each| each.name.clone()).collect(),
            namevars,
            is_isomorphic,
            titles,
        })))
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
        let mut all = Vec::new();
        for pattern in self.array_arg(&patterns)? {
            let parts = self.array_arg(&pattern)?;
            let [Value::Regex(regexp), fills, ..] = &parts[..] else {
                return self.unsupported("a title pattern that is not a regular expression and names");
            };
            let mut names = Vec::new();
            for fill in self.array_arg(fills)? {
                names.push(self.filled(&fill)?);
            }
            all.push(TitlePattern::new(regexp.clone(), names));
        }
        Ok(Titles::Patterns(all))
    }

    /// The name that a group of a pattern gives; what it would be converted by has to leave it as it is.
    fn filled(&mut self, fill: &Value) -> Flow<Str> {
        let parts = self.array_arg(fill)?;
        match &parts[..] {
            [name] | [name, Value::Nil] => self.name_arg(name),
            [name, Value::Proc(convert)] if is_identity(convert) => self.name_arg(name),
            _ => self.unsupported("a title pattern that changes what it finds"),
        }
    }
}

/// `lambda { |x| x }`
fn is_identity(convert: &Proc) -> bool {
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
