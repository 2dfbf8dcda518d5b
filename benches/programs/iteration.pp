# Iterators: each with an index, step, reverse_each, chained without arrays between.
$list = Array(Integer[1, 400])
$stepped = $list.step(3).map |$n| { $n * 2 }
$reversed = $list.reverse_each.filter |$n| { $n % 5 == 0 }
$indexed = $list.map |$index, $n| { $index + $n }
$counted = $list.each |$index, $n| { $index * $n }
$hash = $list.slice(2).reduce({ 'sum' => 0 }) |$memo, $pair| { { 'sum' => $memo['sum'] + $pair[0] * $pair[1] } }
[$stepped[-1], $reversed[0], $indexed[10], length($counted), $hash, max($list[3], 7, 12), min(5, $list[8])]
