//! Environments, each as one text: the blocks that an example of `tests/spec/catalogs` has.

mod around;
mod data;
mod generate;
mod resources;
mod statements;
mod values;

pub(crate) use generate::environment;

/// Begins and ends a block.
const FENCE: &str = "```";

/// A part of an environment: `facts`, `enc`, `file` with its path.
pub(crate) struct Block<'t> {
    pub(crate) kind: &'t str,
    pub(crate) path: &'t str,
    pub(crate) text: String,
}

/// The blocks of an environment's text.
pub(crate) fn blocks(text: &str) -> impl Iterator<Item = Block<'_>> {
    let mut lines = text.lines();
    std::iter::from_fn(move || {
        let head = lines.by_ref().find_map(|line| line.strip_prefix(FENCE))?;
        let (kind, path) = head.split_once(" path=").unwrap_or((head, ""));
        let text = lines.by_ref().take_while(|line| *line != FENCE).flat_map(|line| [line, "\n"]).collect();
        Some(Block { kind, path, text })
    })
}
