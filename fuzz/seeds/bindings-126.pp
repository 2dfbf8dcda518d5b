bindings x::default {
bind "x" to 1
}
---
bindings x::default {
bind renamed "x" as "y"
}
---
bindings x::default {
bind "x" to 2
}
