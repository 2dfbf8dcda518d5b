bindings x::default {
when rack $n { include a }
}
