# A loop of integer and float arithmetic.
Integer[1, 1000].reduce(0) |$sum, $n| {
  $sum + ($n * 3 - 7) % 11 + $n / 2 - ($n << 1) / 3
} + Integer[1, 200].map |$n| { $n * 1.5 - 2 }.reduce(0.0) |$sum, $x| { $sum + $x * 0.25 }
