//! Parameters of methods and blocks.

use ruby_prism::{ConstantList, Node, ParametersNode};

use super::{Lower, Lowered, name};
use crate::pcore::Str;
use crate::ruby::code::{Code, Keyword, Params, Target, Targets};

impl Lower {
    pub(super) fn block_code(
        &mut self,
        locals: &ConstantList<'_>,
        parameters: Option<Node<'_>>,
        body: Option<Node<'_>>,
    ) -> Lowered<Code> {
        self.scoped(locals, |lower| {
            let params = match &parameters {
                None => Params::default(),
                Some(node) => {
                    if let Some(numbered) = node.as_numbered_parameters_node() {
                        lower.numbered(numbered.maximum())
                    } else {
                        let inside = node.as_block_parameters_node().and_then(|block| block.parameters());
                        lower.params(inside)?
                    }
                }
            };
            Ok((params, lower.body(body)?))
        })
    }

    fn numbered(&mut self, maximum: u8) -> Params {
        let names = (1..=maximum).map(|number| Str::from(format!("_{number}")));
        let required = names.map(|name| Target::Local(0, self.slot_named(0, &name))).collect();
        Params { required, ..Params::default() }
    }

    pub(super) fn params(&mut self, node: Option<ParametersNode<'_>>) -> Lowered<Params> {
        let Some(node) = node else { return Ok(Params::default()) };
        let mut params = Params { names: names(&node), ..Params::default() };
        for required in node.requireds().iter() {
            params.required.push(self.param(&required)?);
        }
        for optional in node.optionals().iter() {
            let Some(optional) = optional.as_optional_parameter_node() else { continue };
            let slot = self.slot(0, &optional.name());
            params.optional.push((slot, self.expr(&optional.value())?));
        }
        match node.rest() {
            Some(rest) if rest.as_implicit_rest_node().is_some() => params.trailing_comma = true,
            Some(rest) => {
                let named = rest.as_rest_parameter_node().and_then(|rest| rest.name());
                params.rest = Some(named.map(|named| self.slot(0, &named)));
            }
            None => {}
        }
        for post in node.posts().iter() {
            params.posts.push(self.param(&post)?);
        }
        for keyword in node.keywords().iter() {
            if let Some(required) = keyword.as_required_keyword_parameter_node() {
                let slot = self.slot(0, &required.name());
                params.keywords.push(Keyword { name: name(&required.name()), slot, default: None });
            } else if let Some(optional) = keyword.as_optional_keyword_parameter_node() {
                let slot = self.slot(0, &optional.name());
                let default = Some(self.expr(&optional.value())?);
                params.keywords.push(Keyword { name: name(&optional.name()), slot, default });
            }
        }
        if let Some(rest) = node.keyword_rest().and_then(|rest| rest.as_keyword_rest_parameter_node()) {
            params.keyword_rest = Some(rest.name().map(|named| self.slot(0, &named)));
        }
        if let Some(named) =
            node.block().and_then(|block| block.as_block_parameter_node()).and_then(|block| block.name())
        {
            params.block = Some(self.slot(0, &named));
        }
        Ok(params)
    }

    fn param(&mut self, node: &Node<'_>) -> Lowered<Target> {
        if let Some(required) = node.as_required_parameter_node() {
            return Ok(Target::Local(0, self.slot(0, &required.name())));
        }
        self.target(node)
    }

    /// `(a, *b)`
    pub(super) fn many(
        &mut self,
        lefts: &ruby_prism::NodeList<'_>,
        rest: Option<Node<'_>>,
        rights: &ruby_prism::NodeList<'_>,
    ) -> Lowered<Targets> {
        let before = lefts.iter().map(|node| self.param(&node)).collect::<Lowered<_>>()?;
        let rest = match rest {
            Some(rest) => match rest.as_splat_node() {
                Some(splat) => Some(match splat.expression() {
                    Some(inside) => self.param(&inside)?,
                    None => Target::Nothing,
                }),
                None => Some(Target::Nothing),
            },
            None => None,
        };
        let after = rights.iter().map(|node| self.param(&node)).collect::<Lowered<_>>()?;
        Ok(Targets { before, rest, after })
    }
}

fn names(node: &ParametersNode<'_>) -> Vec<Str> {
    let required = node.requireds().iter().filter_map(|node| Some(name(&node.as_required_parameter_node()?.name())));
    let optional = node.optionals().iter().filter_map(|node| Some(name(&node.as_optional_parameter_node()?.name())));
    let rest = node.rest().and_then(|rest| rest.as_rest_parameter_node()?.name().map(|rest| name(&rest)));
    required.chain(optional).chain(rest).collect()
}
