//! `pantin compat`: what the modules of a control repository have in Ruby, and whether it runs here.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use pantin_compile::compat::{Part, PartKind, Support, UnsupportedPlace};
use pantin_repository::options::OpenError;
use pantin_world::Surroundings;
use pantin_world::modules::modules_in;
use serde_json::{Value as Json, json};

use super::Exit;
use super::args::world::WorldArguments;
use super::print::console_log::{ConsoleLog, LogArguments};
use super::print::printable::{escaped_json, printable};

/// Tell which functions, templates and types of modules run without Ruby
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pantin compat
  pantin compat path/to/control-repo --format json
  pantin compat /etc/puppetlabs/code/modules --all

Of each module: how many of its functions, templates and types that are written in Ruby are known natively, how many \
the small Ruby runs, how many functions need the bridge to a Ruby of one's own (--ruby of the commands that \
compile), and how many have something in them that would fail even so; with file and line. A type is read as for a \
catalog; of functions and templates the text is looked at, and that of the files they require: a place that is never \
reached fails nobody. Providers and custom facts, which agents run, are not looked at.
With --format json: {parts: [{module, kind, name, file, how, failing: [{file, line, what}]}], summary}.
Exit codes:
  0  nothing would fail
  1  something would, or needs the bridge; or there are no modules, or they cannot be read
  2  wrong usage, or the output could not be written")]
pub(super) struct Arguments {
    /// A control repository, or a folder of modules [default: the control repository around the current folder]
    #[arg(value_name = "PATH", conflicts_with = "environment_dir")]
    path: Option<PathBuf>,

    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Form,

    /// Name every part, not only those that would fail
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    log: LogArguments,

    #[command(flatten)]
    world: WorldArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Form {
    /// A table, and what would fail
    Text,
    /// One JSON object
    Json,
}

pub(super) fn run(arguments: &Arguments, surroundings: &Surroundings) -> io::Result<Exit> {
    let console = arguments.log.console(surroundings, "<code>").with_all_to_err();
    let parts = match arguments.parts(&console) {
        Ok(parts) => parts,
        Err(refused) => return Ok(console.refuse(refused)),
    };
    let text = match arguments.format {
        Form::Json => escaped_json(as_json(&parts).to_string()),
        Form::Text => as_text(&parts, arguments.all),
    };
    console.print(text.trim_end())?;
    let fails = parts.iter().any(|part| !part.how.failing().is_empty());
    Ok(if fails { Exit::Rejected } else { Exit::Accepted })
}

impl Arguments {
    fn parts(&self, console: &ConsoleLog) -> Result<Vec<Part>, OpenError> {
        let world = self.world.world_at(self.path.as_deref())?;
        let loaded = world.environment(&world.environment)?;
        let paths = &loaded.environment.modulepath;
        let (listing, _) = modules_in(
            &*world.disk,
            loaded.environment.module.as_ref(),
            paths,
            world.settings.strict()?,
            world.settings.language(),
        )?;
        if listing.modules.is_empty() {
            let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            return Err(OpenError::Failed(format!("there is no module in {}", paths.join(", "))));
        }
        let ready = world.ready(&loaded.environment)?;
        for remarks in [&world.remarks, &loaded.remarks, &ready.remarks, &ready.own_remarks] {
            console.remarks(remarks);
        }
        Ok(ready.site.compat())
    }
}

/// How many parts of one kind came out in which way.
#[derive(Clone, Copy, Default)]
struct Count {
    native: usize,
    ruby: usize,
    bridge: usize,
    fail: usize,
}

impl Count {
    fn add(&mut self, how: &Support) {
        match how {
            Support::Native => self.native += 1,
            Support::Ruby => self.ruby += 1,
            Support::Bridge(_) => self.bridge += 1,
            Support::Fails(_) => self.fail += 1,
        }
    }

    /// Each number with its word, and what that means.
    fn named(self) -> impl Iterator<Item = (usize, &'static str, &'static str)> {
        [
            (self.native, "native", "Pantin has it itself"),
            (self.ruby, "ruby", "its small Ruby runs it"),
            (self.bridge, "bridge", "a Ruby of your own runs it (--ruby)"),
            (self.fail, "fail", "nothing runs it"),
        ]
        .into_iter()
    }

    fn text(self) -> String {
        let there = self.named().filter(|(count, ..)| *count > 0).map(|(count, name, _)| format!("{count} {name}"));
        let there: Vec<String> = there.collect();
        if there.is_empty() { "-".to_owned() } else { there.join(", ") }
    }

    fn json(self) -> Json {
        json!({ "native": self.native, "ruby": self.ruby, "bridge": self.bridge, "fail": self.fail })
    }
}

const KINDS: [PartKind; 4] = [PartKind::Function, PartKind::Template, PartKind::Type, PartKind::DataType];

fn counts<'p>(parts: impl Iterator<Item = &'p Part>) -> BTreeMap<PartKind, Count> {
    let mut counts: BTreeMap<PartKind, Count> = KINDS.iter().map(|kind| (*kind, Count::default())).collect();
    for part in parts {
        counts.entry(part.kind).or_default().add(&part.how);
    }
    counts
}

fn as_text(parts: &[Part], all: bool) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    if all {
        for part in parts {
            let how = name_of(&part.how);
            let _ = writeln!(text, "{how:<7} {} {} ({})", part.kind.name(), part.name, part.file.display());
        }
        text.push('\n');
    }
    let mut rows: Vec<[String; 5]> =
        vec![["MODULE", "FUNCTIONS", "TEMPLATES", "TYPES", "DATA TYPES"].map(str::to_owned)];
    let mut modules: Vec<&str> = parts.iter().map(|part| part.module.as_str()).collect();
    modules.dedup();
    for module in modules {
        rows.push(row(module, parts.iter().filter(|part| part.module == module)));
    }
    rows.push(row("(all)", parts.iter()));
    text.push_str(&table(&rows));
    text.push_str(&legend(parts));
    for part in parts.iter().filter(|part| !part.how.failing().is_empty()) {
        let needs = if matches!(part.how, Support::Bridge(_)) { " needs the bridge (--ruby)" } else { "" };
        let _ = writeln!(text, "\n{} {}{needs}", part.kind.name(), part.name);
        for one in part.how.failing() {
            let _ = writeln!(text, "  {}: {}", place(one), printable(&one.what));
        }
    }
    text
}

/// Says what the words of the table mean, as far as they stand in it.
fn legend(parts: &[Part]) -> String {
    let mut all = Count::default();
    parts.iter().for_each(|part| all.add(&part.how));
    let told = all.named().filter(|(count, ..)| *count > 0).map(|(_, word, meaning)| format!("{word}: {meaning}"));
    let told: Vec<String> = told.collect();
    if told.is_empty() { String::new() } else { format!("\n{}\n", told.join("; ")) }
}

fn row<'p>(module: &str, parts: impl Iterator<Item = &'p Part>) -> [String; 5] {
    let counts = counts(parts);
    let of = |kind: PartKind| counts.get(&kind).copied().unwrap_or_default().text();
    let [function, template, of_resources, of_data] = KINDS.map(of);
    [module.to_owned(), function, template, of_resources, of_data]
}

/// Columns as wide as what stands in them.
fn table(rows: &[[String; 5]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or_default();
    let widths = [0, 1, 2, 3, 4].map(width);
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn name_of(how: &Support) -> &'static str {
    match how {
        Support::Native => "native",
        Support::Ruby => "ruby",
        Support::Bridge(_) => "bridge",
        Support::Fails(_) => "fails",
    }
}

fn place(failing: &UnsupportedPlace) -> String {
    let file = Path::new(&failing.file).display();
    failing.line.map_or_else(|| file.to_string(), |line| format!("{file}:{line}"))
}

fn as_json(parts: &[Part]) -> Json {
    let part = |part: &Part| {
        let failing: Vec<Json> = part
            .how
            .failing()
            .iter()
            .map(|one| json!({ "file": one.file, "line": one.line, "what": one.what }))
            .collect();
        json!({
            "module": part.module,
            "kind": part.kind.name(),
            "name": part.name,
            "file": part.file,
            "how": name_of(&part.how),
            "failing": failing,
        })
    };
    let summary = counts(parts.iter());
    let summary: serde_json::Map<String, Json> =
        summary.iter().map(|(kind, count)| (kind.name().to_owned(), count.json())).collect();
    json!({ "parts": parts.iter().map(part).collect::<Vec<_>>(), "summary": summary })
}
