type Foo = Integer(1)
