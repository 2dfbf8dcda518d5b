a notice(1)
