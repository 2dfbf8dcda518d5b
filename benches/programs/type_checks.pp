# A large struct, checked against its type again and again.
$shape = Struct[{
  name              => Pattern[/\A[a-z][a-z0-9_]*\z/],
  ensure            => Enum['present', 'absent'],
  Optional[owner]   => String[1, 32],
  ports             => Array[Integer[1, 65535], 1, 100],
  options           => Hash[String[1], Variant[Integer, Boolean, String]],
  nested            => Struct[{
    path  => Pattern[/\A\//],
    mode  => String[3, 4],
    users => Array[Struct[{ name => String[1], uid => Integer[0, default], groups => Array[String] }]],
  }],
  Optional[comment] => Variant[Undef, String],
}]
$value = {
  'name' => 'web_server',
  'ensure' => 'present',
  'owner' => 'root',
  'ports' => Array(Integer[8000, 8049]),
  'options' => Hash(Integer[1, 30].map |$n| { ["option${n}", if $n % 2 == 0 { $n } else { "text${n}" }] }),
  'nested' => {
    'path' => '/etc/web', 'mode' => '0644',
    'users' => Integer[1, 20].map |$n| { { 'name' => "user${n}", 'uid' => 1000 + $n, 'groups' => ['wheel', 'web'] } },
  },
}
Integer[1, 30].map |$n| {
  [$value =~ $shape, ($value + { 'ensure' => "other${n}" }) =~ $shape, ($value + { 'ports' => [$n, 70000] }) =~ $shape]
}
