bindings x::default {
bind "x" to $::facts['os']['family']
}
