//! A back end of Hiera that asks a server: from the first error to a run that needs neither server nor Ruby.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};

use super::ruby;
use crate::{Folder, Run};

/// It asks for no library: Puppet has loaded these before any code of a module runs.
const BACK_END: &str = "\
Puppet::Functions.create_function(:'rest::key') do
  dispatch :key do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def key(key, options, context)
    answer = Net::HTTP.get_response(URI(\"#{options['uri']}/v1/#{key}\"))
    return context.not_found if answer.code == '404'

    JSON.parse(answer.body)['data'].merge('digest' => OpenSSL::Digest::SHA256.hexdigest('x')[0, 4])
  end
end
";

/// A server that knows one key, and how often it was asked.
fn server() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let request = lines.next().unwrap().unwrap();
            lines.take_while(|line| line.as_ref().is_ok_and(|line| !line.is_empty())).for_each(drop);
            count.fetch_add(1, Ordering::SeqCst);
            let (status, body) = match request.starts_with("GET /v1/shop::database ") {
                true => ("200 OK", r#"{"data": {"user": "shop", "port": 5432}}"#),
                false => ("404 Not Found", "{}"),
            };
            let length = body.len();
            write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}").unwrap();
        }
    });
    (address, asked)
}

fn repository(uri: &str) -> Folder {
    Folder::with(&[
        ("environment.conf", "modulepath = modules\n"),
        ("modules/rest/lib/puppet/functions/rest/key.rb", BACK_END),
        (
            "modules/shop/manifests/init.pp",
            "class shop (Hash $database, Optional[String] $note = undef) {\n  notify { 'shop': message => \"${database} ${note}\" }\n}\n",
        ),
        ("hiera.yaml", &format!("version: 5\nhierarchy:\n- name: server\n  lookup_key: rest::key\n  uri: {uri}\n")),
        ("manifests/site.pp", "include shop\n"),
        ("facts/web1.json", "{}"),
    ])
}

fn message(run: &Run) -> Value {
    let catalog: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    catalog["resources"].as_array().unwrap().last().unwrap()["parameters"]["message"].clone()
}

#[test]
#[ignore = "needs Ruby; `.ci/run` runs it"]
fn a_back_end_over_the_network_is_recorded_and_then_needs_none() {
    let (uri, asked) = server();
    let folder = repository(&uri);
    let run = |more: &[&str]| folder.run(&[&["compile", "--facts", "facts", "--log-level", "err"], more].concat());
    let without = run(&[]);
    assert!(without.code == Some(1) && without.err.contains("--ruby PATH"), "{}", without.err);
    let ruby = ruby();
    let expected = json!("{user => shop, port => 5432, digest => 2d71} ");
    assert_eq!(message(&run(&["--ruby", &ruby])), expected);
    let recorded = run(&["--ruby", &ruby, "--answers", "answers.json", "--record"]);
    assert_eq!(message(&recorded), expected);
    let written = std::fs::read_to_string(folder.path().join("answers.json")).unwrap();
    let items: Value = serde_json::from_str(&written).unwrap();
    let answer_to = |key: &str| {
        let of = |item: &&Value| item["arguments"] == json!([key, { "uri": uri }]);
        items.as_array().unwrap().iter().find(of).unwrap_or_else(|| panic!("{key}: {written}"))
    };
    assert_eq!(answer_to("shop::database")["answer"]["user"], "shop");
    assert_eq!(answer_to("shop::note")["not_found"], true);
    // What is written down is asked of nobody, and without --record no Ruby is needed.
    let before = asked.load(Ordering::SeqCst);
    assert_eq!(message(&run(&["--answers", "answers.json"])), expected);
    assert_eq!(asked.load(Ordering::SeqCst), before);
}
