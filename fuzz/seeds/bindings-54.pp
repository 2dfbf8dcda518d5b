bindings x::default {
multibind Hash[Data], 'h'
}
---
bindings x::default {
when virtual false { bind 'k' to 1 in 'h' }
}
---
bindings x::default {
when virtual false { bind 'k' to 2 in 'h' }
}
