$a = Struct[{ b => String }]
