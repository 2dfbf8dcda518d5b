# Folders, links, owners, and relationships that are told against the automatic ones.
file { '/srv': ensure => directory, owner => 'kim', group => 'staff' }
file { '/srv/a/b/c': ensure => file, content => 'x' }
file { '/srv/a/': ensure => directory, mode => '0755' }
file { 'current': path => '/srv/current', ensure => link, target => '/srv/a' }
file { '/srv/old': ensure => '/srv/a/b/c' }
file { '/': ensure => directory }
file { '/srv/a/late': ensure => file, before => File['/srv/a'] }
file { '/etc//x/../motd': owner => '0', group => 0 }
file { '/etc': ensure => directory }
user { 'kim': gid => 'staff', groups => ['wheel', 'adm'] }
user { 'jo': gid => 500, groups => 'staff', membership => inclusive }
group { ['wheel', 'adm']: }
group { 'staff': gid => '50' }
group { 'numbered': gid => 500 }
