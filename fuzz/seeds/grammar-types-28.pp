type Runtime[ruby, 'Foo::Bar'] = Foo::Bar
