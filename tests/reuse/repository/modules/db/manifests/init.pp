# A database.
class db (Kit::Port $port) {
  file { '/etc/db': content => "${ntp::drift} ${port} ${older('data')} ${facts['memory']['total']}" }
  Notify <<| tag == 'served' |>>
}
