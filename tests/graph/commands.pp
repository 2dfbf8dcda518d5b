# Commands require what their lines begin with.
file { ['/bin/tool', '/opt', '/opt/my tool', '/etc/check', '/etc/other']: }
user { ['deploy', '7']: }
exec { '/bin/tool --now': cwd => '/opt', user => 'deploy' }
exec { 'quoted': command => '"/opt/my tool" x', path => '/bin', provider => shell, user => '7' }
exec { 'checks': command => '/bin/true', onlyif => ['/etc/check', ['/etc/other', '-q']], unless => "true\n/bin/tool", path => '/bin' }
exec { 'array': command => ['/bin/tool', '/etc/check'] }
package { 'local': ensure => present, provider => dpkg, source => '/opt' }
package { 'answers': ensure => present, responsefile => '/etc/check', adminfile => '/etc/other' }
