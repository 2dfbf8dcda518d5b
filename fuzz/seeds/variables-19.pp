$a = $one-two
