# Access into facts.
Integer[1, 200].map |$n| {
  $family = $facts['os']['family']
  $major = $facts['os']['release']['major']
  $ip = $facts['networking']['ip']
  $name = $facts.dig('networking', 'fqdn')
  $first = get($facts, 'os.name', 'none')
  [$family, $major, $ip, $name, $first, $trusted['certname'], $facts['no_such_fact'] =~ Undef]
}
