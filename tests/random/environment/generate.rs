//! Makes environments from one seed: manifests and modules here, the bodies of their classes and definitions, the data
//! and the node in the files beside.

use super::super::numbers::Numbers;
use super::super::tree::Tree;
use super::FENCE;

pub(super) const CLASSES: [&str; 6] = ["a", "b", "c", "a::x", "base", "late"];
pub(super) const DEFINITIONS: [&str; 3] = ["d", "e", "m::f"];

pub(super) struct Generator {
    pub(super) numbers: Numbers,
    /// Whether the environment is meant to come to a catalog: two of three are.
    pub(super) tame: bool,
    /// Whether classes and definitions stand in modules, and these have more.
    pub(super) modular: bool,
    pub(super) has_data: bool,
    /// How many of each sort have been declared: most titles are used once.
    pub(super) declared: [usize; 3],
    /// References to what is surely in the catalog.
    pub(super) real: Vec<String>,
    /// References to virtual resources that are surely declared.
    pub(super) virtuals: Vec<String>,
    /// What the class being made declares, and what its parents do: it may override that.
    pub(super) own: Vec<(usize, String)>,
    of_classes: Vec<(&'static str, Vec<(usize, String)>)>,
    /// Whether the body being made is surely evaluated, and once.
    pub(super) sure: bool,
    /// The definition being made, by its place.
    pub(super) definition: Option<usize>,
    /// Sorts that have defaults in this body.
    pub(super) defaulted: [bool; 3],
    /// How many variables the body being made has set.
    pub(super) locals: usize,
    /// How many other resources than those of the three sorts there are.
    pub(super) others: usize,
    /// Whether the stage `pre` has been declared.
    pub(super) staged: bool,
}

/// The environment of a seed, as a text of blocks: always the same.
pub(crate) fn environment(seed: u64) -> Tree {
    let mut numbers = Numbers::new(seed);
    let tame = !numbers.one_in(3);
    let modular = numbers.one_in(2);
    let has_data = numbers.one_in(2);
    let mut generator = Generator {
        numbers,
        tame,
        modular,
        has_data,
        declared: [0; 3],
        real: Vec::new(),
        virtuals: Vec::new(),
        own: Vec::new(),
        of_classes: Vec::new(),
        sure: true,
        definition: None,
        defaulted: [false; 3],
        locals: 0,
        others: 0,
        staged: false,
    };
    let mut blocks = generator.around();
    let (mut files, site) = generator.manifests();
    blocks.append(&mut files);
    if modular {
        blocks.extend(generator.furniture());
    }
    if has_data {
        blocks.extend(generator.data());
    }
    blocks.push(block("pp", site));
    Tree::list("\n", blocks)
}

/// A block of the environment's text.
pub(super) fn block(head: &str, content: Tree) -> Tree {
    Tree::Group(vec![Tree::text(format!("{FENCE}{head}\n")), content, Tree::text(format!("\n{FENCE}\n"))])
}

pub(super) fn file(path: &str, content: Tree) -> Tree {
    block(&format!("file path={path}"), content)
}

/// A text whose lines may be left out.
pub(super) fn lines(text: &str) -> Tree {
    Tree::list("\n", text.lines().map(Tree::text).collect())
}

/// What may be left out inside.
pub(super) fn around(before: &str, inner: Tree, after: &str) -> Tree {
    Tree::Group(vec![Tree::text(before), inner, Tree::text(after)])
}

/// A statement with a body.
pub(super) fn braces(head: &str, body: Tree) -> Tree {
    around(&format!("{head} {{\n"), body, "\n}")
}

/// Where the autoloader looks for a class or a definition.
fn place(name: &str) -> String {
    match name.split_once("::") {
        Some((module, rest)) => format!("modules/{module}/manifests/{rest}.pp"),
        None => format!("modules/{name}/manifests/init.pp"),
    }
}

impl Generator {
    pub(super) fn begin_body(&mut self) {
        self.own.clear();
        self.defaulted = [false; 3];
        self.locals = 0;
    }

    /// The files of modules, and the site manifest.
    fn manifests(&mut self) -> (Vec<Tree>, Tree) {
        let mut files = Vec::new();
        let mut items = Vec::new();
        for class in CLASSES {
            let made = self.class(class);
            self.put(class, made, &mut files, &mut items);
        }
        for (at, definition) in DEFINITIONS.into_iter().enumerate() {
            let made = self.definition(at, definition);
            self.put(definition, made, &mut files, &mut items);
        }
        self.begin_body();
        for _ in 0..2 + self.numbers.below(5) {
            items.push(self.statement(2));
        }
        for class in CLASSES {
            if self.tame || self.numbers.one_in(2) {
                items.push(Tree::text(format!("include {class}")));
            }
        }
        if self.numbers.one_in(3) {
            self.begin_body();
            let body = self.body(2);
            let nodes = ["default", "default", "'node.example.org'", "/^node\\./", "'other', 'node.example.org'"];
            let node = self.numbers.pick(&nodes);
            items.push(braces(&format!("node {node}"), body));
            if node != "default" {
                items.push(Tree::text("node default { notice('the default') }"));
            }
        }
        (files, Tree::list("\n", items))
    }

    fn put(&mut self, name: &str, made: Tree, files: &mut Vec<Tree>, items: &mut Vec<Tree>) {
        if self.modular && !self.numbers.one_in(8) {
            files.push(file(&place(name), made));
        } else {
            items.push(made);
        }
    }

    fn class(&mut self, name: &'static str) -> Tree {
        let earlier: Vec<&str> = CLASSES.iter().take_while(|class| **class != name).copied().collect();
        let parent = (!earlier.is_empty() && self.numbers.one_in(3)).then(|| self.numbers.pick(&earlier));
        let parameters = [
            "($p = 0)",
            "($p = 1)",
            "($p = 'x', $q = $p)",
            "($p = 2, $q = undef)",
            "($p = $facts['kind'], Array $q = [$p])",
            "($r = \"${name}\", $p = $r)",
        ];
        let wild = ["($p)", "(Integer $p = 2)", "(Enum['x', 'y'] $p, $q = undef)", "($p = nope(), $q = 1)"];
        let parameters = if self.tame || !self.numbers.one_in(12) {
            self.numbers.pick(&parameters)
        } else {
            self.numbers.pick(&wild)
        };
        let inherits = parent.map(|parent| format!(" inherits {parent}")).unwrap_or_default();
        self.begin_body();
        let inherited = self.of_classes.iter().find(|(class, _)| Some(*class) == parent);
        self.own = inherited.map(|(_, own)| own.clone()).unwrap_or_default();
        let body = self.body(2);
        self.of_classes.push((name, self.own.clone()));
        braces(&format!("class {name}{parameters}{inherits}"), body)
    }

    fn definition(&mut self, at: usize, name: &str) -> Tree {
        self.begin_body();
        self.definition = Some(at);
        let parameters = self.numbers.pick(&[
            "($p = 0)",
            "($p = 1)",
            "($p = $title)",
            "($p = undef, $q = [$p])",
            "(Optional[Variant[Scalar, Collection, Default]] $p = undef)",
        ]);
        let body = self.body(1);
        self.definition = None;
        braces(&format!("define {name}{parameters}"), body)
    }

    /// What modules have beside classes and definitions.
    fn furniture(&mut self) -> Vec<Tree> {
        let mut files = Vec::new();
        let twice = self.numbers.pick(&["[$x, $x]", "\"${x}${x}\"", "[$x, $facts['kind']]", "$x"]);
        files.push(file("modules/a/functions/twice.pp", lines(&format!("function a::twice($x) {{ {twice} }}"))));
        let bodies = [
            "$x ? { undef => 'none', default => $x }",
            "a::twice($x)",
            "lookup('k1', { default_value => $x })",
            "[$x, $module_name]",
        ];
        let body = self.numbers.pick(&bodies);
        let returns = if self.tame { "" } else { self.numbers.pick(&["", "", " >> String", " >> M::Port"]) };
        files
            .push(file("modules/m/functions/one.pp", lines(&format!("function m::one($x = 1){returns} {{ {body} }}"))));
        files.push(file("modules/a/types/kind.pp", lines("type A::Kind = Enum['a', 'b', 'x']")));
        files.push(file("modules/m/types/port.pp", lines("type M::Port = Variant[Integer[0, 65535], Undef]")));
        let line = self.numbers.pick(&[
            "kind <%= $facts['kind'] %>",
            "<% [1, 2].each |$i| { -%>\n<%= $i %>;<% } %>",
            "<%# nothing -%>\n<%= $title %>",
        ]);
        files.push(file("modules/a/templates/t.epp", lines(&format!("<%- | $x = 1 | -%>\nx is <%= $x %>\n{line}"))));
        let line = self.numbers.pick(&["cores <%= $cores %>", "<%= $p %>", "<%= $facts['os']['name'] %>"]);
        files.push(file("modules/m/templates/u.epp", lines(line)));
        files.push(file("modules/a/files/f.txt", lines("a text")));
        if self.numbers.one_in(4) {
            let of = self.numbers.pick(&["x/m", "x/a", "x-b", "x/none"]);
            let module = self.numbers.pick(&["a", "m", "d"]);
            let json = format!(
                r#"{{"name": "x-{module}", "version": "1.0.0", "author": "x", "summary": "s", "license": "x", "source": "x", "dependencies": [{{"name": "{of}", "version_requirement": ">= 1.0.0"}}]}}"#
            );
            files.push(file(&format!("modules/{module}/metadata.json"), lines(&json)));
        }
        files
    }
}
