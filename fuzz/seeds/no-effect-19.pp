$a notice(1)
