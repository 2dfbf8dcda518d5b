# A database server.
class role::db {
  include ntp
  include db
  include users
  User <| tag == 'sql' |>
}
