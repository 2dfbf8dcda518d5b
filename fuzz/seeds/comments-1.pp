# first
$a = 1 # second
       # third
