"lit".frozen?
:s.frozen?
"a".then { |x| x + "b" }
5.tap { |x| x + 1 }
defined?(foo)
defined?(String)
