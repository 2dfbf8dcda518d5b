# What modules do to hashes.
$base = Hash(Integer[1, 100].map |$n| { ["key${n}", { 'ensure' => 'present', 'weight' => $n }] })
$more = Hash(Integer[50, 150].map |$n| { ["key${n}", { 'ensure' => 'absent', 'weight' => $n * 2 }] })
Integer[1, 5].map |$round| {
  $all = $base + $more
  $heavy = $all.filter |$key, $value| { $value['weight'] > 100 }
  $names = keys($heavy).map |$key| { upcase($key) }
  $weights = values($heavy).map |$value| { $value['weight'] + $round }
  $slim = $all - keys($heavy)
  $pairs = $slim.map |$key, $value| { [$value['weight'], $key] }
  [length($names), $weights[0], length($slim), Hash($pairs)[1], 'key7' in $slim, $all.any |$key, $value| { $value['weight'] == 300 }]
}
