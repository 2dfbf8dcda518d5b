//! Every manifest and template of the corpus: verdict, messages, tree and the
//! place of every element must be equal.

use pantin::base::Language;
use serde_json::Value;

use super::verdict::{self, Verdict};
use super::{Case, client};

pub(super) fn run(files: &[Case]) -> Result<bool, String> {
    let seven = compare(files, Language::Puppet7)?;
    let eight = compare(files, Language::Puppet8)?;
    Ok(seven && eight)
}

fn compare(files: &[Case], language: Language) -> Result<bool, String> {
    let questions = files.iter().enumerate().map(|(id, case)| verdict::question(id + 1, case, true));
    let replies = client::ask(language, questions)?;
    let (mut accepted, mut different, mut elements) = (0, 0, 0);
    for (case, reply) in files.iter().zip(&replies[1..]) {
        let theirs = verdict::of_oracle(reply);
        let ours = verdict::of_pantin(case, language, true);
        accepted += usize::from(theirs.error.is_none());
        elements += theirs.places.len();
        if ours != theirs {
            different += 1;
            show(case, &ours, &theirs);
        }
    }
    let answered = replies.len() - 1;
    let version = Value::as_str(&replies[0]["puppet"]).unwrap_or_default();
    let packages: std::collections::BTreeSet<_> = files.iter().filter_map(|case| case.name.split('/').next()).collect();
    println!(
        "Puppet {version}: {answered} of {} files of {} packages, {accepted} accepted, {elements} elements; {different} differ",
        files.len(),
        packages.len(),
    );
    Ok(different == 0 && answered == files.len())
}

fn show(case: &Case, ours: &Verdict, theirs: &Verdict) {
    println!("{}", case.name);
    if (&ours.error, &ours.log) != (&theirs.error, &theirs.log) {
        println!("  Puppet: {:?} {:?}\n  Pantin: {:?} {:?}", theirs.error, theirs.log, ours.error, ours.log);
    } else if ours.pn == theirs.pn {
        let first = ours.places.iter().zip(&theirs.places).find(|(ours, theirs)| ours != theirs);
        println!("  the places differ: {first:?}, {} of Pantin, {} of Puppet", ours.places.len(), theirs.places.len());
    } else {
        let (ours, theirs) = (ours.pn.as_deref().unwrap_or(""), theirs.pn.as_deref().unwrap_or(""));
        let same = ours.bytes().zip(theirs.bytes()).take_while(|(a, b)| a == b).count().saturating_sub(40);
        let piece = |text: &str| text.chars().skip(same).take(120).collect::<String>();
        println!("  the trees differ\n  Puppet: …{}\n  Pantin: …{}", piece(theirs), piece(ours));
    }
}
