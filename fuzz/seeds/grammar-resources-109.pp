if true { 1 else }
