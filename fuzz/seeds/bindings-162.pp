bindings x::default {
multibind Array[Data], 'l' { combinator => 5 }
}
