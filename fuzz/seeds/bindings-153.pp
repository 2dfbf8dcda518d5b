bindings x::default {
bind variables to { facts => 1, environment => 2, server_facts => 3, serverversion => 4, servername => 5 }
}
