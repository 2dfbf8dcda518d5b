foo { 'a': mode = 1 }
