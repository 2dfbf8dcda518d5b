//! A small Ruby: as much of the language as templates and functions of modules use, in a sandbox.
//!
//! `parse` has prism read a text, and `lower` makes a compact tree of it, which any thread may share; `interp` runs
//! that tree. `value`, `text` and `table` are Ruby's values; what the built-in classes can do stands in `classes`, one
//! family a file, and what Puppet's own Ruby code offers in `puppet`. `survey` looks at a tree without running it. `erb` makes Ruby code of a template.
//!
//! Nothing of the world is reached but through [`Outside`]: no file, no process, no variable of the environment, no
//! clock. What Ruby has and this has not is an error that names the method, its class, the file and the line; what no
//! Ruby has either is the exception that Ruby would raise.
//!
//! ```text
//! parse.rs, lower/   prism reads a text; its tree becomes a compact one with slots for locals, shared by threads (`code.rs`)
//! erb.rs             a template's text as Ruby code, line by line the same
//! value.rs, text.rs, table.rs   values: what is shared has an identity, texts are UTF-8 or plain bytes, hashes keep their order
//! interp/            the machine: expressions, calls, blocks, classes, exceptions; `view.rs`: containers of the outside
//! classes/           what the built-in classes can do, one family a file, methods in tables; `known_methods.txt`: what Ruby has
//!   packing/, enumerators/, times/, library/   `pack` and `unpack`; lazy ones and those that code makes; times and days; CGI, OpenStruct, Pathname, Singleton, Forwardable
//!   rexml/           XML documents: their nodes, parser, formatters and paths
//!   resolv/            look-ups of names, as recorded answers, and patterns of addresses
//! puppet/            what Puppet's own Ruby code offers: `scope`, the object of a template, `create_function`, `newfunction`,
//!                    `Puppet::Type` and the Resource API, which declare types of resources, `Puppet::DataTypes`
//! survey/            what a text asks for that is not here, found without running it: methods, constants, libraries
//! outside.rs         the trait by which Ruby code gets anything of the world; `border.rs`: values between Puppet and Ruby
//! crypt.rs           passwords as crypt(3) hashes them
//! memory.rs          how much the values of a run take, which is limited; `alone.rs`: code by itself, for tests and fuzzing
//! deep.rs            values in values: how far they are gone through where no step is counted, and how they are let go
//! ```
//!
//! A template that is told the same by all the variables that it looks at gives the same text: that is kept beside its code
//! (`puppet/rendered.rs`), with what was asked (`puppet/recording_outside.rs`), for all nodes of a process. One that does anything else (calls a
//! function, reads a file, says something, changes a variable) is rendered each time. To see whether a text fits, nothing is asked but
//! what the template itself would ask next, so that a trace says the same either way. Texts of `inline_template` are parsed once.
//!
//! The methods of texts that Ruby lets go through what is no UTF-8 are marked in their tables (`by_letters`): while such a one runs,
//! letters that nobody uses stand in for the bytes that are of none (`classes/broken.rs`). So they do for texts in no encoding, and what is made
//! of one is in none, too (`classes/in_bytes.rs`). What prism refuses and Ruby 3.1 does not,
//! `void.rs` knows.
//!
//! A method that Ruby has and the tables have not is an error that no `rescue` sees and that names method, class, file and
//! line; one that Ruby has not either is Ruby's own exception. `known_methods.txt`, which the real Ruby wrote, tells them apart.
//!
//! `File`, `IO` and `Dir` read what stands at an absolute path within a fence (`world::Fence`): the environment, modules and what
//! their folders lead to, the file that a back end of Hiera is given, the folders of Puppet's settings, and what the setting
//! `ruby_reads` or the option `--ruby-reads` adds. Whether a path leads out of it, through whatever links, is a question of the
//! request (`Question::Beyond`), and so is each read, like those of `file()` and `find_file()`: another fence is another answer. What
//! leads out is an error that no `rescue` sees, and that leads over no bridge. A path that is relative to wherever the process
//! stands, and whatever writes or talks to the network, is an error. A command
//! (backticks, `system`, `IO.popen`, `Open3`, `Puppet::Util::Execution`) is a question that is never the same twice (`Question::Command`), as
//! `generate` is: it is answered from the file of `--answers`, run with `--record`, and else an error that no `rescue` sees; with `--ruby`
//! the function is begun anew over the bridge, as with anything that is not here. The look-up of a name (`Resolv`, `IPSocket`,
//! `Socket.gethostbyname`, `Addrinfo`; `classes/resolv`) is answered from that file too (`Question::Recorded`), by the name of what
//! looks it up and its arguments. `SecureRandom`, `rand`, `sample` and `shuffle` ask
//! the request for chance: nothing that depends on it is kept.
//!
//! In the real Puppet a method that a template defines is one of all templates from then on, of whatever node. Here it is one of the
//! template that has it rendered (`puppet/template.rs`): what else there was before is chance.
//!
//! A type of resources is read by running its file: `newtype` and the blocks of its attributes run, with whatever loops, mixins
//! and helper files make them, and `title_patterns` is called once; what comes out is a table of names and patterns
//! (`puppet/type_table.rs`). Words that only an agent asks for (values, defaults, `validate`, `munge`, automatic
//! relationships, features) are heard and forgotten there, and their blocks never run; any other word of Puppet's is an error.
//! Where resources are checked (`puppet/checks`), the file is run once more, values, defaults, `validate` and `munge` are kept, and each
//! resource is made as an agent makes it. Whatever lacks something there, or asks for the machine, is not judged. Where
//! code of the type converts what a title pattern finds (`convert_title`), the file is run again for each title, on the same
//! reads as before, and what that makes of a title is kept with the table. Such code may not log, nor read what was not read
//! before. That a type has providers, and
//! so takes the parameter `provider`, is seen by a call of `provide` in the text of a file of its provider folder, which
//! is not run. A provider that a type declares on the spot is a class without its block (`puppet/provider.rs`). Such a file may
//! list and read the files of modules, and no others.
//!
//! A data type of a module in Ruby (`lib/puppet/datatypes`) is read by running its file: the text of its `interface` is parsed as
//! the braces of a Puppet type, and the rest is that of any object type. With an `implementation` the type remembers its file; a
//! member of an object is then first looked for there, the file run as a library is (`Question::Ruby`), with the attributes as
//! instance variables and readers. `implementation_class`, objects with an `initialize` of their own, and lambdas handed to their
//! functions are errors that say so.
//!
//! A variable is a copy in Ruby's hands. What a template or function changes in place (`@list << x`) is given back before
//! anybody else may look: as an effect, for in the real Puppet a parameter's resource has the same object. Of code that is under way
//! around it that is an error, unless it is a parameter of a class that its own code does not read (`Lambda::is_read`). An argument of a
//! function of the newer kind that is written as a variable, or as a part of one, is that variable (`eval::given`); what else has the
//! same object in the real Puppet, under another name, does not change here. `scope.setvar`
//! keeps the object itself for other Ruby code of the same body, and tells the host what it was when it was set; both are
//! effects like any other, so a replay does them again. A part of a variable changed in place is an error.
//! Facts, and what else is known of the node, are frozen: before anything lent is changed, the request is asked of each variable whether
//! it is fixed (`Question::Fixed`). So is a local that is assigned one of them, and one that is assigned a text in single quotes
//! (`SlotNames::fixed`, which is known when code is lowered): a value itself does not say whether it is frozen.
//!
//! `Facter` is no fact of a node: a server tells there of itself. In templates and functions it is an error that says so. A
//! file that declares a type may ask it (firewall does): it is run for two made-up servers, Debian 12 and Red Hat 9, and has
//! to declare the same for both.

mod alone;
mod border;
mod class;
mod classes;
mod code;
pub mod crypt;
mod deep;
mod des_crypt;
mod erb;
mod error;
mod interp;
mod lower;
mod memory;
mod native;
mod outside;
mod parse;
mod path_texts;
mod puppet;
mod stop;
mod survey;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod user_ruby;
mod value;
mod void;

pub use alone::{Bounds, Nowhere, evaluate};
pub use classes::is_built_in_library;
pub use code::{MethodPlace, Script};
pub use erb::{TemplateFault, check_template, inline_template, template};
pub use error::{Around, RaisedException, RubyError};
pub use outside::{CallForm, HeldValue, Outside, OutsideVariable, Place, RubyPlace, Trouble, TroubleKind};
pub use parse::SyntaxError;
pub use path_texts::ScriptPath;
pub use puppet::is_older_function;
pub use puppet::{
    CheckedResource, DataType, Declaration, DeclaredBlock, DeclaredParam, Dispatch, FunctionFile, RubySignature,
    TypeChecker, TypeFile, call_function, call_member, convert_title, data_type, declaration, load_error, render,
    type_table, wrong_count,
};
pub use survey::{DefinedNames, KnownNames, Lack, RequiredFile, Role, Survey};
pub use user_ruby::{OwnRuby, RubyBlock};
