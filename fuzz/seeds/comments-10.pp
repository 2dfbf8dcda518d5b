$a = 1
$b = 2 /* and so
on
