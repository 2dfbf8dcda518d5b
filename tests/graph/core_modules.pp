# Types that the agent's package brings as modules.
mount { '/srv/': ensure => mounted, device => 'x', fstype => 'ext4' }
mount { '/srv/a.b': ensure => mounted, device => 'y', fstype => 'ext4' }
mount { '/': ensure => mounted, device => 'z', fstype => 'ext4' }
mount { 'none': device => 's', fstype => 'swap' }
file { ['/srv', '/srv/a.b/c', '/srv/axb/d', '/srv/deep/er']: }
user { ['kim', 'root']: }
cron { 'job': command => 'x', user => 'kim' }
ssh_authorized_key { 'kim@host': user => 'kim', type => 'ssh-rsa', key => 'AAAA' }
sshkey { 'other@rsa': key => 'AAAA' }
notify { 'known': require => [Sshkey['host@ssh-rsa'], Host['host']] }
sshkey { 'host@ssh-rsa': key => 'AAAA' }
host { 'host': ip => '192.0.2.1' }
selmodule { 'web': selmodulepath => '/srv/deep/er' }
mailalias { 'postmaster': recipient => 'kim' }
