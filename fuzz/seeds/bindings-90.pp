bindings x::default {
bind abstract varibles to ['x']
}
