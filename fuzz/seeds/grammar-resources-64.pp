file { 'a': }.f
