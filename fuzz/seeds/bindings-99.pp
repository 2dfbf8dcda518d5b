bindings x::default {
bind variables to optional { a => $facts['nothing'] }
}
