bindings x::default {
exclude a
}
---
bindings x::default {
include a
}
