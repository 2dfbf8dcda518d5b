bindings x::default {
bind parameters ntp to { enabel => true }
}
