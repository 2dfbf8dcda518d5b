type Runtime[ruby, 'A'] = Integer
