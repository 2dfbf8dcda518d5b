bindings x::default {
bind "u" to producer 'm::f'
}
