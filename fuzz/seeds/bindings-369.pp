bindings x::default {
bind parameters ntp to { enable => true, servers => ['s'] }
}
---
bindings x::default {
bind parameters ntp to { enable => false }
}
