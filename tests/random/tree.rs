//! A program as a tree of pieces of text, which knows just enough to be made smaller.

/// A piece of a program.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Text(String),
    /// Stands where any other expression could stand.
    Expression(Vec<Tree>),
    /// Only its parts are made smaller.
    Group(Vec<Tree>),
    /// Any of the items may be left out, and the program can still be parsed.
    List {
        between: &'static str,
        items: Vec<Tree>,
    },
}

/// A tree that was made smaller.
pub(crate) struct Smaller {
    pub(crate) source: String,
    pub(crate) tree: Tree,
    /// What was cut, wherever it stood.
    pub(crate) what: String,
}

impl Tree {
    pub(crate) fn text(text: impl Into<String>) -> Tree {
        Tree::Text(text.into())
    }

    /// An expression without parts.
    pub(crate) fn leaf(text: impl Into<String>) -> Tree {
        Tree::Expression(vec![Tree::text(text)])
    }

    pub(crate) fn list(between: &'static str, items: Vec<Tree>) -> Tree {
        Tree::List { between, items }
    }

    pub(crate) fn source(&self) -> String {
        let mut source = String::new();
        self.write(&mut source);
        source
    }

    fn write(&self, to: &mut String) {
        match self {
            Tree::Text(text) => to.push_str(text),
            Tree::Expression(parts) | Tree::Group(parts) => parts.iter().for_each(|part| part.write(to)),
            Tree::List { between, items } => {
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        to.push_str(between);
                    }
                    item.write(to);
                }
            }
        }
    }

    fn children(&self) -> &[Tree] {
        match self {
            Tree::Text(_) => &[],
            Tree::Expression(parts) | Tree::Group(parts) => parts,
            Tree::List { items, .. } => items,
        }
    }

    fn children_mut(&mut self) -> &mut [Tree] {
        match self {
            Tree::Text(_) => &mut [],
            Tree::Expression(parts) | Tree::Group(parts) => parts,
            Tree::List { items, .. } => items,
        }
    }

    /// Every tree that is this one with one cut, the smallest first.
    pub(crate) fn smaller(&self) -> Vec<Smaller> {
        let mut paths = Vec::new();
        self.paths(&mut Vec::new(), &mut paths);
        let mut all = Vec::new();
        for path in paths {
            let piece = self.at(&path);
            for cut in piece.cuts() {
                let what = format!("{} becomes {}", piece.source(), cut.source());
                let mut tree = self.clone();
                *tree.at_mut(&path) = cut;
                all.push(Smaller { source: tree.source(), tree, what });
            }
        }
        all.sort_by_key(|smaller| measure(&smaller.source));
        all.dedup_by(|a, b| a.source == b.source);
        let whole = measure(&self.source());
        all.retain(|smaller| measure(&smaller.source) < whole);
        all
    }

    fn paths(&self, here: &mut Vec<usize>, paths: &mut Vec<Vec<usize>>) {
        paths.push(here.clone());
        for (at, child) in self.children().iter().enumerate() {
            here.push(at);
            child.paths(here, paths);
            here.pop();
        }
    }

    fn at(&self, path: &[usize]) -> &Tree {
        path.iter().fold(self, |tree, &at| &tree.children()[at])
    }

    fn at_mut(&mut self, path: &[usize]) -> &mut Tree {
        path.iter().fold(self, |tree, &at| &mut tree.children_mut()[at])
    }

    /// What could stand in its place.
    fn cuts(&self) -> Vec<Tree> {
        match self {
            Tree::Text(_) | Tree::Group(_) => Vec::new(),
            Tree::List { between, items } => {
                let without = |from: usize, to: usize| {
                    let kept = items[..from].iter().chain(&items[to..]).cloned().collect();
                    Tree::list(between, kept)
                };
                let half = items.len() / 2;
                let halves = [(0, half), (half, items.len())].into_iter().filter(|_| half > 0);
                let single = (0..items.len()).map(|at| (at, at + 1));
                halves.chain(single).map(|(from, to)| without(from, to)).collect()
            }
            Tree::Expression(parts) => {
                let mut cuts: Vec<Tree> =
                    ["1", "undef", "''", "[]", "{}", "'a'", "true"].iter().map(|&text| Tree::leaf(text)).collect();
                self.inner_expressions(&mut cuts);
                if let [Tree::Text(text)] = &parts[..] {
                    cuts.extend(shorter(text).into_iter().map(Tree::leaf));
                }
                cuts
            }
        }
    }

    /// The nearest expressions within.
    fn inner_expressions(&self, found: &mut Vec<Tree>) {
        for child in self.children() {
            match child {
                Tree::Expression(_) => found.push(child.clone()),
                other => other.inner_expressions(found),
            }
        }
    }
}

/// What is small: a short text, and of the same length the one that comes first.
fn measure(source: &str) -> (usize, String) {
    (source.chars().count(), source.to_owned())
}

/// A literal with fewer characters.
fn shorter(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let inside = match characters[..] {
        [open @ ('\'' | '"'), .., close] if open == close && characters.len() > 2 => 1..characters.len() - 1,
        ['/', .., '/'] if characters.len() > 3 => 1..characters.len() - 1,
        ['0'..='9' | '-', ..] if characters.len() > 1 => 0..characters.len(),
        _ => return Vec::new(),
    };
    let without = |from: usize, to: usize| characters[..from].iter().chain(&characters[to..]).collect::<String>();
    let half = inside.start + inside.len() / 2;
    let halves = [(inside.start, half), (half, inside.end)];
    let single = inside.clone().map(|at| (at, at + 1));
    halves.into_iter().chain(single).map(|(from, to)| without(from, to)).collect()
}
