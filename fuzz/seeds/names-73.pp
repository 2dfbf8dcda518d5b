node foo::bar { }
