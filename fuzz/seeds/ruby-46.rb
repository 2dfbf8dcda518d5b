StringIO.new("äöü, x").tap(&:gets).read
StringIO.new("a\nb\n\nc").tap(&:read).read
StringIO.new("one\r\ntwo\r\n").tap(&:read).read(1)
StringIO.new("").tap(&:read).gets
StringIO.new("äöü, x").tap(&:read).eof?
StringIO.new("a\nb\n\nc").tap { |io| io.read; io.rewind }.gets
