$a = type B = Integer
