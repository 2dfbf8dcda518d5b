//! What the `site` statements of `environments.pp` say of environments.

use std::path::PathBuf;

use pantin_base::Span;
use pantin_bindings::{Problem, rule};
use pantin_syntax::ast::{Ast, Node, NodeId, UnaryOp};
use pantin_syntax::bindings::{Attribute, EnvironmentBody, SiteItem};
use pantin_values::{Fault, Value};
use pantin_world::environment::EnvironmentAttributes;

use super::{EnvironmentChoice, EnvironmentsFile, LeftToRequests, SettingFolders, interpolated};

/// Works out an expression of the file.
pub(super) type Evaluate<'r> = dyn FnMut(NodeId) -> Result<Value, Fault> + 'r;

/// Reads the `site` statements.
pub(super) struct SiteReader<'r> {
    file: &'r EnvironmentsFile,
    ast: &'r Ast,
    folders: &'r SettingFolders,
    evaluate: &'r mut Evaluate<'r>,
    /// The environments that were met, and where.
    met: Vec<(String, Span)>,
    /// Where `Environment` was met.
    met_defaults: Option<Span>,
    pub(super) choice: EnvironmentChoice,
    pub(super) problems: Vec<Problem>,
}

impl<'r> SiteReader<'r> {
    pub(super) fn new(
        file: &'r EnvironmentsFile,
        ast: &'r Ast,
        folders: &'r SettingFolders,
        evaluate: &'r mut Evaluate<'r>,
    ) -> SiteReader<'r> {
        SiteReader {
            file,
            ast,
            folders,
            evaluate,
            met: Vec::new(),
            met_defaults: None,
            choice: EnvironmentChoice::default(),
            problems: Vec::new(),
        }
    }

    /// Reads all statements. `Err`: an expression failed, which ends it.
    pub(super) fn read(&mut self) -> Result<(), Fault> {
        for item in items(self.ast) {
            match item {
                SiteItem::Defaults { span, attributes } => self.defaults(*span, attributes)?,
                SiteItem::Environments { is_dynamic, bodies, .. } => {
                    bodies.iter().try_for_each(|body| self.environments(*is_dynamic, body))?;
                }
                SiteItem::Categories { .. } | SiteItem::Layers { .. } => {}
            }
        }
        Ok(())
    }

    /// Reads what is written out, and returns what each request works out anew.
    pub(super) fn read_written(&mut self) -> LeftToRequests {
        let mut left = LeftToRequests::default();
        for item in items(self.ast) {
            match item {
                SiteItem::Defaults { span, attributes } => left.defaults |= self.defaults(*span, attributes).is_err(),
                SiteItem::Environments { is_dynamic, bodies, .. } => {
                    for body in bodies {
                        if self.environments(*is_dynamic, body).is_ok() {
                            continue;
                        }
                        match (*is_dynamic, self.titles(body.title)) {
                            (true, _) => left.dynamic = true,
                            (false, Ok(titles)) => left.names.extend(titles.iter().map(|(title, _)| title_text(title))),
                            // What has no name here cannot be asked for.
                            (false, Err(_)) => {}
                        }
                    }
                }
                SiteItem::Categories { .. } | SiteItem::Layers { .. } => {}
            }
        }
        left
    }

    /// Reads what is said of all environments.
    fn defaults(&mut self, span: Span, attributes: &[Attribute]) -> Result<(), Fault> {
        match self.met_defaults {
            Some(first) => self.report_twice("Environment", first, span),
            None => {
                self.met_defaults = Some(span);
                self.choice.defaults = self.attributes(attributes)?;
            }
        }
        Ok(())
    }

    fn environments(&mut self, is_dynamic: bool, body: &EnvironmentBody) -> Result<(), Fault> {
        let titles = self.titles(body.title)?;
        let attributes = self.attributes(&body.attributes)?;
        for (title, span) in titles {
            match is_dynamic {
                true => self.dynamic(&title, span, &attributes),
                false => self.defined(&title, span, &attributes),
            }
        }
        Ok(())
    }

    /// Returns the titles that an expression stands for, each with its place.
    fn titles(&mut self, node: NodeId) -> Result<Vec<(Value, Span)>, Fault> {
        let ast = self.ast;
        let is_splat = |item: &NodeId| matches!(ast.node(*item), Node::Unary { op: UnaryOp::Splat, .. });
        match ast.node(node) {
            Node::Array(items) if !ast.list(items).iter().any(is_splat) => {
                let mut titles = Vec::new();
                for &item in ast.list(items) {
                    titles.extend(self.titles(item)?);
                }
                Ok(titles)
            }
            _ => {
                let span = ast.span(node);
                Ok((self.evaluate)(node)?.flattened().into_iter().map(|title| (title, span)).collect())
            }
        }
    }

    fn dynamic(&mut self, title: &Value, span: Span, attributes: &EnvironmentAttributes) {
        let path = title.as_str().map(|text| interpolated(text, self.folders));
        match path.filter(|path| path.starts_with('/')) {
            Some(path) => self.choice.dynamic.push((PathBuf::from(path), attributes.clone())),
            None => {
                let got = pantin_values::format::literal(title);
                self.report(rule::ENV_PATH, format!("dynamic_environments expects an absolute path, got {got}"), span);
            }
        }
    }

    fn defined(&mut self, title: &Value, span: Span, attributes: &EnvironmentAttributes) {
        let name = title_text(title);
        let is_name =
            title.as_str().is_some() && !matches!(name.as_str(), "" | "." | "..") && !name.contains(['/', '\0']);
        if !is_name {
            return self.report(rule::ENV_NAME, format!("'{name}' is no name of an environment"), span);
        }
        if let Some(&(_, first)) = self.met.iter().find(|(known, _)| *known == name) {
            return self.report_twice(&name, first, span);
        }
        self.met.push((name.clone(), span));
        self.choice.environments.push((name, attributes.clone()));
    }

    fn attributes(&mut self, attributes: &[Attribute]) -> Result<EnvironmentAttributes, Fault> {
        let mut found = EnvironmentAttributes::default();
        for attribute in attributes {
            let name = attribute.name.text.as_str();
            let value = (self.evaluate)(attribute.value)?;
            match name {
                "templatedir" => {
                    let message = "templatedir has no effect: templates are those of modules";
                    self.report(rule::TEMPLATEDIR, message, attribute.name.span);
                }
                _ if value == Value::Default => found.literal_defaults.push(name.to_owned()),
                _ if value.is_undef() => {}
                "rich_data" => found.rich_data = Some(is_on(&value)),
                "static_catalogs" => found.static_catalogs = Some(is_on(&value)),
                _ => {
                    let path = self.path(name, &value, self.ast.span(attribute.value));
                    if let (Some(path), Some(slot)) = (path, path_slot(&mut found, name)) {
                        *slot = Some(path);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns the path, or the list of paths, that an attribute is given.
    fn path(&mut self, name: &str, value: &Value, span: Span) -> Option<String> {
        let text = match value {
            Value::String(text) => Some(text.to_string()),
            Value::Array(items) if name == "modulepath" => {
                let items: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
                items.map(|items| items.join(":"))
            }
            _ => None,
        };
        let Some(text) = text.map(|text| interpolated(&text, self.folders)) else {
            let got = pantin_values::Type::reduced(value).generalize();
            self.report(rule::ENV_PATH, format!("The attribute '{name}' expects a path, got {got}"), span);
            return None;
        };
        if name == "envdir" && !text.starts_with('/') {
            let got = pantin_values::format::literal(value);
            let message = format!("The attribute 'envdir' expects an absolute path, got {got}");
            self.report(rule::ENV_PATH, message, span);
            return None;
        }
        Some(text)
    }

    fn report(&mut self, rule: rule::Rule, message: impl Into<String>, span: Span) {
        self.problems.push(self.file.problem(rule, message, span));
    }

    fn report_twice(&mut self, name: &str, first: Span, second: Span) {
        let first = self.file.place(first);
        let message = format!("The environment '{name}' is defined twice, here and at {}", first.at());
        self.problems.push(self.file.problem(rule::ENV_TWICE, message, second).with_related(first, "the first"));
    }
}

fn items(ast: &Ast) -> impl Iterator<Item = &SiteItem> {
    ast.sites().iter().flat_map(|site| &site.items)
}

fn title_text(title: &Value) -> String {
    pantin_values::text::display(title).to_string()
}

fn is_on(value: &Value) -> bool {
    value.is_truthy() && value.as_str() != Some("false")
}

/// Returns where the value of an attribute belongs that is a path or a command.
fn path_slot<'a>(of: &'a mut EnvironmentAttributes, name: &str) -> Option<&'a mut Option<String>> {
    Some(match name {
        "envdir" => &mut of.envdir,
        "modulepath" => &mut of.modulepath,
        "manifestdir" => &mut of.manifestdir,
        "manifest" => &mut of.manifest,
        "bindingsdir" => &mut of.bindingsdir,
        "config_version" => &mut of.config_version,
        _ => return None,
    })
}
