# Comparisons, and, or, in, if and unless.
Integer[1, 500].map |$n| {
  $word = "item${n}"
  if $n > 400 and $word != 'item450' {
    'high'
  } elsif $n < 100 or $word == 'ITEM200' {
    'low'
  } elsif ($n % 7) in [1, 3, 5] {
    'odd'
  } else {
    unless $n >= 300 { 'middle' } else { 'upper' }
  }
}
