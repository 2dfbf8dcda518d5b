# Types of values, and how they stand to each other.
$value = { 'a' => [1, 2.5, 'three'], 'b' => { 'c' => [true, undef, /x/], 'd' => 'text' } }
Integer[1, 60].map |$n| {
  $of = type($value + { 'n' => $n })
  [$of =~ Type[Hash], $of <= Hash[String, Data], type([$n, $n + 1], 'generalized') == Array[Integer], Integer[1, $n] < Integer, Variant[String, Integer] > String[$n]]
}
