crit 'x'
