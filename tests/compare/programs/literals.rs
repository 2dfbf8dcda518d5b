//! Values as they are written: of every type, and at the edges of each.

use super::super::random::tree::Tree;
use super::generate::Generator;

/// What an expression is meant to be worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Undef,
    Default,
    Boolean,
    Integer,
    Float,
    String,
    Regexp,
    Array,
    Hash,
    Type,
    Sensitive,
    Timestamp,
    Timespan,
    SemVer,
    SemVerRange,
    Binary,
    Uri,
}

/// The more usual ones stand here more than once.
const SORTS: [Sort; 28] = [
    Sort::Undef,
    Sort::Default,
    Sort::Boolean,
    Sort::Boolean,
    Sort::Integer,
    Sort::Integer,
    Sort::Integer,
    Sort::Float,
    Sort::Float,
    Sort::String,
    Sort::String,
    Sort::String,
    Sort::String,
    Sort::Regexp,
    Sort::Array,
    Sort::Array,
    Sort::Array,
    Sort::Hash,
    Sort::Hash,
    Sort::Hash,
    Sort::Type,
    Sort::Sensitive,
    Sort::Timestamp,
    Sort::Timespan,
    Sort::SemVer,
    Sort::SemVerRange,
    Sort::Binary,
    Sort::Uri,
];

const INTEGERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "7",
    "10",
    "-1",
    "-2",
    "255",
    "0x1F",
    "017",
    "65536",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775807",
];

const FLOATS: [&str; 14] = [
    "0.0",
    "-0.0",
    "1.0",
    "1.5",
    "-2.5",
    "0.1",
    "3.14159",
    "1e10",
    "1e16",
    "1.5e-7",
    "1e300",
    "123456789.125",
    "2.0",
    "0.333333333333333333",
];

const STRINGS: [&str; 44] = [
    "''",
    "'a'",
    "'b'",
    "'A'",
    "'abc'",
    "'ABC'",
    "'hello world'",
    "' x '",
    "'é'",
    "'ÉCOLE'",
    "'ß'",
    "'日本語'",
    "\"\\u{1F600}\"",
    "\"a\\nb\"",
    "\"t\\tb\"",
    "'it\\'s'",
    "'\"'",
    "'\\\\'",
    "'1'",
    "'-1'",
    "'10'",
    "'0x1F'",
    "'010'",
    "'0b11'",
    "'1.5'",
    "'1e3'",
    "' 5 '",
    "'+ 7'",
    "'5x'",
    "'true'",
    "'yes'",
    "'undef'",
    "'a,b,c'",
    "'a::b'",
    "'::A::b'",
    "'1.2.3'",
    "'>=1.0.0 <2.0.0'",
    "'2020-02-29'",
    "'2020-01-01T10:20:30'",
    "'1-02:03:04'",
    "'http://a.b:80/c?d=e#f'",
    "'YWJj'",
    "'$x'",
    "\"\\$\\\"\"",
];

const FORMATS: [&str; 40] = [
    "'%d'",
    "'%s'",
    "'%p'",
    "'%x'",
    "'%#x'",
    "'%X'",
    "'%o'",
    "'%#o'",
    "'%b'",
    "'%#B'",
    "'%e'",
    "'%.3e'",
    "'%f'",
    "'%.2f'",
    "'%g'",
    "'%G'",
    "'%a'",
    "'%c'",
    "'%5d'",
    "'%-5d|'",
    "'%05d'",
    "'%+d'",
    "'% d'",
    "'%10s'",
    "'%-10s|'",
    "'%.2s'",
    "'%#s'",
    "'%u'",
    "'%C'",
    "'%t'",
    "'%y'",
    "'%Y'",
    "'%h'",
    "'%#h'",
    "'%(a'",
    "'%#a'",
    "'%q'",
    "'%'",
    "'%%'",
    "'%-+8.3d'",
];

const TIME_FORMATS: [&str; 12] = [
    "'%F'",
    "'%H:%M:%S'",
    "'%D-%H:%M:%S.%-N'",
    "'%Y-%m-%d'",
    "'%s'",
    "'%-d/%-m/%y'",
    "'%3N'",
    "'%L'",
    "'%%'",
    "'%j %a'",
    "'%_H %k'",
    "'%Q'",
];

const REGEXPS: [&str; 17] = [
    "/a/",
    "/^a/",
    "/b$/",
    "/./",
    "/[a-z]+/",
    "/(\\w)(\\d)?/",
    "/\\d+/",
    "/a|b/",
    "/(?i)abc/",
    "/\\s*/",
    "/x?/",
    "/é/",
    "/(?<n>l+)/",
    "/\\A\\z/",
    "/[^,]+/",
    "/(a)(b)(c)/",
    "/,/",
];

const TIMESTAMPS: [&str; 8] = [
    "Timestamp(0)",
    "Timestamp(1.5)",
    "Timestamp('2020-02-29')",
    "Timestamp('2000-01-01T10:20:30.123456789')",
    "Timestamp(-1)",
    "Timestamp('2020-01-01', '%F')",
    "Timestamp('2011-10-30 01:02:03 CET', '%F %T %Z')",
    "Timestamp(253402300799)",
];

const TIMESPANS: [&str; 9] = [
    "Timespan(0)",
    "Timespan(90)",
    "Timespan(1.5)",
    "Timespan(-90061)",
    "Timespan('1-02:03:04')",
    "Timespan({days => 1, hours => 2})",
    "Timespan(1, 2, 3, 4)",
    "Timespan('10:11:12')",
    "Timespan(0, 0, 0, 0, 7)",
];

const SEMVERS: [&str; 8] = [
    "SemVer('1.2.3')",
    "SemVer('1.0.0')",
    "SemVer('2.0.0-rc1')",
    "SemVer('1.0.0+build')",
    "SemVer(1, 2, 3)",
    "SemVer('0.0.0')",
    "SemVer('10.20.30-alpha.1')",
    "SemVer({major => 1, minor => 0, patch => 0})",
];

const SEMVER_RANGES: [&str; 9] = [
    "SemVerRange('>=1.0.0')",
    "SemVerRange('1.x')",
    "SemVerRange('~1.2')",
    "SemVerRange('1.0.0 - 2.0.0')",
    "SemVerRange('>=1.0.0 <2.0.0')",
    "SemVerRange('<1.0.0')",
    "SemVerRange('=1.2.3')",
    "SemVerRange('^1.2.3')",
    "SemVerRange('*')",
];

const BINARIES: [&str; 6] = [
    "Binary('YWJj')",
    "Binary('')",
    "Binary('abc', '%s')",
    "Binary([0, 255, 10])",
    "Binary('/+8=')",
    "Binary('w6k=', '%b')",
];

const URIS: [&str; 7] = [
    "URI('http://a.b:80/c?d=e#f')",
    "URI('a/b')",
    "URI('')",
    "URI({scheme => 'http', host => 'x'})",
    "URI('mailto:a@b.c')",
    "URI('HTTP://User@Host/%41')",
    "URI('../c?q')",
];

impl Generator<'_> {
    pub(super) fn sort(&mut self) -> Sort {
        self.numbers.pick(&SORTS)
    }

    /// Values of some sorts can only be made by `new`.
    fn needs_new(sort: Sort) -> bool {
        use Sort::{Binary, SemVer, SemVerRange, Sensitive, Timespan, Timestamp, Uri};
        matches!(sort, Sensitive | Timestamp | Timespan | SemVer | SemVerRange | Binary | Uri)
    }

    /// A value that needs nothing around it.
    pub(super) fn literal(&mut self, sort: Sort) -> Tree {
        let sort = if Self::needs_new(sort) && !self.has("new") { Sort::Integer } else { sort };
        let numbers = &mut self.numbers;
        let text = match sort {
            Sort::Undef => "undef",
            Sort::Default => "default",
            Sort::Boolean => numbers.pick(&["true", "false"]),
            Sort::Integer if numbers.one_in(3) => return Tree::leaf(numbers.below(12).to_string()),
            Sort::Integer => numbers.pick(&INTEGERS),
            Sort::Float => numbers.pick(&FLOATS),
            Sort::String => numbers.pick(&STRINGS),
            Sort::Regexp => numbers.pick(&REGEXPS),
            Sort::Timestamp => numbers.pick(&TIMESTAMPS),
            Sort::Timespan => numbers.pick(&TIMESPANS),
            Sort::SemVer => numbers.pick(&SEMVERS),
            Sort::SemVerRange => numbers.pick(&SEMVER_RANGES),
            Sort::Binary => numbers.pick(&BINARIES),
            Sort::Uri => numbers.pick(&URIS),
            Sort::Array => return self.array(1),
            Sort::Hash => return self.hash(1),
            Sort::Type => return self.type_expression(1),
            Sort::Sensitive => {
                let inner = self.sort();
                let inner = if inner == Sort::Sensitive { Sort::String } else { inner };
                return Tree::Expression(vec![Tree::text("Sensitive("), self.literal(inner), Tree::text(")")]);
            }
        };
        match text.split_once('(') {
            Some((name, argument)) if Self::needs_new(sort) => {
                let argument = argument.trim_end_matches(')');
                Tree::Expression(vec![Tree::text(format!("{name}(")), Tree::leaf(argument), Tree::text(")")])
            }
            _ => Tree::leaf(text),
        }
    }

    /// A format, as strings for `sprintf`, `String` and `strftime` have them.
    pub(super) fn format(&mut self) -> Tree {
        let text = if self.numbers.one_in(4) { self.numbers.pick(&TIME_FORMATS) } else { self.numbers.pick(&FORMATS) };
        Tree::leaf(text)
    }

    pub(super) fn array(&mut self, depth: usize) -> Tree {
        let one = self.sort();
        let mixed = self.numbers.one_in(3);
        let count = self.numbers.below(4);
        let mut items = Vec::new();
        for _ in 0..count {
            let sort = if mixed { self.sort() } else { one };
            items.push(self.expression(sort, depth.saturating_sub(1)));
        }
        Tree::Expression(vec![Tree::text("["), Tree::list(", ", items), Tree::text("]")])
    }

    pub(super) fn hash(&mut self, depth: usize) -> Tree {
        let value_sort = self.sort();
        let mixed = self.numbers.one_in(2);
        let names = ["a", "b", "'c'", "'A'", "'x y'", "key", "'1'"];
        let mut entries: Vec<Tree> = Vec::new();
        let mut used = Vec::new();
        for _ in 0..self.numbers.below(4) {
            let key = if self.numbers.one_in(5) {
                let sort = self.sort();
                self.literal(sort)
            } else {
                Tree::leaf(self.numbers.pick(&names))
            };
            // One that comes twice is another program's affair.
            if !self.numbers.one_in(20) && used.contains(&key.source()) {
                continue;
            }
            used.push(key.source());
            let sort = if mixed { self.sort() } else { value_sort };
            let value = self.expression(sort, depth.saturating_sub(1));
            entries.push(Tree::list(" => ", vec![key, value]));
        }
        Tree::Expression(vec![Tree::text("{"), Tree::list(", ", entries), Tree::text("}")])
    }
}
