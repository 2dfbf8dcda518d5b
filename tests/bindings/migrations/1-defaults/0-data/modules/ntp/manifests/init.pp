class ntp(Array[String] $servers, Boolean $enable) {
  file { '/etc/ntp.conf':
    content => join($servers, "\n"),
  }
  service { 'ntpd':
    enable => $enable,
  }
}
