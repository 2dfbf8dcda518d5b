# A sort that asks a lambda.
$numbers = Integer[1, 200].map |$n| { ($n * 7919) % 1009 }
sort($numbers) |$a, $b| { compare($b, $a) }
