//! A module arrives, goes, or shadows another one of its name: a row for each kind of file that a module can bring.
//!
//! The list of modules is an input of whatever is looked up by name: all nodes are asked again, and one is told something else.

use super::{Edit, Kind, kind, remove, replace, write};

const DB: &str = "modules/db/manifests/init.pp";

pub(super) fn table() -> Vec<Kind> {
    let mut all: Vec<Kind> = BROUGHT.iter().flat_map(Brought::kinds).collect();
    all.extend(shadowed());
    all.extend(strays());
    all
}

/// A file that a module brings, and code that wants it.
struct Brought {
    what: &'static str,
    /// A statement of the class `db`.
    wanted: &'static str,
    /// Another file that is there all along.
    beside: Option<(&'static str, &'static str)>,
    /// Where it stands in the module.
    path: &'static str,
    text: &'static str,
    /// The file of the module that shadows this one.
    other: &'static str,
    /// What the node is told with it, without it, and with the other one.
    told: [&'static str; 3],
}

const PLAIN: Brought = Brought { what: "", wanted: "", beside: None, path: "", text: "", other: "", told: [""; 3] };

/// A function that requires a library.
const WANTING: (&str, &str) = (
    "modules/kit/lib/puppet/functions/kit/wanting.rb",
    "Puppet::Functions.create_function(:'kit::wanting') do\n  def wanting\n    require 'extra/words'\n    Extra::WORDS\n  \
     end\nend\n",
);

const DATA: &str = "data of its own";

const BROUGHT: &[Brought] = &[
    Brought {
        what: "a class",
        wanted: "include extra",
        path: "manifests/init.pp",
        text: "class extra { notify { 'it is here': } }",
        other: "class extra { notify { 'another one': } }",
        told: ["it is here", "Could not find class ::extra", "another one"],
        ..PLAIN
    },
    Brought {
        what: "a defined type",
        wanted: "extra::thing { 'x': }",
        path: "manifests/thing.pp",
        text: "define extra::thing { notify { 'it is here': } }",
        other: "define extra::thing { notify { 'another one': } }",
        told: ["it is here", "Unknown resource type: 'extra::thing'", "another one"],
        ..PLAIN
    },
    Brought {
        what: "a type in Ruby",
        wanted: "thing { 'x': size => 1 }",
        path: "lib/puppet/type/thing.rb",
        text: "Puppet::Type.newtype(:thing) do\n  newparam(:name, :namevar => true)\n  newparam(:size)\nend\n",
        other: "Puppet::Type.newtype(:thing) do\n  newparam(:name, :namevar => true)\n  newparam(:length)\nend\n",
        told: ["\"Thing\"", "Unknown resource type: 'thing'", "no parameter named 'size'"],
        ..PLAIN
    },
    Brought {
        what: "an older function in Ruby",
        wanted: "notify { brought(): }",
        path: "lib/puppet/parser/functions/brought.rb",
        text: "Puppet::Parser::Functions.newfunction(:brought, :type => :rvalue) { |args| 'it is here' }\n",
        other: "Puppet::Parser::Functions.newfunction(:brought, :type => :rvalue) { |args| 'another one' }\n",
        told: ["it is here", "Unknown function: 'brought'", "another one"],
        ..PLAIN
    },
    Brought {
        what: "a newer function in Ruby",
        wanted: "notify { brought(): }",
        path: "lib/puppet/functions/brought.rb",
        text: "Puppet::Functions.create_function(:brought) do\n  def brought\n    'it is here'\n  end\nend\n",
        other: "Puppet::Functions.create_function(:brought) do\n  def brought\n    'another one'\n  end\nend\n",
        told: ["it is here", "Unknown function: 'brought'", "another one"],
        ..PLAIN
    },
    Brought {
        what: "a function in Puppet code",
        wanted: "notify { extra::brought(): }",
        path: "functions/brought.pp",
        text: "function extra::brought() { 'it is here' }",
        other: "function extra::brought() { 'another one' }",
        told: ["it is here", "Unknown function: 'extra::brought'", "another one"],
        ..PLAIN
    },
    Brought {
        what: "a type alias",
        wanted: "notify { \"a word: ${'word' =~ Extra::Brought}\": }",
        path: "types/brought.pp",
        text: "type Extra::Brought = String",
        other: "type Extra::Brought = Integer",
        told: ["a word: true", "Resource type not found: Extra::Brought", "a word: false"],
        ..PLAIN
    },
    Brought {
        what: "a data type in Ruby",
        wanted: "notify { \"a word: ${'word' =~ Extra::Brought}\": }",
        path: "lib/puppet/datatypes/extra/brought.rb",
        text: "Puppet::DataTypes.create_type('Extra::Brought') do\n  interface <<-PUPPET\n    attributes => {}\n  PUPPET\nend\n",
        other: "Puppet::DataTypes.create_type('Extra::Brought') do\n  interface <<-PUPPET\n    attributes => []\n  PUPPET\nend\n",
        told: ["a word: false", "Resource type not found: Extra::Brought", "attribute"],
        ..PLAIN
    },
    Brought {
        what: "a template in EPP",
        wanted: "notify { epp('extra/brought.epp'): }",
        path: "templates/brought.epp",
        text: "it is here",
        other: "another one",
        told: ["it is here", "Could not find template 'extra/brought.epp'", "another one"],
        ..PLAIN
    },
    Brought {
        what: "a template in ERB",
        wanted: "notify { template('extra/brought.erb'): }",
        path: "templates/brought.erb",
        text: "it is here",
        other: "another one",
        told: ["it is here", "Could not find template 'extra/brought.erb'", "another one"],
        ..PLAIN
    },
    Brought {
        what: "a file",
        wanted: "notify { file('extra/brought'): }",
        path: "files/brought",
        text: "it is here",
        other: "another one",
        told: ["it is here", "Could not find any files from extra/brought", "another one"],
        ..PLAIN
    },
    Brought { what: DATA, wanted: "notify { lookup('extra::brought', default_value => 'nothing brought'): }", ..PLAIN },
    Brought {
        what: "a provider",
        wanted: "gadget { 'x': provider => 'brought' }",
        path: "lib/puppet/provider/gadget/brought.rb",
        text: "Puppet::Type.type(:gadget).provide(:brought) do\nend\n",
        other: "# none\n",
        told: ["\"provider\": \"brought\"", "no parameter named 'provider'", ""],
        ..PLAIN
    },
    Brought {
        what: "a library that Ruby requires",
        wanted: "notify { kit::wanting(): }",
        beside: Some(WANTING),
        path: "lib/extra/words.rb",
        text: "module Extra\n  WORDS = 'it is here'\nend\n",
        other: "module Extra\n  WORDS = 'another one'\nend\n",
        told: ["it is here", "cannot load such file -- extra/words", "another one"],
    },
];

fn named(name: String) -> &'static str {
    name.leak()
}

impl Brought {
    fn kinds(&self) -> Vec<Kind> {
        if self.what == DATA {
            return self.kinds_of_data();
        }
        let (here, before) = (format!("modules/extra/{}", self.path), format!("site/extra/{}", self.path));
        let [with, without, other] = self.told;
        let mut kinds = vec![
            self.wanted(kind(named(format!("a module arrives with {}", self.what))))
                .edit(write(&here, self.text))
                .says("db1", with),
            self.wanted(kind(named(format!("a module goes with {}", self.what))))
                .before(write(&here, self.text))
                .edit(remove("modules/extra"))
                .says("db1", without),
        ];
        if !other.is_empty() {
            let shadows = self.wanted(kind(named(format!("a module shadows one with {}", self.what))));
            kinds.push(shadows.before(write(&here, self.text)).edit(write(&before, self.other)).says("db1", other));
        }
        kinds.into_iter().map(followed).collect()
    }

    fn kinds_of_data(&self) -> Vec<Kind> {
        let hiera = "version: 5\nhierarchy: [{name: all, path: all.yaml}]\n";
        let module = |folder: &str, text: &str| -> Vec<Edit> {
            vec![
                write(&format!("{folder}/extra/hiera.yaml"), hiera),
                write(&format!("{folder}/extra/data/all.yaml"), &format!("extra::brought: {text}\n")),
            ]
        };
        let row = |name: &str| self.wanted(kind(named(format!("a module {name} data of its own"))));
        let arrives = module("modules", "it is here").into_iter().fold(row("arrives with"), Kind::edit);
        let goes = module("modules", "it is here").into_iter().fold(row("goes with"), Kind::before);
        let shadows = module("modules", "it is here").into_iter().fold(row("shadows one with"), Kind::before);
        let shadows = module("site", "another one").into_iter().fold(shadows, Kind::edit);
        let kinds = [
            arrives.says("db1", "it is here"),
            goes.edit(remove("modules/extra")).says("db1", "nothing brought"),
            shadows.says("db1", "another one"),
        ];
        kinds.into_iter().map(followed).collect()
    }

    fn wanted(&self, kind: Kind) -> Kind {
        let kind = kind.before(replace(DB, "  Notify <<", &format!("  {}\n  Notify <<", self.wanted)));
        match self.beside {
            Some((path, text)) => kind.before(write(path, text)),
            None => kind,
        }
    }
}

/// All nodes are asked, and one of them is told something else; which of its bodies are run is another matter.
fn followed(kind: Kind) -> Kind {
    kind.asks("db1 web1 web2").runs_whatever().changes("db1")
}

fn thing(param: &str) -> String {
    format!("Puppet::Type.newtype(:thing) do\n  newparam(:name, :namevar => true)\n  newparam(:{param})\nend\n")
}

/// What a shadowed module still has.
fn shadowed() -> Vec<Kind> {
    let wanting = |name, wanted: &str| {
        let wanted = format!("  {wanted}\n  Notify <<");
        kind(name).before(replace(DB, "  Notify <<", &wanted)).before(write("site/extra/files/x", ""))
    };
    let older = "Puppet::Parser::Functions.newfunction(:brought, :type => :rvalue) { |args| 'it is here' }\n";
    let newer = "Puppet::Functions.create_function(:brought) do\n  def brought\n    'it is here'\n  end\nend\n";
    vec![
        followed(
            wanting("a shadowed module arrives with a type in Ruby", "thing { 'x': size => 1 }")
                .edit(write("modules/extra/lib/puppet/type/thing.rb", &thing("size"))),
        )
        .says("db1", "\"Thing\""),
        followed(
            wanting("a shadowed module arrives with an older function in Ruby", "notify { brought(): }")
                .edit(write("modules/extra/lib/puppet/parser/functions/brought.rb", older)),
        )
        .says("db1", "it is here"),
        wanting("a shadowed module arrives with a newer function in Ruby", "notify { brought(): }")
            .edit(write("modules/extra/lib/puppet/functions/brought.rb", newer))
            .asks("db1 web1 web2")
            .runs_whatever(),
        // `$LOAD_PATH` has the folders of modules alone: the real one says "cannot load such file".
        wanting("a shadowed module arrives with a library that Ruby requires", "notify { kit::wanting(): }")
            .before(write(WANTING.0, WANTING.1))
            .edit(write("modules/extra/lib/extra/words.rb", "module Extra\n  WORDS = 'it is here'\nend\n"))
            .asks("db1 web1 web2")
            .runs_whatever(),
        kind("a module that shadows one with a type in Ruby leaves the type")
            .before(replace(DB, "  Notify <<", "  thing { 'x': size => 1 }\n  Notify <<"))
            .before(write("modules/extra/lib/puppet/type/thing.rb", &thing("size")))
            .edit(write("site/extra/files/x", ""))
            .asks("db1 web1 web2")
            .runs_whatever(),
        followed(
            kind("a type in Ruby of a shadowed module comes before a defined type")
                .before(replace(DB, "  Notify <<", "  thing { 'x': }\n  Notify <<"))
                .before(write("site/thing/manifests/init.pp", "define thing { notify { 'it is defined': } }"))
                .edit(write("modules/thing/lib/puppet/type/thing.rb", &thing("size"))),
        ),
    ]
}

/// Folders in the module path that are no modules.
fn strays() -> Vec<Kind> {
    let older = "Puppet::Parser::Functions.newfunction(:brought, :type => :rvalue) { |args| 'it is here' }\n";
    vec![
        followed(
            kind("a folder that is no module arrives with a type in Ruby")
                .before(replace(DB, "  Notify <<", "  thing { 'x': size => 1 }\n  Notify <<"))
                .edit(write("modules/bad-name/lib/puppet/type/thing.rb", &thing("size"))),
        )
        .says("db1", "\"Thing\""),
        followed(
            kind("a folder that is no module goes with a type in Ruby")
                .before(replace(DB, "  Notify <<", "  thing { 'x': size => 1 }\n  Notify <<"))
                .before(write("modules/bad-name/lib/puppet/type/thing.rb", &thing("size")))
                .edit(remove("modules/bad-name")),
        )
        .says("db1", "Unknown resource type: 'thing'"),
        followed(
            kind("a folder that is no module arrives with an older function in Ruby")
                .before(replace(DB, "  Notify <<", "  notify { brought(): }\n  Notify <<"))
                .edit(write("modules/bad-name/lib/puppet/parser/functions/brought.rb", older)),
        )
        .says("db1", "it is here"),
        kind("a folder that is no module gets a type in Ruby")
            .before(replace(DB, "  Notify <<", "  thing { 'x': size => 1 }\n  Notify <<"))
            .before(write("modules/bad-name/README", ""))
            .edit(write("modules/bad-name/lib/puppet/type/thing.rb", &thing("size")))
            .asks("db1 web1 web2")
            .runs_whatever()
            .changes("db1")
            .says("db1", "\"Thing\""),
    ]
}
