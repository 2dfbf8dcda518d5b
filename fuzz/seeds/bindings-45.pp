bindings x::default {
when rack a { bind "k" to 1 } bind "k" to 2
}
