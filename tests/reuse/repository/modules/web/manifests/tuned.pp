# The same for those who want it fast.
class web::tuned inherits web {
  File['/etc/web'] { mode => '0600' }
}
