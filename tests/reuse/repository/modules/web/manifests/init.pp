# A web server, and what it serves.
class web (Array[String] $hosts, Kit::Port $port = 80) {
  web::host { $hosts: port => $port }
  file { '/etc/web': content => template('web/web.erb') }
  file { '/etc/banner': content => file('web/banner') }
  gadget { 'lamp': size => kit::loud('small') }
  @@notify { "${trusted['certname']} serves": tag => 'served' }
}
