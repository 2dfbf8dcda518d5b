function foo(Integer *$a = [1]) { $a }
