# Parameters and results with types, defaults and a rest.
function checked(
  String[1] $name,
  Hash[String, Integer] $weights,
  Optional[Enum['up', 'down']] $direction = undef,
  Integer[0] *$more
) >> Tuple[String, Integer] {
  $sum = $more.reduce(0) |Integer $memo, Integer $n| { $memo + $n }
  ["${name}-${direction}", $sum + $weights['a']]
}
Integer[1, 200].map |Integer[1] $n| {
  [checked("x${n}", { 'a' => $n, 'b' => 2 }, 'up', 1, 2, $n), checked('y', { 'a' => 1 }, undef, $n)]
}
