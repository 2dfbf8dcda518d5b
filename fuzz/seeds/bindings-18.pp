bindings x::default {
when node kermit.example.com { bind "c" to 1 }
}
