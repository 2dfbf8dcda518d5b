//! Expressions: literals, facts, variables, look-ups, calls, references.

use super::generate::{CLASSES, Generator};

impl Generator {
    pub(super) fn value(&mut self) -> String {
        if self.numbers.one_in(3) {
            return self.literal();
        }
        match self.numbers.below(12) {
            0 => self.fact(),
            1 | 2 => self.look_up(),
            3 if self.modular => self.of_a_module(),
            4 if self.locals > 0 => format!("$v{}", self.numbers.below(self.locals)),
            5 => self.rich(),
            6 => self.reference(),
            7 => self.question(),
            8 => self.computed(),
            9 if !self.tame => self.bad(),
            _ => self.literal(),
        }
    }

    fn literal(&mut self) -> String {
        let values = [
            "'x'",
            "'y'",
            "1",
            "undef",
            "[1, 'two']",
            "{ 'k' => 1 }",
            "\"${title}\"",
            "default",
            "true",
            "''",
            "1.5",
            "[]",
            "{}",
            "[undef, [1, undef]]",
            "{ 1 => 'a', 'b' => { 'c' => [] } }",
            "'Ünicode ☃'",
            "\"a\\nb\"",
            "-7",
            "1e300",
        ];
        self.numbers.pick(&values).to_owned()
    }

    fn fact(&mut self) -> String {
        let values = [
            "$facts['kind']",
            "$kind",
            "$cores",
            "$::kind",
            "$facts['os']['family']",
            "\"${facts['os']['release']['major']}-${kind}\"",
            "$facts['tags']",
            "$trusted['certname']",
            "$server_facts['environment']",
            "$environment",
            "$facts.dig('os', 'name')",
            "$facts.get('os.release.full', 'none')",
            "$facts['none']",
            "$trusted['extensions']",
            "$module_name",
            "$caller_module_name",
            "$name",
        ];
        self.numbers.pick(&values).to_owned()
    }

    fn look_up(&mut self) -> String {
        if !self.has_data && self.tame {
            return "lookup('none', { default_value => 3 })".to_owned();
        }
        let sure = [
            "lookup('k1')",
            "lookup('k2', Array, 'unique')",
            "lookup('h', Hash, 'hash')",
            "lookup('h', { merge => 'deep' })",
            "lookup('h.a.b', { default_value => 'none' })",
            "lookup(['none', 'k1'])",
            "lookup('none', Integer, 'first', 5)",
            "lookup('none') |$key| { \"no ${key}\" }",
            "lookup('none', { default_value => undef })",
            "lookup({ name => 'k1', override => { 'k1' => 'over' } })",
            "lookup('k3', { default_values_hash => { 'k3' => 'dv' } })",
            "lookup('k4', { merge => { strategy => 'deep', knockout_prefix => '--', sort_merged_arrays => true }, default_value => {} })",
            "lookup('a::p', { default_value => 'no p' })",
            "lookup('m::z', { default_value => 'no z' })",
            "lookup('list', { merge => 'unique', default_value => [] })",
            "lookup('secret', { default_value => 's' })",
        ];
        let unsure = [
            "lookup('k1', Integer)",
            "lookup('none')",
            "lookup('k5')",
            "lookup('k4', String)",
            "lookup('h', { merge => 'unique' })",
            "lookup('h', { merge => 'odd' })",
            "lookup('k1.x')",
            "lookup('list.0')",
            "lookup('list.x')",
            "lookup('h.a.0')",
            "lookup('lookup_options')",
            "lookup(['none', 'nope'])",
            "lookup('cycle')",
            "lookup('k3', { value_type => Integer, default_value => 'x' })",
            "lookup({ 'name' => 'k1', 'nope' => 1 })",
            "lookup('a::p', Array)",
            "lookup(\"k1'\")",
        ];
        if !self.tame && self.numbers.one_in(4) {
            self.numbers.pick(&unsure).to_owned()
        } else {
            self.numbers.pick(&sure).to_owned()
        }
    }

    fn of_a_module(&mut self) -> String {
        let values = [
            "a::twice('t')",
            "a::twice($facts['kind'])",
            "m::one()",
            "m::one(undef)",
            "epp('a/t.epp')",
            "epp('a/t.epp', { 'x' => [1, undef] })",
            "epp('m/u.epp')",
            "file('a/f.txt')",
            "A::Kind",
            "M::Port",
            "'b' =~ A::Kind",
            "find_file('a/f.txt', '/none') =~ String",
            "module_directory('none')",
        ];
        let bad = [
            "a::nope(1)",
            "m::one(1, 2)",
            "epp('a/none.epp')",
            "epp('a/t.epp', { 'y' => 1 })",
            "file('a/none.txt')",
            "A::Nope",
            "assert_type(A::Kind, 'z')",
            "a::twice()",
        ];
        if !self.tame && self.numbers.one_in(4) {
            self.numbers.pick(&bad).to_owned()
        } else {
            self.numbers.pick(&values).to_owned()
        }
    }

    fn rich(&mut self) -> String {
        let values = [
            "Sensitive('s')",
            "[Sensitive('s'), 1]",
            "Sensitive(['a', Sensitive('b')])",
            "Deferred('upcase', ['x'])",
            "{ 'd' => Deferred('split', ['a,b', ',']) }",
            "Sensitive(Deferred('upcase', ['x']))",
            "Binary('YWJj')",
            "SemVer('1.2.3')",
            "SemVerRange('>=1.0.0')",
            "Timestamp('2020-01-02T03:04:05')",
            "Timespan('1-02:03:04')",
            "/a.b/",
            "Integer[1, 2]",
            "Optional[Struct[{ a => String }]]",
            "URI('http://a/b')",
            "Class",
            "Resource",
            "Type[Integer]",
            "Enum['a']",
        ];
        self.numbers.pick(&values).to_owned()
    }

    /// What depends on what is declared so far.
    fn question(&mut self) -> String {
        let class = self.numbers.pick(&CLASSES);
        let reference = self.reference();
        match self.numbers.below(6) {
            0 => format!("defined(Class['{class}'])"),
            1 => format!("defined({reference})"),
            2 => format!("defined('{class}', 'notify')"),
            3 => format!("tagged('{}')", self.tag()),
            4 => format!("getvar('{class}::p')"),
            _ if self.tame => format!("getvar('{class}::q', 'no q')"),
            _ => match self.numbers.below(3) {
                0 => format!("${class}::p"),
                1 => format!("{reference}['{}']", self.numbers.pick(&["message", "mode", "p", "tag"])),
                _ => format!("\"${{{class}::p}} {{$p}}\""),
            },
        }
    }

    fn computed(&mut self) -> String {
        let values = [
            "$cores + 1",
            "[1, 2].map |$i| { $i * 2 }",
            "$facts['tags'].map |$t| { \"${t}!\" }",
            "['b', 'a'].sort.join(',')",
            "$kind ? { 'a' => 'is a', default => 'other' }",
            "if $cores > 2 { 'many' } else { 'few' }",
            "{ 'a' => 1 } + { 'b' => $kind }",
            "\"%{kind} ${1 + 1}\"",
            "sprintf('%05d %s', $cores, $kind)",
            "md5('x')",
            "fqdn_rand(100, 'x')",
            "inline_epp('<%= $x %>', { 'x' => 1 })",
            "[$kind, 'z'].with |$x, $y| { $y }",
            "[1, [2, [3]]].flatten.unique",
            "$kind.upcase",
            "String(12, '%#x')",
            "type($cores)",
            "$facts.filter |$k, $v| { $k == 'kind' }",
            "split('a b', ' ')",
            "Integer('12') + 0x10",
        ];
        self.numbers.pick(&values).to_owned()
    }

    fn bad(&mut self) -> String {
        let values = [
            "$nope",
            "$nope::p",
            "1 + 'a'",
            "fail('no')",
            "nope('x')",
            "$facts['os']['a']['b']",
            "Integer('x')",
            "1 / 0",
            "undef + 1",
            "[1][a]",
            "Nope['x']",
            "Class['nope']['p']",
            "\"${nope}\"",
            "inline_epp('<%= $y %>')",
            "with(1) |$x, $y| { $y }",
            "assert_type(String, 1)",
            "Resource['nope', 'x']",
            "File",
            "Class['a', 'b']",
            "Notify['n0', 'n1']",
            "'a' in 1",
        ];
        self.numbers.pick(&values).to_owned()
    }

    pub(super) fn tag(&mut self) -> &'static str {
        self.numbers.pick(&["t1", "t2", "a", "b", "d", "a::x"])
    }

    /// A reference to what is declared somewhere, mostly.
    pub(super) fn reference(&mut self) -> String {
        if self.tame && !self.real.is_empty() {
            return self.real[self.numbers.below(self.real.len())].clone();
        }
        if self.tame {
            return "Stage['main']".to_owned();
        }
        if self.numbers.one_in(6) {
            let class = self.numbers.pick(&CLASSES);
            return match self.numbers.below(4) {
                0 => format!("Class['::{class}']"),
                1 => format!("Class[{class}]"),
                2 => format!("Resource['class', '{class}']"),
                _ => format!("Class['{class}']"),
            };
        }
        let sort = self.numbers.below(3);
        let at = self.numbers.below(self.declared[sort].max(1) + 1);
        let title = title(sort, at);
        match (sort, self.numbers.below(8)) {
            (0, 0) => format!("Resource['notify', {title}]"),
            (0, 1) => format!("Resource[Notify[{title}]]"),
            (1, 0) => format!("Resource['File'][{title}]"),
            (0, _) => format!("Notify[{title}]"),
            (1, _) => format!("File[{title}]"),
            _ => format!("{}[{title}]", self.numbers.pick(&["D", "E", "M::F"])),
        }
    }

    pub(super) fn virtual_reference(&mut self) -> String {
        match self.virtuals.is_empty() {
            true => self.reference(),
            false => self.virtuals[self.numbers.below(self.virtuals.len())].clone(),
        }
    }
}

pub(super) fn title(sort: usize, at: usize) -> String {
    match sort {
        0 => format!("'n{at}'"),
        1 => format!("'/f{at}'"),
        _ => format!("'i{at}'"),
    }
}
