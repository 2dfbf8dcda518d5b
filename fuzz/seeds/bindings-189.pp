bindings x::default {
bind "x" to 1
}
