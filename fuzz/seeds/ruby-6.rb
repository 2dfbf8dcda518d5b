"line1\nline2\n".partition(/\d/)
"v1.22.3-rc" =~ /b|W/
"".match(/(\w)(\w)?/)
"abc".match(/(\w)(\w)?/).to_a
"Hello World".match?(/z/)
"a-b-c" * 2
