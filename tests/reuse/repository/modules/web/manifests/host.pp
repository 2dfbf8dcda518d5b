# One site.
define web::host (Integer $port, String $root = "/srv/${title}") {
  file { $root: content => kit::line('port', $port) }
}
