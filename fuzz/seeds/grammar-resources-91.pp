File['a'] { }
