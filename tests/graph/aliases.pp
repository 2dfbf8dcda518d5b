# References by title, by name, by alias; several edges between two resources.
file { 'motd': path => '/etc/motd', alias => ['message', 'greeting'] }
notify { 'one': require => [File['/etc/motd'], File['greeting']], subscribe => File['message'] }
service { 'web': name => 'nginx', ensure => running }
notify { 'two': require => Service['nginx'], before => Notify['three'], notify => Notify['three'] }
notify { 'three': require => [Notify['two'], Schedule['weekly']] }
file { '/srv/x/': notify => File['/etc/motd'] }
notify { 'four': require => File['/srv/x'] }
schedule { 'weekly': period => weekly }
