bindings x::default {
multibind Array[Data], 'l' bind Integer to 'x' in 'l'
}
