bindings x::default {
when node 'kermit.example.com' { bind "c" to 1 } when node 'kermit.example.com' { bind "d" to 2 }
}
