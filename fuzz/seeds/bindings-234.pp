bindings x::default {
bind abstract Array[class ntp], "ntp resources"
}
