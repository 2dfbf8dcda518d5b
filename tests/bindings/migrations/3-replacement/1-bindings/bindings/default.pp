bindings default {
  bind class ntp to class ntp::chrony
}
