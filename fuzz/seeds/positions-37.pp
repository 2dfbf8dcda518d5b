$a = "one \q two
three"
