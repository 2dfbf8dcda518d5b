bindings x::default {
when node 'kermit.example.com' { bind "c" to 'node' } when virtual true { bind "c" to 'virtual' bind "d" to 'virtual' bind "e" to 'virtual' } when environment production { bind "d" to 'environment' } bind "d" to 'common' bind "e" to 'common'
}
