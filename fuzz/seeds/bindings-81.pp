bindings x::default {
include nosuch
}
