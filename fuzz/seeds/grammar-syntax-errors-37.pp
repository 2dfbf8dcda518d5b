$a = (notice 1)
