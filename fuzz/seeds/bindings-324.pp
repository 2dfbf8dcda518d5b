bindings x::default {
multibind override Hash[X]], 'syntax'
}
