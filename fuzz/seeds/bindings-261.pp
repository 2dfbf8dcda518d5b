bindings x::default {
bind "c" to 'blue'
}
---
bindings x::default {
bind String, "c" to 'blue'
}
