File['a'] { * => $a, * => $b }
