apply 'all' { }
