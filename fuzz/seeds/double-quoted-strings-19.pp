$a = "one two
