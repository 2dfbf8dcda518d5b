node "foo.example.org" { }
