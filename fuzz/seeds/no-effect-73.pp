f() |$x| { notice(1) $x }
