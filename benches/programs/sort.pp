# Ruby sorts in C.
$numbers = Integer[1, 500].map |$n| { ($n * 7919) % 1009 }
$words = $numbers.map |$n| { "word${n}" }
[sort($numbers)[0, 5], sort($words)[0, 5], sort($numbers + [3, 1, 2])[-1]]
