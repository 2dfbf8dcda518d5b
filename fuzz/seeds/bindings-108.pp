bindings x::default {
bind to 'A' in 'included_classes' exclude a
}
