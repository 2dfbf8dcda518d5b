bindings firewall::default {
  multibind Hash[Data], "firewall::rules" as 'firewall::rules'
  bind parameters firewall to { rules => inject('firewall::rules') }
  bind '022 ssh' to { dport => 22, proto => 'tcp' } in 'firewall::rules'
}
