$a = File['a', 'b']
