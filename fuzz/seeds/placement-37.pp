class a { notice(1) type Runtime[ruby, 'B'] = Integer }
