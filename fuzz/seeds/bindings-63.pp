bindings x::default {
bind override variables to { anything => 1 }
}
