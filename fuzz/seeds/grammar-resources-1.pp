file { '/tmp/x': }
