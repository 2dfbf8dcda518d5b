bindings x::default {
when virtual false { bind "x" to 1 }
}
---
bindings x::default {
bind override "x" to 2
}
