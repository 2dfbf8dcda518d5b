notice(2); - $a; notice(1)
