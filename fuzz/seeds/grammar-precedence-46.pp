$x = $a or $b or $c
