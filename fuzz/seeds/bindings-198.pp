bindings x::default {
bind "x" to producer 'm::f'
}
