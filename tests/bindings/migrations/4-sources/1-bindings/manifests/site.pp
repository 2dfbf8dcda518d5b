sql { 'one':
  user => 'shop',
  host => 'db1.example.org',
}
web { 'one': }
