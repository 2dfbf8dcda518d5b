class MyError < StandardError; def message; "mine"; end; end; begin; raise MyError; rescue => e; [e.class, e.message]; end
class MyError2 < StandardError; end; begin; raise MyError2, "given"; rescue StandardError => e; e.inspect; end
raise ArgumentError
raise Class
raise "plain"
nil.foo
