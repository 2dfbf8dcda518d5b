# Functions of the newer kind, of postgresql and apache.
$acls = Integer[1, 40].map |$n| { "host app${n} user${n} 10.0.${n}.0 255.255.255.0 md5 map=m${n}" }
$resources = postgresql::postgresql_acls_to_resources_hash($acls, 'bench', 10)
$flags = [true, false, 'true', 'FALSE', 'other', undef, 5].map |$flag| { apache::bool2httpd($flag) }
[$resources.length, $flags]
