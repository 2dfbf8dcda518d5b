@@File['a']
