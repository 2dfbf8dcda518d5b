# Lambdas three deep, each reading the variables of those around it.
Integer[1, 12].map |$a| {
  $outer = $a * 100
  Integer[1, 10].map |$b| {
    $middle = $outer + $b
    Integer[1, 8].filter |$c| { ($middle + $a * $c + $b) % 3 == 0 }
  }
}
