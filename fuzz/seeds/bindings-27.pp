bindings x::default {
bind "c" to 1 when virtual true or node 'kermit.example.com' { bind "c" to 9 } when environment production { bind "c" to 5 }
}
