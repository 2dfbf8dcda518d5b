$a = "$oneé"
