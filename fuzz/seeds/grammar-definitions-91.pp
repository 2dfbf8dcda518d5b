$a = function foo() { 1 }
