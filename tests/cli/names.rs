//! Names that Ruby code of modules would look up: refused, answered from a file, or looked up where a person has that recorded.

use serde_json::{Value, json};

use crate::ruby_function::{compile, message, repository};

#[test]
fn a_name_is_an_error_that_says_what_to_write_down() {
    for (code, asked) in [
        (
            "Resolv.getaddress('a.example.org')",
            r#"{"function": "Resolv.getaddresses", "arguments": ["a.example.org"], "answer": ["192.0.2.1"]}"#,
        ),
        (
            "Resolv.getname('192.0.2.9')",
            r#"{"function": "Resolv.getnames", "arguments": ["192.0.2.9"], "answer": ["host.example.org"]}"#,
        ),
        (
            "Resolv::DNS.new(nameserver: ['192.0.2.53'], ndots: 1).getaddress('a')",
            r#"{"function": "Resolv::DNS#getaddresses", "arguments": ["a", {"nameserver": ["192.0.2.53"], "ndots": 1}], "answer": ["192.0.2.1"]}"#,
        ),
        (
            "Resolv::DNS.open { |dns| dns.getresource('b', Resolv::DNS::Resource::IN::MX) }",
            r#"{"function": "Resolv::DNS#getresources", "arguments": ["b", "MX"], "answer": [{"preference": 10, "exchange": "mail.example.org"}]}"#,
        ),
        (
            "IPSocket.getaddress('c')",
            r#"{"function": "Addrinfo.getaddrinfo", "arguments": ["c"], "answer": ["192.0.2.1"]}"#,
        ),
        ("Addrinfo.ip('c')", r#"{"function": "Addrinfo.getaddrinfo", "arguments": ["c"], "answer": ["192.0.2.1"]}"#),
    ] {
        let folder = repository(&format!("{code}\n  rescue Exception\n    'rescued'"));
        let run = compile(&folder, &[]);
        let error = format!(
            "names are not looked up here; --answers FILE says what is found, as {asked}, and with --record it is looked up \
             and kept there (file: {}/modules/m/lib/puppet/functions/m/run.rb, line: 3)",
            folder.real_path()
        );
        assert!(run.err.contains(&error) && run.code == Some(1), "{code}: {}", run.err);
    }
}

#[test]
fn what_is_found_is_taken_from_the_file() {
    let of = |function: &str, arguments: Value, answer: Value| json!({ "function": function, "arguments": arguments, "answer": answer });
    let answers = json!([
        of("Resolv.getaddresses", json!(["a"]), json!(["192.0.2.1", "2001:db8::1"])),
        of("Resolv.getaddresses", json!(["none"]), json!([])),
        of("Resolv.getaddresses", json!(["hosts"]), json!([{ "bytes": "192.0.2.8" }])),
        of("Resolv.getnames", json!(["192.0.2.1"]), json!(["a.example.org"])),
        of("Resolv::DNS#getaddresses", json!(["a"]), json!(["192.0.2.2"])),
        of("Resolv::DNS#getaddresses", json!(["a", { "nameserver": "192.0.2.53" }]), json!(["192.0.2.3"])),
        of("Resolv::DNS#getnames", json!(["192.0.2.1"]), json!(["b.example.org"])),
        of("Resolv::DNS#getresources", json!(["a", "A"]), json!(["192.0.2.4", { "address": "192.0.2.5", "ttl": 60 }])),
        of("Resolv::DNS#getresources", json!(["a", "TXT"]), json!([["one", "two"], "three"])),
        of("Resolv::DNS#getresources", json!(["a", "NS"]), json!([])),
        of(
            "Resolv::DNS#getresources",
            json!(["a", "SRV"]),
            json!([{ "priority": 1, "weight": 2, "port": 3, "target": "s.example.org" }]),
        ),
        of("Addrinfo.getaddrinfo", json!(["a"]), json!(["192.0.2.6", "2001:db8::6"])),
        of("Addrinfo.getaddrinfo", json!(["none"]), json!([])),
    ]);
    let records = |kind: &str| format!("Resolv::DNS.new.getresources('a', Resolv::DNS::Resource::IN::{kind})");
    for (code, expected) in [
        ("[Resolv.getaddress('a'), Resolv.getaddresses('none')]", json!(["192.0.2.1", []])),
        ("found = []; Resolv.each_address('a') { |one| found << one }; found", json!(["192.0.2.1", "2001:db8::1"])),
        (
            "begin; Resolv.getaddress('none'); rescue Resolv::ResolvError => e; e.message; end",
            json!("no address for none"),
        ),
        ("'x' + Resolv.getname('192.0.2.1')", json!("xa.example.org")),
        ("Resolv.getname('192.0.2.1')", json!({ "__ptype": "Binary", "__pvalue": "YS5leGFtcGxlLm9yZw==" })),
        ("Resolv.getaddress('hosts')", json!({ "__ptype": "Binary", "__pvalue": "MTkyLjAuMi44" })),
        ("Resolv::DNS.open { |dns| dns.getaddress('a').to_s }", json!("192.0.2.2")),
        ("Resolv::DNS.new(nameserver: '192.0.2.53').getaddresses('a').map(&:to_s)", json!(["192.0.2.3"])),
        ("Resolv::DNS.new.getname('192.0.2.1').to_s.encoding.to_s", json!("ASCII-8BIT")),
        (&format!("{}.map {{ |one| one.address.to_s }}", records("A")), json!(["192.0.2.4", "192.0.2.5"])),
        (&format!("{}.last.ttl", records("A")), json!(60)),
        (
            &format!("{}.map {{ |one| [one.strings.size, 'x' + one.data] }}", records("TXT")),
            json!([[2, "xonetwo"], [1, "xthree"]]),
        ),
        (
            &format!("{}.map {{ |one| [one.priority, one.weight, one.port, 'x' + one.target.to_s] }}", records("SRV")),
            json!([[1, 2, 3, "xs.example.org"]]),
        ),
        (
            "begin; Resolv::DNS.new.getresource('a', Resolv::DNS::Resource::IN::NS); rescue Resolv::ResolvError => e; e.message; end",
            json!("DNS result has no information for a"),
        ),
        ("[IPSocket.getaddress('a'), Addrinfo.ip('a').ip_address]", json!(["192.0.2.6", "192.0.2.6"])),
        ("Socket.gethostbyname('a')[3].unpack('C4')", json!([192, 0, 2, 6])),
        ("Addrinfo.getaddrinfo('a', nil, :INET6, :STREAM).map(&:ip_address)", json!(["2001:db8::6"])),
        (
            "begin; IPSocket.getaddress('none'); rescue SocketError => e; e.message; end",
            json!("getaddrinfo: Name or service not known"),
        ),
    ] {
        let folder = repository(code);
        folder.write("answers.json", answers.to_string());
        let run = compile(&folder, &["--answers", "answers.json"]);
        assert_eq!(message(&run), expected, "{code}");
    }
}

#[test]
fn what_is_written_down_in_another_shape_is_an_error() {
    for (answer, error) in [
        (json!("192.0.2.1"), "the recorded answer to Resolv::DNS#getresources(\"a\", \"MX\") is no array"),
        (json!(["mail"]), "the recorded answer \"mail\" to a look-up of MX has no \"preference\""),
        (
            json!([{ "preference": "x", "exchange": "mail" }]),
            "a recorded answer to the look-up of a name has \"x\" for a number",
        ),
        (
            json!([{ "preference": 1 }]),
            "the recorded answer {\"preference\": 1} to a look-up of MX has no \"exchange\"",
        ),
    ] {
        let folder = repository("Resolv::DNS.new.getresource('a', Resolv::DNS::Resource::IN::MX).preference");
        let answers = json!([{ "function": "Resolv::DNS#getresources", "arguments": ["a", "MX"], "answer": answer }]);
        folder.write("answers.json", answers.to_string());
        let run = compile(&folder, &["--answers", "answers.json"]);
        assert!(run.err.contains(error) && run.err.contains("run.rb, line: 3"), "{error}: {}", run.err);
    }
}

/// A server that knows one address, and is asked once.
#[test]
fn names_are_looked_up_and_kept_where_a_person_records_them() {
    let server = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    let answering = std::thread::spawn(move || {
        let mut bytes = [0; 512];
        let (length, from) = server.recv_from(&mut bytes).unwrap();
        let mut reply = bytes[..length].to_vec();
        // A reply with one record: the name of the question, A, IN, a minute, four bytes.
        (reply[2], reply[3], reply[7]) = (0x81, 0x80, 1);
        reply.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
        server.send_to(&reply, from).unwrap();
    });
    let folder = repository(&format!(
        "dns = Resolv::DNS.new(nameserver_port: [['127.0.0.1', {port}]], search: [])\n    \
         [dns.getresources('www.example.org', Resolv::DNS::Resource::IN::A).map {{ |one| one.address.to_s }}, \
         IPSocket.getaddress('127.0.0.1')]"
    ));
    let run = compile(&folder, &["--answers", "answers.json", "--record"]);
    let expected = json!([["192.0.2.7"], "127.0.0.1"]);
    assert_eq!(message(&run), expected, "{}", run.err);
    answering.join().unwrap();
    let kept: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("answers.json")).unwrap()).unwrap();
    let config = json!({ "nameserver_port": [["127.0.0.1", port]], "search": [] });
    let arguments = json!(["www.example.org", "A", config]);
    let answer = json!({ "function": "Resolv::DNS#getresources", "arguments": arguments, "answer": ["192.0.2.7"] });
    assert_eq!(kept, json!([answer]));
    assert_eq!(message(&compile(&folder, &["--answers", "answers.json"])), expected);
}

/// An answer of the store is one of the answers that it was made from.
#[test]
fn another_answer_is_another_catalog() {
    let folder = repository("Resolv.getaddress('a')");
    for address in ["192.0.2.1", "192.0.2.1", "192.0.2.2"] {
        let answers = json!([{ "function": "Resolv.getaddresses", "arguments": ["a"], "answer": [address] }]);
        folder.write("answers.json", answers.to_string());
        let run =
            folder.run(&["compile", "a", "--log-level", "err", "--answers", "answers.json", "--cache-dir", "cache"]);
        assert_eq!(message(&run), json!(address), "{}", run.err);
    }
}
