bindings x::default {
bind "x" to 1 when node 'kermit.example.com' { bind "x" to 2 }
}
---
bindings x::default {
bind alias "x" as "y" bind "x" to 3
}
