//! `pantin watch --interactive`, in a terminal.

use crate::Folder;
use crate::terminal::Terminal;
use crate::watch::repository;

const WATCH: [&str; 4] = ["watch", "--facts", "facts", "--interactive"];

fn start(folder: &Folder) -> Terminal {
    Terminal::start(&folder.command(&WATCH), 80, 24)
}

#[test]
fn changes_are_looked_at_with_keys() {
    let folder = repository();
    let mut command = folder.command(&WATCH);
    let terminal = Terminal::start(command.env("NO_COLOR", "1"), 80, 24);
    let first = terminal.shows("3 nodes in ");
    assert!(first.contains("  no changes; edit something") && first.contains("q quit"), "{first}");
    folder.write("data/common.yaml", "port: '8080'\n");
    let page = terminal.shows(">▸~ File[/w]  2 nodes\n");
    assert!(page.starts_with("data/common.yaml · 2 of 3 nodes affected, "), "{page}");
    terminal.press("\r");
    terminal.shows("     content: '80' → '8080'\n");
    terminal.press("/web2");
    terminal.shows("/web2_   Enter keeps");
    terminal.press("\r");
    // Down to the last of its nodes, and into its catalog.
    terminal.press("G\r");
    let page = terminal.shows("catalog of web2\n");
    assert!(page.contains("  File[/w]\n"), "{page}");
    terminal.press("/file\re");
    terminal.shows("content => '8080'");
    // An edit reaches what is looked at, and that first.
    let is_early = || String::from_utf8_lossy(&terminal.bytes()).contains("the other nodes are being asked");
    assert!(!is_early());
    folder.write("data/common.yaml", "port: '8181'\n");
    terminal.shows("content => '8181'");
    assert!(is_early());
    terminal.resize(60, 8);
    let narrow = terminal.shows("↑↓ move  Enter expand  e all  / filter  Esc back  r look ag…");
    assert!(narrow.contains("catalog of web2, with 'file'"), "{narrow}");
    terminal.press("r");
    terminal.shows("nothing has changed since");
    let written = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    let colours = ["\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"];
    assert!(!colours.iter().any(|colour| written.contains(colour)), "a colour");
    terminal.press("q");
    assert_eq!(terminal.end(), (String::new(), Some(0)));
}

#[test]
fn the_terminal_is_given_back_however_it_ends() {
    let folder = repository();
    let ends: [&dyn Fn(&Terminal); 4] = [
        &|terminal| terminal.press("\x03"),
        &|terminal| terminal.kill("-TERM"),
        &|terminal| terminal.kill("-INT"),
        &|terminal| {
            terminal.kill("-HUP");
        },
    ];
    for end in ends {
        let terminal = start(&folder);
        terminal.shows("3 nodes in ");
        assert!(String::from_utf8_lossy(&terminal.bytes()).contains("\x1b[1m"), "no colour");
        end(&terminal);
        assert_eq!(terminal.end(), (String::new(), Some(0)));
    }
    // An error is still there when the view is not.
    let empty = Folder::with(&[("x", "")]);
    let (text, code) = Terminal::start(&empty.command(&["watch", "-i"]), 80, 24).end();
    assert!(text.starts_with("Error: ") && code == Some(1), "{text}");
}

#[test]
fn what_goes_wrong_is_shown_and_goes_on() {
    let folder = repository();
    let terminal = start(&folder);
    terminal.shows("3 nodes in ");
    folder.write("modules/role_db/manifests/init.pp", "class role_db { notify { 'db' } }\n");
    terminal.shows("▸✗ ");
    terminal.press("n");
    terminal.shows(">▸✗ db1  ");
    folder.write("modules/role_db/manifests/init.pp", "class role_db { notify { 'db': } }\n");
    terminal.shows(">▸✓ db1  ");
    terminal.press("\x1b");
    terminal.shows("▸✓ compiles again  1 node");
    terminal.press("q");
    assert_eq!(terminal.end().1, Some(0));
}

#[test]
fn it_needs_a_terminal() {
    let folder = repository();
    let run = folder.run(&WATCH);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("--interactive needs a terminal"), "{}", run.err);
    assert_eq!(folder.run(&["watch", "-i", "--format", "json"]).code, Some(2));
}
