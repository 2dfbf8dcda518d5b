$a = { attr => 1 }
