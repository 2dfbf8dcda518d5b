# Functions of the older kind, of mysql, collectd and staging.
$hashes = Integer[1, 20].map |$n| { mysql_password("secret ${n}") }
$processes = collectd_convert_processes(Integer[1, 50].map |$n| { { 'name' => "p${n}", 'regex' => '.*' } })
$parsed = Integer[1, 20].map |$n| { staging_parse("http://example.org/a/b/file${n}.tar.gz", 'basename', '.tar.gz') }
[$hashes, $processes.length, $parsed]
