notice 'hello'
