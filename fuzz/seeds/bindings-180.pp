bindings x::default {
bind override parameters ntp to { a => 1 } bind parameters override ntp to { b => 1 }
}
