//! The HTML pages in a real browser, without a screen. Where there is no Chromium, a message says so and nothing is tested.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::diff::{commit, replace, repository};
use crate::{Folder, finish};

fn chromium() -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = found.into_iter().find(|path| path.is_file());
    if found.is_none() {
        eprintln!("skipped: no Chromium is installed, and the page was opened in no browser");
    }
    found
}

/// What a script returns that is run in the page once that is there. `None`: there is no browser.
fn run_in_page(folder: &Folder, page: &str, script: &str) -> Option<Value> {
    let browser = chromium()?;
    let driver = format!(
        "<script>(() => {{ let result; try {{ result = (() => {{ {script} }})(); }} catch (error) {{ result = \
         {{ error: String(error) }}; }} const place = document.createElement(\"pre\"); place.id = \"result\"; \
         place.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(result)))); document.body.append(place); \
         }})();</script></body>"
    );
    let (before, after) = page.rsplit_once("</body>").unwrap();
    let file = folder.path().join("page.html");
    fs::write(&file, format!("{before}{driver}{after}")).unwrap();
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP * ~NOTFOUND",
    ]);
    command.arg(format!("--user-data-dir={}", folder.path().join("browser").display())).arg("--dump-dom").arg(&file);
    let run = finish(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let result = run.out.split("<pre id=\"result\">").nth(1).and_then(|rest| rest.split('<').next());
    let result = result.unwrap_or_else(|| panic!("the page says nothing: {}{}", run.out, run.err));
    Some(serde_json::from_slice(&decoded(result)).unwrap())
}

/// Base64.
fn decoded(text: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.trim().trim_end_matches('=').bytes() {
        bits = bits << 6 | alphabet.iter().position(|known| *known == letter).unwrap() as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

fn diff_page(folder: &Folder, more: &[&str]) -> String {
    let run = folder.run(&[&["diff", "--facts", "facts", "--quiet", "--format", "html"], more].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    run.out
}

/// Nothing is fetched from anywhere.
fn assert_is_self_contained(page: &str) {
    for part in [" src=", "<link", "@import", "url(", "fetch(", "XMLHttpRequest", "import("] {
        assert!(!page.contains(part), "{part}");
    }
}

#[test]
fn the_page_of_diff_searches_folds_and_opens() {
    let folder = repository();
    replace(&folder, "data/all.yaml", "hello", "</script><script>document.title = 'broken'</script>");
    replace(&folder, "site/base/files/served", "two", "2");
    replace(&folder, "site/store/manifests/init.pp", "package", "fail('no disk')\n  package");
    let page = diff_page(&folder, &[]);
    assert_is_self_contained(&page);
    let script = r##"
        const all = (wanted, within = document) => [...within.querySelectorAll(wanted)];
        const headings = () => all("section").filter((one) => !one.hidden).map((one) => one.firstChild.textContent);
        const search = (words, node) => {
            document.querySelector("#words").value = words;
            document.querySelector("#node").value = node;
            document.querySelector("#words").dispatchEvent(new Event("input"));
            return { headings: headings(), found: document.querySelector("#found").textContent };
        };
        const item = (title) => all("details").find((one) => one.querySelector("span").textContent === title);
        const open = (title) => {
            const one = item(title);
            one.open = true;
            one.dispatchEvent(new Event("toggle"));
            return one;
        };
        const motd = open("File[/etc/motd]");
        const served = open("File[/etc/served]");
        const names = served.querySelector("button");
        names.click();
        const result = {
            title: document.title,
            verdict: document.querySelector("h1").textContent,
            headings: headings(),
            old: all("td.old", motd).map((cell) => cell.textContent),
            names: all("li", served).map((one) => one.textContent),
            served: all("tr", served).map((row) => all("td", row).map((cell) => cell.textContent)),
            node_states: all("#nodes tbody tr").map((row) => [row.cells[0].textContent, row.cells[1].textContent]),
            value: search("welcome-nowhere", ""),
            file: search("site/store", ""),
            node: search("", "db"),
            both: search("motd", "web"),
            none: search("", ""),
        };
        document.querySelector("#fold").click();
        result.folded = all("details").filter((one) => one.offsetParent !== null).length;
        document.querySelector("#fold").click();
        result.unfolded = all("details").filter((one) => one.offsetParent !== null).length;
        all("section h2")[0].click();
        result.one_folded = all("section.folded").length;
        return result;
    "##;
    let Some(result) = run_in_page(&folder, &page, script) else { return };
    assert_eq!(result["error"], Value::Null, "{result:#}");
    assert_eq!(result["title"], format!("Diff: {}", result["verdict"].as_str().unwrap()));
    let headings =
        json!(["Fails newly 1", "Restarted or run, because something else changes 1", "Changed 3", "Nodes 3"]);
    assert_eq!(result["headings"], headings, "{result:#}");
    assert_eq!(result["old"], json!(["hello from web1", "hello from web2"]), "{result:#}");
    assert_eq!(result["names"], json!(["web1", "web2"]), "{result:#}");
    assert_eq!(result["served"][1], json!(["one", "one"]), "{result:#}");
    assert_eq!(result["served"][2], json!(["two", "2"]), "{result:#}");
    assert_eq!(
        result["node_states"],
        json!([["db", "fails newly"], ["web1", "changed"], ["web2", "changed"]]),
        "{result:#}"
    );
    assert_eq!(result["value"], json!({"headings": ["Nodes 3"], "found": "0 items found"}));
    assert_eq!(result["file"]["headings"], json!(["Fails newly 1", "Nodes 3"]));
    assert_eq!(result["node"]["headings"], json!(["Fails newly 1", "Nodes 1"]));
    assert_eq!(result["both"]["found"], "1 item found", "{result:#}");
    assert_eq!(result["none"]["headings"], headings);
    assert_eq!((&result["folded"], &result["unfolded"], &result["one_folded"]), (&json!(0), &json!(5), &json!(1)));
}

#[test]
fn a_page_of_thousands_makes_what_is_looked_at() {
    let folder = repository();
    let files: String = (0..2000).map(|number| format!("  file {{ '/f/{number}': }}\n")).collect();
    replace(&folder, "site/store/manifests/init.pp", "class store {\n", &format!("class store {{\n{files}"));
    replace(&folder, "data/all.yaml", "hello", "welcome");
    commit(&folder);
    for number in 0..2000 {
        folder.write(&format!("facts/many{number}.json"), r#"{"networking": {"fqdn": "many"}}"#);
    }
    let page = diff_page(&folder, &["HEAD~", "HEAD"]);
    let script = r##"
        const count = () => document.querySelectorAll("*").length;
        const result = { first: count(), nodes: document.querySelectorAll("#nodes tbody tr").length };
        const motd = [...document.querySelectorAll("details")].find((one) => one.innerText.startsWith("File[/etc/motd]"));
        motd.open = true;
        motd.dispatchEvent(new Event("toggle"));
        result.ways = motd.querySelectorAll(".way").length;
        result.motd = motd.querySelector("b").textContent;
        result.others = [...motd.querySelectorAll(".way")].at(-1).querySelector("button").textContent;
        const more = [...document.querySelectorAll("section button")].find((one) => !one.hidden && one.textContent.startsWith("Show"));
        result.more = more.textContent;
        result.shown = document.querySelectorAll("details").length;
        more.click();
        result.then = document.querySelectorAll("details").length;
        return result;
    "##;
    let Some(result) = run_in_page(&folder, &page, script) else { return };
    assert_eq!(result["nodes"], 100, "{result:#}");
    assert_eq!((&result["ways"], &result["motd"]), (&json!(21), &json!("2,003 nodes")), "{result:#}");
    assert_eq!(result["others"], "on 1,983 nodes", "{result:#}");
    assert!(result["first"].as_u64().unwrap() < 3000, "{result:#}");
    assert_eq!(
        (&result["more"], &result["shown"], &result["then"]),
        (&json!("Show 100 of 1,900 more"), &json!(103), &json!(203))
    );
}
