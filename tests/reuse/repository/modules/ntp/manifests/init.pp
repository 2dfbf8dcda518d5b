# The time.
class ntp (Array[String] $servers, String $mode = 'slow') {
  $drift = '/var/lib/ntp'
  $unread = 'nobody reads this'
  file { '/etc/ntp.conf': content => epp('ntp/ntp.conf.epp', { 'servers' => $servers }) }
  notify { "ntp is ${mode}": }
}
