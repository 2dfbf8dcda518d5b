file { 'a':
