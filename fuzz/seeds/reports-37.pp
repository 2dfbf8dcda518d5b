$Bad = 1
$a = 2, 3
