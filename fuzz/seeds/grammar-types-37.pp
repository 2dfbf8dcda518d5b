$a = type(1)
