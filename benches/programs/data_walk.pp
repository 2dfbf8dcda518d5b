# Deep data: dig, get, then, lest, tree_each.
$data = Hash(Integer[1, 20].map |$n| {
  ["service${n}", { 'ports' => [80 + $n, 443], 'owner' => { 'name' => "user${n}", 'groups' => ['a', 'b'] }, 'note' => undef }]
})
$leaves = $data.tree_each({ 'include_containers' => false }).map |$leaf| { length($leaf[0]) }
$found = Integer[1, 100].map |$n| {
  $key = "service${$n % 25}"
  [
    $data.dig($key, 'owner', 'groups', 1),
    $data.get("${key}.ports.0", 0),
    $data[$key].then |$service| { $service['owner']['name'] }.lest || { 'nobody' },
  ]
}
[length($leaves), $found]
