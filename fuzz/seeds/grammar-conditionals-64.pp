file { 'a': mode => $b ? { 1 => '0644', default => '0600' }, owner => 'c' }
