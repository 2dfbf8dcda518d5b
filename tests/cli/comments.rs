//! `packaging/comment-report` against a server that speaks the calls of GitHub and GitLab.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use crate::{Folder, Run, finish};

/// Comments of one request, by their ids.
#[derive(Clone, Default)]
pub(crate) struct Server {
    comments: Arc<Mutex<Vec<(u64, String)>>>,
    calls: Arc<Mutex<Vec<String>>>,
}

struct Call {
    line: String,
    token: String,
    body: String,
}

impl Server {
    /// Serves until the process ends; gives where.
    pub(crate) fn start(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server = self.clone();
        thread::spawn(move || listener.incoming().for_each(|stream| server.answer(stream.unwrap())));
        address
    }

    /// The texts of all comments.
    pub(crate) fn comments(&self) -> Vec<String> {
        self.comments.lock().unwrap().iter().map(|(_, body)| body.clone()).collect()
    }

    fn answer(&self, mut stream: TcpStream) {
        let call = read_call(&stream);
        self.calls.lock().unwrap().push(call.line.clone());
        let (status, answer) = match call.token.as_str() {
            "a-token" => self.act(&call),
            _ => (401, json!({"message": "Bad credentials"})),
        };
        // As GitLab writes it.
        let text = answer.to_string().replace('<', "\\u003c").replace('>', "\\u003e");
        let head = format!("HTTP/1.1 {status} x\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", text.len());
        stream.write_all(format!("{head}{text}").as_bytes()).unwrap();
    }

    fn act(&self, call: &Call) -> (u16, Value) {
        let mut comments = self.comments.lock().unwrap();
        let (method, path) = call.line.split_once(' ').unwrap();
        let body = || serde_json::from_str::<Value>(&call.body).unwrap()["body"].as_str().unwrap().to_owned();
        let is_list =
            |path: &str| ["/repos/o/r/issues/7/comments", "/projects/1/merge_requests/7/notes"].contains(&path);
        match (method, path.split_once('?')) {
            ("GET", Some((path, query))) if is_list(path) => {
                let page: usize = query.strip_prefix("per_page=100&page=").unwrap().parse().unwrap();
                let some = comments.iter().skip((page - 1) * 100).take(100);
                let comment = |(id, body): &(u64, String)| json!({"author": {"id": 1, "body": "<!-- pantin diff -->"}, "id": id, "body": body, "tags": [{"id": 2}]});
                (200, some.map(comment).collect())
            }
            ("POST", None) if is_list(path) => {
                let id = 1000 + comments.len() as u64;
                comments.push((id, body()));
                (201, json!({"id": id}))
            }
            ("PATCH" | "PUT", None) => {
                let (list, id) = path.rsplit_once('/').unwrap();
                let known =
                    if method == "PUT" { "/projects/1/merge_requests/7/notes" } else { "/repos/o/r/issues/comments" };
                assert_eq!(list, known);
                let found = comments.iter_mut().find(|(known, _)| known.to_string() == id);
                found.unwrap().1 = body();
                (200, json!({}))
            }
            _ => (404, json!({"message": "Not Found"})),
        }
    }
}

fn read_call(stream: &TcpStream) -> Call {
    let mut reader = BufReader::new(stream);
    let (mut line, mut length, mut token) = (String::new(), 0, String::new());
    reader.read_line(&mut line).unwrap();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).unwrap();
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => token = value.strip_prefix("Bearer ").unwrap().to_owned(),
            "private-token" => token = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let line = line.rsplit_once(" HTTP").unwrap().0.to_owned();
    Call { line, token, body: String::from_utf8(body).unwrap() }
}

fn post(folder: &Folder, report: &str, variables: &[(&str, &str)]) -> Run {
    folder.write("report.md", report);
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging/comment-report"));
    for name in [
        "GITHUB_TOKEN",
        "GITLAB_TOKEN",
        "GITHUB_API_URL",
        "GITHUB_REPOSITORY",
        "PULL_REQUEST",
        "CI_API_V4_URL",
        "http_proxy",
    ] {
        command.env_remove(name);
    }
    command.arg("report.md").current_dir(folder.path()).envs(variables.iter().copied()).env("no_proxy", "127.0.0.1");
    finish(command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

#[test]
fn a_comment_is_posted_once_and_then_updated() {
    let report = "## 🔶 1 of 3 nodes change\n\n```diff\n- \"a\\n\"\ttab <b> é\u{1b}[0m\n```\n";
    let shown = format!("<!-- pantin diff -->\n{}", report.replace('\u{1b}', ""));
    for kind in ["github", "gitlab"] {
        let server = Server::default();
        let address = server.start();
        let variables = match kind {
            "github" => vec![
                ("GITHUB_TOKEN", "a-token"),
                ("GITHUB_API_URL", &*address),
                ("GITHUB_REPOSITORY", "o/r"),
                ("PULL_REQUEST", "7"),
            ],
            _ => vec![
                ("GITLAB_TOKEN", "a-token"),
                ("CI_API_V4_URL", &*address),
                ("CI_PROJECT_ID", "1"),
                ("CI_MERGE_REQUEST_IID", "7"),
            ],
        };
        let folder = Folder::with(&[]);
        // Others have said much, and quote the marker.
        let others: Vec<(u64, String)> =
            (0..150).map(|id| (id, format!("{{\"id\": 5, \"x\": [1]}} said \"<!-- pantin diff -->\" {id}"))).collect();
        server.comments.lock().unwrap().clone_from(&others);
        let first = post(&folder, report, &variables);
        assert_eq!((first.code, first.out.as_str()), (Some(0), "posted a comment\n"), "{kind}: {}", first.err);
        let second = post(&folder, &report.replace("1 of 3", "2 of 3"), &variables);
        assert_eq!((second.code, second.out.as_str()), (Some(0), "updated comment 1150\n"), "{kind}: {}", second.err);
        let comments = server.comments.lock().unwrap().clone();
        assert_eq!(comments[..150], others);
        assert_eq!(comments[150..], [(1150, shown.replace("1 of 3", "2 of 3"))], "{kind}");
        // Another report on the same request has a comment of its own.
        let named = [&variables[..], &[("MARKER", "other")]].concat();
        assert_eq!(post(&folder, report, &named).out, "posted a comment\n");
        let wrong = [&variables[1..], &[(variables[0].0, "another")]].concat();
        let refused = post(&folder, report, &wrong);
        assert!(
            refused.code == Some(1) && refused.err.contains("status 401: {\"message\":\"Bad credentials\"}"),
            "{}",
            refused.err
        );
        assert!(!refused.err.contains("another"), "{}", refused.err);
    }
}

#[test]
fn without_a_token_nothing_is_posted() {
    let run = post(&Folder::with(&[]), "x", &[]);
    assert_eq!(
        (run.code, run.err.as_str()),
        (Some(1), "comment-report: neither GITHUB_TOKEN nor GITLAB_TOKEN is set\n")
    );
}
