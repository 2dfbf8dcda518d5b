if $a && $b { }
