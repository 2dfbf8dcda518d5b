# assert_type, without and with a lambda that mends.
$user = { 'name' => 'root', 'uid' => 0, 'groups' => ['wheel', 'adm'] }
Integer[1, 200].map |$n| {
  $ok = assert_type(Struct[{ name => String[1], uid => Integer[0], groups => Array[String[1]] }], $user + { 'uid' => $n })
  $number = assert_type(Integer[1, 200], $n)
  $mended = assert_type(Integer[0, 100], $n) |$expected, $actual| { 100 }
  [$ok['uid'], $number, $mended]
}
