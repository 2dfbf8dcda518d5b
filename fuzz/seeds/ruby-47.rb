StringIO.new("").tap { |io| io.printf("%03d|%s", 7, "s") }.string
StringIO.new("äöü, x").write("x", "yy")
StringIO.new("a\nb\n\nc").puts("x")
StringIO.new("x", "r").puts("y")
StringIO.new("x".freeze).write("y")
s = StringIO.new(+"abc", "a"); s.write("d"); s.string
