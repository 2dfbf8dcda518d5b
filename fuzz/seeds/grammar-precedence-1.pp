!$a.empty
