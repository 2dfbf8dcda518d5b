# The message of the day.
#
# @param contact whom to write to about the machine
# @param file where the message stands
class banner (
  String[1] $contact = "operations@${facts['networking']['domain']}",
  String[1] $file    = '/etc/motd',
) {
  file { $file:
    ensure  => file,
    mode    => '0644',
    content => epp('banner/motd.epp', { 'contact' => $contact }),
  }

  if $facts['os']['family'] == 'Debian' {
    file { '/etc/update-motd.d':
      ensure  => directory,
      purge   => true,
      recurse => true,
    }
  }
}
