bindings default {
  when datacenter fra {
    bind override parameters ntp to { servers => ['10.1.0.1'] }
  }
}
