file { '/plain': source => 'puppet:///modules/m/a.txt' }
file { '/slash': source => 'puppet:///modules/m/dir/' }
file { '/second': source => ['puppet:///modules/m/gone', 'puppet:///modules/m/dir/x'] }
file { '/md5': source => 'puppet:///modules/m/a.txt', checksum => md5 }
file { '/lite': source => 'puppet:///modules/m/a.txt', checksum => 'sha256lite' }
file { '/none': source => 'puppet:///modules/m/a.txt', checksum => none }
file { '/link': source => 'puppet:///modules/m/link' }
file { '/followed': source => 'puppet:///modules/m/link', links => follow }
file { '/permissions': source => 'puppet:///modules/m/a.txt', source_permissions => use }
file { '/gone': ensure => absent, source => 'puppet:///modules/m/gone' }
file { '/mixed': source => ['puppet:///modules/m/a.txt', 'file:///etc/hosts'] }
file { '/local': source => '/etc/hosts' }
file { '/content': content => 'x' }
file { '/all': source => 'puppet:///modules/m/dir', recurse => true }
file { '/remote': source => ['puppet:///modules/m/gone', 'puppet:///modules/m/dir', 'puppet:///modules/m/other'], recurse => remote, ignore => '*.bak' }
file { '/both': source => ['puppet:///modules/m/dir', 'puppet:///modules/m/other'], recurse => true, sourceselect => all, recurselimit => 1, ignore => ['*.bak', 'y'] }
file { '/nothing': source => 'puppet:///modules/m/gone', recurse => true }
file { '/of_a_file': source => 'puppet:///modules/m/a.txt', recurse => true }
file { '/below_none': source => 'puppet:///modules/m/dir', recurse => true, recurselimit => 0 }
