file { default: mode => '1'; 'a': }
