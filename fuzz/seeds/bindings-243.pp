bindings x::default {
bind Hash[Integer], "h" to {a => 1}
}
