bindings x::default {
bind abstract "the meaning of life"
}
