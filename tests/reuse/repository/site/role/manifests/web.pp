# A web server.
class role::web {
  include ntp
  include web::tuned
  include users
  User <| tag == 'http' |>
}
