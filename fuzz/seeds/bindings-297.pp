bindings x::default {
bind override variables to { tier => 'site' }
}
