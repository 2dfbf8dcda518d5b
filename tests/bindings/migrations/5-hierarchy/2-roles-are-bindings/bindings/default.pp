bindings default {
  multibind Array[String], "motd::lines" as 'motd::lines'
  bind parameters motd to { lines => inject('motd::lines') }
  when role web {
    bind to 'It serves the shop' in 'motd::lines'
  }
  bind to 'No user-serviceable parts inside' in 'motd::lines'
}
