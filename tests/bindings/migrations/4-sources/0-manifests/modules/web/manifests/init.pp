define web(String $dbuser, String $dbhost) {
  notify { "web ${title}":
    message => "${dbuser}@${dbhost}",
  }
}
