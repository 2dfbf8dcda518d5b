bindings x::default {
bind class a to class b
}
---
bindings x::default {
bind class b to class c
}
