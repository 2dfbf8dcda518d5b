class ntp::chrony(String $package = 'chrony') inherits ntp {
  Package['time'] { name => $package }
}
