if $a { 1 } elsif $b { 2 } else { 3 } notice(1)
