bindings x::default {
bind map Web to Sql { a => b }
}
---
bindings x::default {
bind override map Web to Sql { c => d }
}
