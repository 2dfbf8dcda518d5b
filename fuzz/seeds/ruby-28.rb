"foo.bar"[/\.(\w+)/, 1]
"a.b" =~ /a.b/x
"A" =~ /a/i
"a\nb" =~ /a.b/m
/a/.source
/a#{1 + 1}b/
