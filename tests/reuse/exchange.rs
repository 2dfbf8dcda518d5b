//! Nodes that collect what the others export: after each edit they are told what rounds from nothing would tell them, and
//! who has nothing to do with the edit is not asked.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use pantin::repository::query::Answer;

use super::ways::{self, Options, Warm};

pub(crate) const OPTIONS: Options =
    Options(&["--environment-dir", "{}", "--facts", "{}/facts", "--confdir", "{}/conf", "--exported", "fleet"]);

/// `lb` collects what backends export, `mon` what `lb` exports for having collected it, and `alone` nothing.
const SITE: &str = "define backend($port) {
  notify { \"backend ${title} ${port}\": }
  @@probe { \"${trusted['certname']} ${title}\": port => $port }
}
define probe($port) { notify { \"probe ${title} ${port}\": } }
case $facts['role'] {
  'web': { @@backend { $trusted['certname']: port => $facts['port'], tag => $facts['pool'] } }
  'lb': { Backend <<| tag == 'pool' |>> }
  'mon': { Probe <<| |>> }
  default: { notify { \"alone ${facts['port']}\": } }
}
";

fn web(port: u32, pool: &str) -> String {
    format!(r#"{{"role": "web", "port": {port}, "pool": "{pool}"}}"#)
}

/// An edit, its file and what that says then (nothing: it is deleted), and who is told something else or anew.
fn edits() -> Vec<(&'static str, &'static str, Option<String>, &'static str)> {
    vec![
        ("an exporter's parameter", "facts/web1.json", Some(web(81, "pool")), "lb mon web1"),
        ("an exporter that leaves the query", "facts/web1.json", Some(web(81, "other")), "lb mon web1"),
        ("what nobody collects", "facts/web1.json", Some(web(82, "other")), "lb web1"),
        ("an exporter that comes back", "facts/web1.json", Some(web(81, "pool")), "lb mon web1"),
        ("a new exporter", "facts/web3.json", Some(web(83, "pool")), "lb mon web3"),
        ("an exporter that goes", "facts/web3.json", None, "lb mon"),
        ("a node apart", "facts/alone.json", Some(r#"{"port": 7}"#.to_owned()), "alone"),
        ("a collector that does not collect", "facts/lb.json", Some(r#"{"role": "none"}"#.to_owned()), "lb mon"),
        ("a collector again", "facts/lb.json", Some(r#"{"role": "lb"}"#.to_owned()), "lb mon"),
        ("an error", "manifests/site.pp", Some(format!("{SITE}fail('no')\n")), "alone lb mon web1 web2"),
        ("and its end", "manifests/site.pp", Some(SITE.to_owned()), "alone lb mon web1 web2"),
        ("lines alone", "manifests/site.pp", Some(format!("# more\n{SITE}")), "alone lb mon web1 web2"),
    ]
}

pub(crate) fn trial() -> Trial {
    Trial::test("exchange: an edit to an exporter reaches its collectors", run)
}

fn run() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/")))?;
        fs::write(path, text)
    };
    write("environment.conf", "modulepath = modules\n")?;
    write("conf/puppet.conf", "")?;
    write("manifests/site.pp", SITE)?;
    for (name, facts) in [("alone", "{}"), ("lb", r#"{"role": "lb"}"#), ("mon", r#"{"role": "mon"}"#)] {
        write(&format!("facts/{name}.json"), facts)?;
    }
    write("facts/web1.json", &web(80, "pool"))?;
    write("facts/web2.json", &web(80, "pool"))?;
    let mut warm = Warm::new("warm", OPTIONS, folder.path()).in_parallel();
    let mut last = check(&mut warm, folder.path(), "at first")?;
    for (name, file, text, expected) in edits() {
        match text {
            Some(text) => write(file, &text)?,
            None => fs::remove_file(folder.path().join(file))?,
        }
        let now = check(&mut warm, folder.path(), name)?;
        let is_known = |answer: &&Arc<Answer>| !last.iter().any(|before| Arc::ptr_eq(before, answer));
        let asked: Vec<&str> = now.iter().filter(is_known).map(|answer| answer.node.as_str()).collect();
        if asked.join(" ") != expected {
            return Err(format!("{name}: asked {asked:?}, not {expected}").into());
        }
        last = now;
    }
    Ok(())
}

/// What is told is what is told afresh.
fn check(warm: &mut Warm, folder: &Path, when: &str) -> Result<Vec<Arc<Answer>>, Failed> {
    let (answers, remarks) = warm.answers().map_err(|reason| format!("{when}: {reason}"))?;
    let (told, right) = (ways::told(&answers, &remarks), ways::afresh(OPTIONS, folder));
    match told.iter().zip(&right).find(|(one, other)| one != other) {
        Some((told, right)) => Err(format!("{when}: {}\n{}\n{}", told.0, told.1, right.1).into()),
        None if told.len() != right.len() => Err(format!("{when}: {} of {}", told.len(), right.len()).into()),
        None => Ok(answers),
    }
}
