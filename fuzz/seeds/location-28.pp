type Foo::Bar = Integer
