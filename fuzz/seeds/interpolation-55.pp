$a = "one ${} two"
