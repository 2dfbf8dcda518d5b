$a = apply('all') { } + 1
