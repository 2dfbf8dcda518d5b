//! Makes environments: classes and definitions that declare, include, override, collect and relate, from one seed.

use super::super::numbers::Numbers;
use super::super::programs::tree::Tree;

const CLASSES: [&str; 6] = ["a", "b", "c", "a::x", "base", "late"];
const DEFINITIONS: [&str; 3] = ["d", "e", "m::f"];
/// Titles of notifies, of files, of instances of definitions.
const TITLES: usize = 7;

struct Generator {
    numbers: Numbers,
    /// Whether the environment is meant to come to a catalog: two of three are.
    tame: bool,
    /// How many of each sort have been declared: most titles are used once.
    declared: [usize; 3],
    /// References to what is surely in the catalog.
    real: Vec<String>,
    /// References to virtual resources that are surely declared.
    virtuals: Vec<String>,
    /// What the class being made declares, and what its parents do: it may override that.
    own: Vec<(usize, String)>,
    of_classes: Vec<(&'static str, Vec<(usize, String)>)>,
    /// Whether the body being made is surely evaluated, and once.
    sure: bool,
    /// The definition being made, by its place.
    definition: Option<usize>,
    /// Sorts that have defaults in this body.
    defaulted: [bool; 3],
}

/// The site manifest of a seed: always the same.
pub(super) fn environment(seed: u64) -> Tree {
    let mut numbers = Numbers::new(seed);
    let tame = !numbers.one_in(3);
    let mut generator = Generator {
        numbers,
        tame,
        declared: [0; 3],
        real: Vec::new(),
        virtuals: Vec::new(),
        own: Vec::new(),
        of_classes: Vec::new(),
        sure: true,
        definition: None,
        defaulted: [false; 3],
    };
    let mut items = Vec::new();
    for class in CLASSES {
        items.push(generator.class(class));
    }
    for (at, definition) in DEFINITIONS.into_iter().enumerate() {
        items.push(generator.definition(at, definition));
    }
    generator.begin_body();
    for _ in 0..2 + generator.numbers.below(5) {
        items.push(generator.statement(2));
    }
    for class in CLASSES {
        if generator.tame || generator.numbers.one_in(2) {
            items.push(Tree::text(format!("include {class}")));
        }
    }
    if generator.numbers.one_in(3) {
        generator.begin_body();
        let body = generator.body(2);
        items.push(block("node default", body));
    }
    Tree::list("\n", items)
}

/// A statement with a body: the whole of it may be left out, and each statement of the body.
fn block(head: &str, body: Tree) -> Tree {
    around(&format!("{head} {{\n"), body, "\n}")
}

fn around(before: &str, inner: Tree, after: &str) -> Tree {
    Tree::Expression(vec![Tree::text(before), inner, Tree::text(after)])
}

impl Generator {
    fn begin_body(&mut self) {
        self.own.clear();
        self.defaulted = [false; 3];
    }

    fn class(&mut self, name: &'static str) -> Tree {
        let earlier: Vec<&str> = CLASSES.iter().take_while(|class| **class != name).copied().collect();
        let parent = (!earlier.is_empty() && self.numbers.one_in(3)).then(|| self.numbers.pick(&earlier));
        let parameters = self.numbers.pick(&["($p = 0)", "($p = 1)", "($p = 'x', $q = $p)", "(Integer $p = 2)"]);
        let inherits = parent.map(|parent| format!(" inherits {parent}")).unwrap_or_default();
        self.begin_body();
        let inherited = self.of_classes.iter().find(|(class, _)| Some(*class) == parent);
        self.own = inherited.map(|(_, own)| own.clone()).unwrap_or_default();
        let body = self.body(2);
        self.of_classes.push((name, self.own.clone()));
        block(&format!("class {name}{parameters}{inherits}"), body)
    }

    fn definition(&mut self, at: usize, name: &str) -> Tree {
        self.begin_body();
        self.definition = Some(at);
        let parameters = self.numbers.pick(&["($p = 0)", "($p = 1)", "($p = $title)", "($p = undef, $q = [$p])"]);
        let body = self.body(1);
        self.definition = None;
        block(&format!("define {name}{parameters}"), body)
    }

    fn body(&mut self, depth: usize) -> Tree {
        let count = self.numbers.below(4);
        Tree::list("\n", (0..count).map(|_| self.statement(depth)).collect())
    }

    fn statement(&mut self, depth: usize) -> Tree {
        if depth > 0 && self.numbers.one_in(9) {
            let head = self.numbers.pick(&["if $facts['kind'] == 'a'", "unless $cores == 4", "[1].each |$i|"]);
            let before = std::mem::replace(&mut self.sure, false);
            let body = self.body(depth - 1);
            self.sure = before;
            // An empty block would have no effect, which is an error.
            return block(head, Tree::list("\n", vec![body, Tree::text("notice('block')")]));
        }
        match self.numbers.below(22) {
            0..=6 => self.resource(),
            7 | 8 => self.include(),
            9 if !self.tame || self.numbers.one_in(6) => self.class_resource(),
            10 => self.defaults(),
            11 | 12 => self.override_one(),
            13 | 14 => self.collector(),
            15 => Tree::text(format!("realize({})", self.virtual_reference())),
            16 | 17 => self.chain(),
            18 => Tree::text(format!("tag('{}')", self.tag())),
            19 => Tree::text(format!("notice(tagged('{}'), defined({}))", self.tag(), self.reference())),
            20 => Tree::text("notice(\"${title} ${name}\")"),
            _ => self.create_resources(),
        }
    }

    /// A title that nobody has yet, mostly.
    fn new_title(&mut self, sort: usize) -> String {
        let at = if !self.tame && self.numbers.one_in(25) { self.numbers.below(TITLES) } else { self.declared[sort] };
        self.declared[sort] += 1;
        match (self.definition, sort) {
            (Some(_), 0) => format!("\"${{title}} n{at}\""),
            (Some(_), 1) => format!("\"/${{title}}/f{at}\""),
            (Some(_), _) => format!("\"${{title}} i{at}\""),
            (None, _) => title(sort, at),
        }
    }

    fn resource(&mut self) -> Tree {
        let sort = self.numbers.pick(&[0, 0, 0, 1, 1, 2, 2]);
        let virtual_sign = self.numbers.pick(&["", "", "", "@", "@"]);
        let type_name = match sort {
            0 => "notify",
            1 => "file",
            _ => {
                // A definition that declares itself would not end.
                let first = self.definition.filter(|_| self.tame).map_or(0, |at| at + 1);
                if first == DEFINITIONS.len() {
                    return Tree::text("notice($title)");
                }
                self.numbers.pick(&DEFINITIONS[first..])
            }
        };
        let mut titles = self.new_title(sort);
        if self.sure && self.definition.is_none() {
            let reference = format!("{}[{titles}]", capital(type_name));
            if virtual_sign.is_empty() {
                self.real.push(reference);
            } else {
                self.virtuals.push(reference);
            }
            if sort < 2 {
                self.own.push((sort, titles.clone()));
            }
        }
        if self.numbers.one_in(6) {
            titles = format!("[{titles}, {}]", self.new_title(sort));
        }
        let parameters = self.parameters(sort, "=>");
        around(&format!("{virtual_sign}{type_name} {{ {titles}: "), parameters, " }")
    }

    fn parameters(&mut self, sort: usize, arrow: &str) -> Tree {
        let mut parameters: Vec<(&str, String)> = Vec::new();
        for _ in 0..self.numbers.below(4) {
            let (name, value) = match (self.numbers.below(9), sort) {
                (0, _) => ("tag", format!("'{}'", self.tag())),
                (1, _) => ("noop", self.numbers.pick(&["true", "false", "undef"]).to_owned()),
                (2, _) => ("loglevel", self.numbers.pick(&["debug", "'info'"]).to_owned()),
                (3, _) => (self.numbers.pick(&["require", "before", "notify", "subscribe"]), self.reference()),
                (4, _) => ("require", format!("[{}, {}]", self.reference(), self.reference())),
                (_, 0) => ("message", self.value()),
                (5 | 6, 1) => ("mode", self.numbers.pick(&["'0644'", "'0600'", "undef"]).to_owned()),
                (_, 1) => ("owner", self.numbers.pick(&["'root'", "'x'", "Sensitive('s')"]).to_owned()),
                _ => ("p", self.value()),
            };
            if !parameters.iter().any(|(known, _)| *known == name) {
                parameters.push((name, value));
            }
        }
        let shown = parameters.iter().map(|(name, value)| Tree::text(format!("{name} {arrow} {value}")));
        Tree::list(", ", shown.collect())
    }

    fn value(&mut self) -> String {
        let values =
            ["'x'", "'y'", "1", "undef", "[1, 'two']", "{ 'k' => 1 }", "\"${title}\"", "$facts['kind']", "default"];
        self.numbers.pick(&values).to_owned()
    }

    fn tag(&mut self) -> &'static str {
        self.numbers.pick(&["t1", "t2", "a", "b", "d", "a::x"])
    }

    /// A reference to what is declared somewhere, mostly.
    fn reference(&mut self) -> String {
        if self.tame && !self.real.is_empty() {
            return self.real[self.numbers.below(self.real.len())].clone();
        }
        if self.tame {
            return "Stage['main']".to_owned();
        }
        if self.numbers.one_in(8) {
            return format!("Class['{}']", self.numbers.pick(&CLASSES));
        }
        let sort = self.numbers.below(3);
        let at = self.numbers.below(self.declared[sort].max(1) + 1);
        let title = title(sort, at);
        match sort {
            0 => format!("Notify[{title}]"),
            1 => format!("File[{title}]"),
            _ => format!("{}[{title}]", self.numbers.pick(&["D", "E", "M::F"])),
        }
    }

    fn virtual_reference(&mut self) -> String {
        match self.virtuals.is_empty() {
            true => self.reference(),
            false => self.virtuals[self.numbers.below(self.virtuals.len())].clone(),
        }
    }

    fn include(&mut self) -> Tree {
        let how = self.numbers.pick(&["include", "include", "include", "contain", "require"]);
        Tree::text(format!("{how} {}", self.numbers.pick(&CLASSES)))
    }

    fn class_resource(&mut self) -> Tree {
        let parameters = self.numbers.pick(&["", "", "p => 3", "tag => 't1'", "noop => true", "p => undef"]);
        Tree::text(format!("class {{ '{}': {parameters} }}", self.numbers.pick(&CLASSES)))
    }

    fn defaults(&mut self) -> Tree {
        let sort = self.numbers.below(3);
        if self.tame && std::mem::replace(&mut self.defaulted[sort], true) {
            return Tree::text("notice('defaults')");
        }
        let type_name = ["Notify", "File", "D"][sort];
        around(&format!("{type_name} {{ "), self.parameters(sort, "=>"), " }")
    }

    fn override_one(&mut self) -> Tree {
        let own = self.own.len();
        let (sort, title) = match own {
            0 if self.tame => return Tree::text("notice('nothing to override')"),
            0 => (0, title(0, self.numbers.below(TITLES))),
            _ => self.own[self.numbers.below(own)].clone(),
        };
        let type_name = ["Notify", "File"][sort];
        let arrow = self.numbers.pick(&["=>", "=>", "+>"]);
        around(&format!("{type_name}[{title}] {{ "), self.parameters(sort, arrow), " }")
    }

    fn collector(&mut self) -> Tree {
        let sort = self.numbers.below(3);
        let of = format!("{} <| {} |>", ["Notify", "File", "D"][sort], self.query(sort));
        match self.numbers.below(3) {
            0 => around(&format!("{of} {{ "), self.parameters(sort, "=>"), " }"),
            _ => Tree::text(of),
        }
    }

    fn query(&mut self, sort: usize) -> String {
        let at = self.numbers.below(self.declared[sort].max(1));
        match self.numbers.below(6) {
            0 | 1 => String::new(),
            2 => format!("title == {}", title(sort, at)),
            3 => format!("tag == '{}'", self.tag()),
            4 => format!("{} != 'x'", ["message", "owner", "p"][sort]),
            _ => format!("tag == '{}' or title == {}", self.tag(), title(sort, at)),
        }
    }

    fn chain(&mut self) -> Tree {
        let mut operands = Vec::new();
        for _ in 0..2 + self.numbers.below(2) {
            operands.push(match self.numbers.below(4) {
                0 => {
                    let sort = self.numbers.below(3);
                    format!("{} <| {} |>", ["Notify", "File", "D"][sort], self.query(sort))
                }
                _ => self.reference(),
            });
        }
        Tree::text(operands.join(self.numbers.pick(&[" -> ", " -> ", " ~> ", " <- "])))
    }

    fn create_resources(&mut self) -> Tree {
        let sort = self.numbers.below(3);
        let (of, title, tag) = (["notify", "file", "d"][sort], self.new_title(sort), self.tag());
        Tree::text(format!("create_resources('{of}', {{ {title} => {{ 'tag' => '{tag}' }} }})"))
    }
}

fn title(sort: usize, at: usize) -> String {
    match sort {
        0 => format!("'n{at}'"),
        1 => format!("'/f{at}'"),
        _ => format!("'i{at}'"),
    }
}

/// As references have it.
fn capital(name: &str) -> String {
    let segment = |segment: &str| segment[..1].to_uppercase() + &segment[1..];
    name.split("::").map(segment).collect::<Vec<_>>().join("::")
}
