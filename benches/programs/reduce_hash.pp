# A hash that grows by merging, as modules write it.
$result = Integer[1, 200].reduce({}) |$memo, $n| {
  $memo + { "key${n}" => $n }
}
[length($result), $result['key150']]
