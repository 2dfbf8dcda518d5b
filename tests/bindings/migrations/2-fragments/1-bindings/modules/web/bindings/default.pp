bindings web::default {
  when role [web, proxy] {
    bind '100 https' to { dport => 443, proto => 'tcp' } in 'firewall::rules'
  }
}
