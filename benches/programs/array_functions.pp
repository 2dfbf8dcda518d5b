# What modules do to arrays.
$numbers = Array(Integer[1, 300])
Integer[1, 5].map |$round| {
  $even = $numbers.filter |$n| { $n % 2 == 0 }
  $nested = $even.map |$n| { [$n, [$n * 2, $n * $round]] }
  $flat = unique(flatten($nested))
  [
    length($flat), $flat[0, 3], $flat[-1],
    $numbers.any |$n| { $n > 299 },
    $numbers.all |$n| { $n > 0 },
    ($numbers - $even)[3],
    ($numbers + $even).index(200),
    $flat.partition |$n| { $n < 100 }.map |$part| { length($part) },
    $numbers.slice(7).map |$slice| { $slice[0] }[4],
  ]
}
