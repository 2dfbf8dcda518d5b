class foo::bar { }
