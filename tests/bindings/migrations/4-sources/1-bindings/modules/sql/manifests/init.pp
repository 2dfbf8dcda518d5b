define sql(String $user, String $host = 'localhost') {
  notify { "sql ${title}":
    message => "${user}@${host}",
  }
}
