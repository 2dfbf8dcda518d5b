# String.new with formats for containers.
$value = { 'a' => [1, 2, 3], 'b' => { 'c' => 2.5, 'd' => 'text' }, 'e' => true }
Integer[1, 60].map |$n| {
  [
    String($n, '%#x'), String($n * 1.5, '%.2f'), String([$n, $n + 1], '%(a'),
    String($value, { Hash => { format => '%#h', string_formats => { Integer => '%03d' } }, Float => '%.1f' }),
    String("x${n}", '%C'), String($value),
  ]
}
