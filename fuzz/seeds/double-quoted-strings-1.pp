$a = "one two"
