Foo::Bar { a => 1 }
