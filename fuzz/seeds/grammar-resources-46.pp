foo::bar { 'a': }
