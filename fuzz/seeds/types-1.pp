$a = [String, Foo_Bar2]
