StringIO.new("a\nb\n\nc").readlines
StringIO.new("one\r\ntwo\r\n").readlines(chomp: true)
StringIO.new("").each_line.to_a
StringIO.new("äöü, x").each_line(chomp: true).map(&:upcase)
StringIO.new("a\nb\n\nc").getc
StringIO.new("one\r\ntwo\r\n").each_char.to_a
