//! Catalogs of nodes that collect what others export, patched after edits at random of the bodies that export and collect: whatever
//! is done, it comes to what rounds from nothing come to.

use libtest_mimic::{Failed, Trial};
use pantin::repository::query::PatchRefusal;

use super::exchange::OPTIONS;
use super::random::numbers::Numbers;
use super::state::{Edit, Folder, State};
use super::ways::{self, Warm};

const LIVES: usize = 6;
const STEPS: usize = 30;

const BASE: &str = "modules/base/manifests/init.pp";
const WEB: &str = "modules/web/manifests/init.pp";
const PROXY: &str = "modules/proxy/manifests/init.pp";

/// In the order of the names: two that do nothing of it, two that collect what proxies export, two proxies that collect and export, four
/// nodes that export. Where an edit reaches all of them, what is learnt of the first ones must not be applied to who collects
/// something else.
fn repository() -> State {
    let mut state = State::default();
    let mut put = |path: &str, text: &str| state.edit(&Edit::Write(path.to_owned(), text.as_bytes().to_vec()));
    put("environment.conf", "modulepath = modules\n");
    put("conf/puppet.conf", "");
    put("manifests/site.pp", "include base\nnode default { include \"${facts['role']}\" }\n");
    put(
        BASE,
        "class base {\n  $port = 80\n  file { '/etc/motd': content => 'hello 1' }\n  file { '/etc/issue': mode => '0644' }\n}\n",
    );
    put(
        WEB,
        "class web {\n  $own = 'all 1'\n  file { '/srv': mode => '0755' }\n  @@backend { $trusted['certname']: port => \
         $base::port, tag => 'pool' }\n  notify { \"web ${own}\": }\n}\n",
    );
    put(
        PROXY,
        "class proxy {\n  file { '/etc/proxy': content => 'proxy 1' }\n  Backend <<| tag == 'pool' |>>\n  @@probe { \
         $trusted['certname']: port => 1 }\n}\n",
    );
    put("modules/mon/manifests/init.pp", "class mon {\n  Probe <<| |>>\n  file { '/etc/mon': }\n}\n");
    put("modules/alone/manifests/init.pp", "class alone {\n  file { '/etc/alone': }\n}\n");
    put(
        "modules/backend/manifests/init.pp",
        "define backend($port) {\n  notify { \"backend ${title} ${port}\": }\n  @@probe { \"${trusted['certname']} ${title}\": \
         port => $port }\n}\n",
    );
    put("modules/probe/manifests/init.pp", "define probe($port) {\n  notify { \"probe ${title} ${port}\": }\n}\n");
    for (role, nodes) in [("web", 4), ("proxy", 2), ("mon", 2), ("alone", 2)] {
        for number in 1..=nodes {
            put(&format!("facts/{role}{number}.json"), &format!(r#"{{"role": "{role}", "host": "{role}{number}"}}"#));
        }
    }
    state
}

/// What is put into bodies; `{}` is a number.
const STATEMENTS: [&str; 14] = [
    "file { '/r/{}': mode => '06{}0' }",
    "notify { 'r{}': }",
    "notify { \"of ${facts['host']} {}\": }",
    "@@backend { \"more ${trusted['certname']} {}\": port => {}, tag => 'pool' }",
    "@@backend { \"out ${trusted['certname']} {}\": port => {}, tag => 'out' }",
    "@@file { \"/x/${trusted['certname']}/{}\": mode => '06{}0' }",
    "File <<| title == '/x/web1/{}' |>>",
    "Backend <| title == 'none{}' |>",
    "File <| title == '/srv' |> { owner => 'o{}' }",
    "File { group => 'g{}' }",
    "Backend { tag => 'pool' }",
    "$v{} = {}",
    "notify { \"port ${base::port} {}\": }",
    "package { 'p{}': ensure => '{}' }",
];

fn edit(state: &mut State, numbers: &mut Numbers) -> String {
    let path = numbers.pick(&[BASE, WEB, PROXY, "modules/mon/manifests/init.pp", "modules/backend/manifests/init.pp"]);
    let mut lines: Vec<String> = state.text(path).unwrap_or_default().lines().map(str::to_owned).collect();
    let at = 1 + numbers.below(lines.len() - 1);
    match numbers.below(7) {
        0 if lines.len() > 4 => drop(lines.remove(at.min(lines.len() - 2))),
        1 => lines.insert(at, String::new()),
        2 | 3 => {
            let line = &mut lines[at];
            *line = line.replace("80", "81").replace(" 1'", " 2'").replace("06", "07").replace("'0644'", "'0600'");
        }
        _ => lines.insert(at, numbers.pick(&STATEMENTS).replace("{}", &numbers.below(4).to_string())),
    }
    let text = lines.join("\n") + "\n";
    state.edit(&Edit::Write(path.to_owned(), text.clone().into_bytes()));
    format!("{path}:\n{text}")
}

pub(crate) fn trials() -> [Trial; 2] {
    [
        Trial::test("exchange: patched after edits at random", at_random),
        Trial::test("exchange: an edit of all nodes that changes what some collect", of_all),
    ]
}

/// What is learnt of the nodes that collect what they did must not be applied to those that collect something else now.
fn of_all() -> Result<(), Failed> {
    let mut state = repository();
    let mut folder = Folder::of(&state);
    // One after the other, in the order of the names.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut warm = Warm::new("patched", OPTIONS, &folder.path()).in_parallel();
    alone.install(|| warm.answers()).map_err(|reason| reason.to_string())?;
    let (mut patched, mut collecting) = (Vec::new(), Vec::new());
    for (old, new) in [("$port = 80", "$port = 81"), ("hello 1", "hello 2")] {
        state.edit(&Edit::Replace { path: BASE.to_owned(), old: old.to_owned(), new: new.to_owned() });
        folder.become_state(&state);
        let (answers, remarks) = alone.install(|| warm.answers()).map_err(|reason| reason.to_string())?;
        if ways::told(&answers, &remarks) != ways::afresh(OPTIONS, &folder.path()) {
            return Err(format!("{new}: not what is right").into());
        }
        let anew = answers.iter().filter(|answer| answer.not_patched == Some(PatchRefusal::ExportsChanged));
        collecting.push(anew.map(|answer| answer.node.to_string()).collect::<Vec<_>>().join(" "));
        let names = answers.iter().filter(|answer| answer.is_patched()).map(|answer| answer.node.to_string());
        patched.push(names.collect::<Vec<_>>().join(" "));
    }
    // The second edit changes nothing that is exported.
    assert_eq!(patched[0], "alone2");
    assert_eq!(collecting, ["mon1 mon2 proxy1 proxy2", ""]);
    assert_eq!(patched[1], "alone2 mon2 proxy1 proxy2 web1 web2 web3 web4");
    Ok(())
}

fn at_random() -> Result<(), Failed> {
    let mut numbers = Numbers::new(47);
    let (mut patched, mut new) = (0, 0);
    for _ in 0..LIVES {
        let mut state = repository();
        let mut good = state.clone();
        let mut folder = Folder::of(&state);
        let mut warm = Warm::new("patched", OPTIONS, &folder.path()).in_parallel();
        let mut last = warm.answers().map_err(|reason| reason.to_string())?.0;
        for _ in 0..STEPS {
            let what = edit(&mut state, &mut numbers);
            folder.become_state(&state);
            let (answers, remarks) = warm.answers().map_err(|reason| format!("{reason}\n{what}"))?;
            let (told, right) = (ways::told(&answers, &remarks), ways::afresh(OPTIONS, &folder.path()));
            if told.len() != right.len() {
                return Err(format!("{} of {} are told\n{what}", told.len(), right.len()).into());
            }
            for ((node, told), (_, right)) in told.iter().zip(&right) {
                if told != right {
                    let differing = told.lines().zip(right.lines()).find(|(told, right)| told != right);
                    return Err(format!("{node} is not told what is right: {differing:?}\n{what}").into());
                }
            }
            let is_new = |answer: &&std::sync::Arc<_>| !last.iter().any(|old| std::sync::Arc::ptr_eq(old, answer));
            new += answers.iter().filter(is_new).count();
            patched += answers.iter().filter(is_new).filter(|answer| answer.is_patched()).count();
            match answers.iter().any(|answer| answer.result.is_err()) {
                true => state = good.clone(),
                false => good = state.clone(),
            }
            last = answers;
        }
    }
    println!("{patched} of {new} patched");
    if patched * 10 < new { Err(format!("{patched} of {new} patched").into()) } else { Ok(()) }
}
