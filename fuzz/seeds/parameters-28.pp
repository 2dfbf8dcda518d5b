define a(Enum[$b] $c) { }
