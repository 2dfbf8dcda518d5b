bindings x::default {
bind parameters Web to { a => 'type' } bind parameters Web[one] to { a => 'instance' }
}
