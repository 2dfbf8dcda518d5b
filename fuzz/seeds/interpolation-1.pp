$a = "one $two three"
