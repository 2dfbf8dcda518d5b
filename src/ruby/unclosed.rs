//! What is opened in a text of Ruby and never closed. The parser tells where it noticed, which is the end of the text;
//! a person has to see where it begins.

use ruby_prism::{
    BeginNode, BlockNode, CaseNode, DefNode, ForNode, IfNode, LambdaNode, Location, ParseResult, UnlessNode, UntilNode,
    Visit, WhileNode,
};

/// Returns where the last thing begins whose `end` or `}` the parser had to make up.
pub(super) fn find_unclosed(parsed: &ParseResult<'_>) -> Option<u32> {
    let mut unclosed = Unclosed { place: None };
    unclosed.visit(&parsed.node());
    unclosed.place
}

struct Unclosed {
    place: Option<u32>,
}

impl Unclosed {
    /// An end that is made up takes no room. What has none at all, as `x if y`, needs none.
    fn note(&mut self, opening: u32, end: Option<Location<'_>>) {
        if end.is_some_and(|end| end.start() == end.end()) {
            self.place = self.place.max(Some(opening));
        }
    }
}

macro_rules! note_and_visit {
    ($($visit:ident $node:ident $end:ident)*) => {
        impl<'pr> Visit<'pr> for Unclosed {
            $(fn $visit(&mut self, node: &$node<'pr>) {
                self.note(node.location().start(), node.$end().into());
                ruby_prism::$visit(self, node);
            })*
        }
    };
}

note_and_visit! {
    visit_begin_node BeginNode end_keyword_loc
    visit_block_node BlockNode closing_loc
    visit_case_node CaseNode end_keyword_loc
    visit_def_node DefNode end_keyword_loc
    visit_for_node ForNode end_keyword_loc
    visit_if_node IfNode end_keyword_loc
    visit_lambda_node LambdaNode closing_loc
    visit_unless_node UnlessNode end_keyword_loc
    visit_until_node UntilNode end_keyword_loc
    visit_while_node WhileNode end_keyword_loc
}
