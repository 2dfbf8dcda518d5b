bindings x::default {
bind parameters Web[one] to optional Limitedservices[web]
}
