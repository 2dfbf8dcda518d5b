apply('all') { apply('b') { } }
