sql { 'one':
  user => 'shop',
  host => 'db1.example.org',
}
web { 'one':
  dbuser => Sql['one']['user'],
  dbhost => Sql['one']['host'],
}
Sql['one'] -> Web['one']
