type Foo = Bar { attributes => { a => Integer } }
