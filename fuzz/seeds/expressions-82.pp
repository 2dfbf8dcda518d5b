type Runtime[ruby, [/a/, 'b']] = Array[Integer]
