bindings x::default {
bind "x" to 1; when virtual true { bind "x" to 2; }; bind "y" to 3
}
