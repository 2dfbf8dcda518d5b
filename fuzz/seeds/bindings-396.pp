bindings x::default {
bind parameters Notify to { nosuch => 1 }
}
