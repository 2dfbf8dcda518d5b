plan a($Foo) { }
