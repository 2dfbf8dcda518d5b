$a = $b.5x
