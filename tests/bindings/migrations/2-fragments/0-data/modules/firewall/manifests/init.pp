class firewall(Hash $rules) {
  $rules.each |$name, $rule| {
    notify { "firewall ${name}":
      message => "${rule['proto']} ${rule['dport']}",
    }
  }
}
