bindings x::default {
bind "x" to 1
}
---
bindings x::default {
bind alias "x" as "y" bind "y" to 2
}
