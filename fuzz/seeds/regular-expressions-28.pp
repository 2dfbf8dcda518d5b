$a = true / 2 / 1
