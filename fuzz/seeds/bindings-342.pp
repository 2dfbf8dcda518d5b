bindings x::default {
multibind Array[Data], 'a' as 'i' multibind Array[Data], 'b' as 'i'
}
