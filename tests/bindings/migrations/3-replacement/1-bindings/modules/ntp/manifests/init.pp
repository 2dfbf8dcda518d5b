class ntp(String $package = 'ntp') {
  package { 'time':
    name => $package,
  }
}
