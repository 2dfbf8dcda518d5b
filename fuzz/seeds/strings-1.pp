$a = 'it\'s \n a \\ path'
