class motd(String $text, Array[String] $lines) {
  file { '/etc/motd':
    content => join([$text] + $lines, "\n"),
  }
}
