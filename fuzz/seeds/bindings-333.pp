bindings x::default {
multibind Hash[Data], 'h'
}
---
bindings x::default {
bind 'k' to 1 in 'h'
}
---
bindings x::default {
bind 'k' to 1 in 'h'
}
