bindings x::default {
bind parameters abstract ntp to {} bind abstract map Web to Sql { a => b }
}
