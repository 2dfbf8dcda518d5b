$a = "${one(2).size}"
