bindings x::default {
bind "e" to 1
}
