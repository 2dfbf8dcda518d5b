$a = { b => 1, b => 2, b => 3, b => 4 }
$Bad = 1
$Worse = 2
