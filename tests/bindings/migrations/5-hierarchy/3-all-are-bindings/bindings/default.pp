bindings default {
  multibind Array[String], "motd::lines" as 'motd::lines'
  bind parameters motd to {
    text  => "A node of ${facts['datacenter']}",
    lines => inject('motd::lines'),
  }
  when role web {
    bind to 'It serves the shop' in 'motd::lines'
  }
  bind to 'No user-serviceable parts inside' in 'motd::lines'
}
