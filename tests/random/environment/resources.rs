//! Resources and what changes them: attributes good and bad, defaults, overrides, collectors.

use super::super::tree::Tree;
use super::generate::{CLASSES, DEFINITIONS, Generator, around};
use super::values::title;

/// Titles of notifies, of files, of instances of definitions.
const TITLES: usize = 7;

impl Generator {
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

    pub(super) fn resource(&mut self) -> Tree {
        let sort = self.numbers.pick(&[0, 0, 0, 1, 1, 2, 2]);
        let sign = self.numbers.pick(&["", "", "", "", "@", "@", "@@"]);
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
            if sign.is_empty() {
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
        match self.numbers.below(12) {
            0 => {
                let usual = self.parameters(sort, "=>");
                let before = format!("{sign}{type_name} {{ default: ");
                Tree::Group(vec![around(&before, usual, "; "), around(&format!("{titles}: "), parameters, " }")])
            }
            1 => {
                let (more, second) = (self.new_title(sort), self.parameters(sort, "=>"));
                let first = around(&format!("{sign}{type_name} {{ {titles}: "), parameters, "; ");
                Tree::Group(vec![first, around(&format!("{more}: "), second, " }")])
            }
            2 => {
                let tag = self.tag();
                let splat = ["* => { 'noop' => true }", "* => { 'loglevel' => 'info', audit => ['all'] }", "* => {}"];
                let splat = self.numbers.pick(&splat);
                Tree::text(format!("{sign}{type_name} {{ {titles}: tag => '{tag}', {splat} }}"))
            }
            _ => around(&format!("{sign}{type_name} {{ {titles}: "), parameters, " }"),
        }
    }

    pub(super) fn parameters(&mut self, sort: usize, arrow: &str) -> Tree {
        let mut parameters: Vec<(&str, String)> = Vec::new();
        for _ in 0..self.numbers.below(4) {
            let (name, value) = match (self.numbers.below(12), sort) {
                (0, _) => ("tag", self.tags()),
                (1, _) => ("noop", self.numbers.pick(&["true", "false", "undef"]).to_owned()),
                (2, _) => ("loglevel", self.numbers.pick(&["debug", "'info'"]).to_owned()),
                (3, _) => (self.numbers.pick(&["require", "before", "notify", "subscribe"]), self.reference()),
                (4, _) => ("require", format!("[{}, {}]", self.reference(), self.reference())),
                (5, _) => self.metaparameter(),
                (6, _) if !self.tame && self.numbers.one_in(3) => self.bad_parameter(),
                (_, 0) => (self.numbers.pick(&["message", "message", "message", "withpath"]), self.value()),
                (5..=8, 1) => self.of_a_file(),
                (_, 1) => ("content", self.value()),
                _ => ("p", self.value()),
            };
            if !parameters.iter().any(|(known, _)| *known == name) {
                parameters.push((name, value));
            }
        }
        let shown = parameters.iter().map(|(name, value)| Tree::text(format!("{name} {arrow} {value}")));
        Tree::list(", ", shown.collect())
    }

    fn tags(&mut self) -> String {
        let tag = self.tag();
        match self.numbers.below(6) {
            0 => format!("['{tag}', 'more']"),
            1 => format!("\"T-${{kind}}-{tag}\""),
            2 if !self.tame => "'not a tag!'".to_owned(),
            3 => "['Upper', ['deep', 'a b']]".replace("'a b'", if self.tame { "'a-b'" } else { "'a b'" }),
            _ => format!("'{tag}'"),
        }
    }

    fn metaparameter(&mut self) -> (&'static str, String) {
        match self.numbers.below(5) {
            0 => ("audit", self.numbers.pick(&["all", "['mode', 'owner']", "'content'"]).to_owned()),
            1 => ("schedule", self.numbers.pick(&["'daily'", "undef", "daily"]).to_owned()),
            2 if !self.tame => ("alias", self.numbers.pick(&["'other'", "'n0'", "[a, b]"]).to_owned()),
            3 if !self.tame => ("stage", "main".to_owned()),
            _ => ("noop", self.value()),
        }
    }

    fn of_a_file(&mut self) -> (&'static str, String) {
        match self.numbers.below(6) {
            0 | 1 => ("mode", self.numbers.pick(&["'0644'", "'0600'", "undef", "'u=rw'"]).to_owned()),
            2 => ("ensure", self.numbers.pick(&["file", "directory", "absent", "present", "'/target'"]).to_owned()),
            3 => ("owner", self.numbers.pick(&["'root'", "'x'", "Sensitive('s')", "0"]).to_owned()),
            4 => ("source", self.numbers.pick(&["'puppet:///modules/a/f.txt'", "['/x', '/y']"]).to_owned()),
            _ => ("group", self.value()),
        }
    }

    fn bad_parameter(&mut self) -> (&'static str, String) {
        match self.numbers.below(5) {
            0 => ("nope", self.value()),
            1 => ("require", self.numbers.pick(&["'x'", "Notify", "5", "[Class['nope']]"]).to_owned()),
            2 => ("name", self.value()),
            3 => ("title", "'x'".to_owned()),
            _ => ("before", self.value()),
        }
    }

    /// Of the types that are neither notify nor file.
    pub(super) fn other_resource(&mut self) -> Tree {
        let at = self.others;
        self.others += 1;
        let name = match self.definition {
            Some(_) => format!("\"${{title}}-o{at}\""),
            None => format!("'o{at}'"),
        };
        let value = self.value();
        let made = match self.numbers.below(12) {
            0 => format!("user {{ {name}: ensure => present, uid => {at}, groups => ['a', 'b'] }}"),
            1 => format!("group {{ {name}: gid => {value} }}"),
            2 => format!("package {{ {name}: ensure => {value} }}"),
            3 => format!("service {{ {name}: ensure => running, enable => {value} }}"),
            4 => format!(
                "exec {{ {name}: command => '/bin/true', refreshonly => true, subscribe => {} }}",
                self.reference()
            ),
            5 => format!("schedule {{ {name}: period => daily, range => {value} }}"),
            6 => format!("tidy {{ \"/t{at}${{title}}\": age => '1w', recurse => {value} }}"),
            7 => format!("resources {{ {name}: purge => true }}"),
            8 => format!("filebucket {{ {name}: path => false }}"),
            9 => format!("file {{ \"/o{at}${{title}}/\": ensure => directory, recurse => {value} }}"),
            10 => format!("package {{ \"{at}${{title}}\": name => 'same{at}', provider => 'gem' }}"),
            _ => format!("exec {{ \"run{at} ${{title}}\": path => ['/bin'], unless => {value} }}"),
        };
        if self.tame || !self.numbers.one_in(8) {
            return Tree::text(made);
        }
        Tree::text(match self.numbers.below(6) {
            0 => "package { 'p': } package { 'q': name => 'p' }".to_owned(),
            1 => "file { '/same': } file { '/same/': }".to_owned(),
            2 => "user { 'u': nope => 1 }".to_owned(),
            3 => format!("nope {{ {name}: }}"),
            4 => "Package { 'r': ensure => 1 }".to_owned(),
            _ => format!("file {{ 'relative{at}': ensure => file, content => 'a', source => '/b' }}"),
        })
    }

    pub(super) fn class_resource(&mut self) -> Tree {
        let parameters = [
            "",
            "",
            "p => 3",
            "tag => 't1'",
            "noop => true",
            "p => undef",
            "p => $facts['kind'], loglevel => debug",
            "* => { 'p' => 4 }",
            "schedule => 'daily', tag => ['u', 'v']",
        ];
        let wild = [
            "nope => 1",
            "stage => 'none'",
            "stage => 'pre'",
            "alias => 'x'",
            "q => 'x'",
            "require => Class['b']",
            "p => 'x', p => 1",
        ];
        let class = self.numbers.pick(&CLASSES);
        if !self.tame && self.numbers.one_in(3) {
            return Tree::text(format!("class {{ '{class}': {} }}", self.numbers.pick(&wild)));
        }
        Tree::text(format!("class {{ '{class}': {} }}", self.numbers.pick(&parameters)))
    }

    pub(super) fn defaults(&mut self) -> Tree {
        let sort = self.numbers.below(3);
        if self.tame && std::mem::replace(&mut self.defaulted[sort], true) {
            return Tree::text("notice('defaults')");
        }
        let type_name = ["Notify", "File", "D"][sort];
        around(&format!("{type_name} {{ "), self.parameters(sort, "=>"), " }")
    }

    pub(super) fn override_one(&mut self) -> Tree {
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

    pub(super) fn collector(&mut self) -> Tree {
        let of = self.collected();
        match self.numbers.below(3) {
            0 => {
                let sort = self.numbers.below(3);
                let of = format!("{} <| {} |>", ["Notify", "File", "D"][sort], self.query(sort));
                around(&format!("{of} {{ "), self.parameters(sort, "=>"), " }")
            }
            _ => Tree::text(of),
        }
    }

    pub(super) fn collected(&mut self) -> String {
        let sort = self.numbers.below(3);
        let (open, close) = if self.numbers.one_in(4) { ("<<|", "|>>") } else { ("<|", "|>") };
        format!("{} {open} {} {close}", ["Notify", "File", "D"][sort], self.query(sort))
    }

    fn query(&mut self, sort: usize) -> String {
        let at = self.numbers.below(self.declared[sort].max(1));
        match self.numbers.below(9) {
            0 | 1 => String::new(),
            2 => format!("title == {}", title(sort, at)),
            3 => format!("tag == '{}'", self.tag()),
            4 => format!("{} != 'x'", ["message", "owner", "p"][sort]),
            5 => format!("{} == {}", ["message", "owner", "p"][sort], self.literal_of_query()),
            6 => format!("tag != '{}' and (title != {} or noop == true)", self.tag(), title(sort, at)),
            7 => "tag == $kind".to_owned(),
            _ => format!("tag == '{}' or title == {}", self.tag(), title(sort, at)),
        }
    }

    fn literal_of_query(&mut self) -> &'static str {
        self.numbers.pick(&["'x'", "1", "true", "undef", "$cores", "\"${kind}\"", "'X'"])
    }

    pub(super) fn create_resources(&mut self) -> Tree {
        let sort = self.numbers.below(3);
        let (of, title, tag) = (["notify", "file", "d"][sort], self.new_title(sort), self.tag());
        let sign = self.numbers.pick(&["", "", "@", "@@"]);
        let usual = self.numbers.pick(&["", "", ", { 'noop' => true }", ", { 'loglevel' => 'debug', 'tag' => ['c'] }"]);
        if !self.tame && self.numbers.one_in(6) {
            let bad = [
                "create_resources('class', { 'a' => { 'p' => 7 } })",
                "create_resources('class', { 'b' => {} }, { 'tag' => 'x' })",
                "create_resources(notify, { 'bad' => { 'nope' => 1 } })",
                "create_resources('nope', { 'bad' => {} })",
                "create_resources('notify', { 'bad' => 1 })",
                "create_resources('notify', [])",
                "create_resources('class', { 'nope' => {} })",
                "create_resources('file', { '/cr' => undef })",
            ];
            return Tree::text(self.numbers.pick(&bad));
        }
        Tree::text(format!("create_resources('{sign}{of}', {{ {title} => {{ 'tag' => '{tag}' }} }}{usual})"))
    }
}

/// As references have it.
fn capital(name: &str) -> String {
    let segment = |segment: &str| segment[..1].to_uppercase() + &segment[1..];
    name.split("::").map(segment).collect::<Vec<_>>().join("::")
}
