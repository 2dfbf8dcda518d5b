bindings x::default {
multibind Array[String], 'l' bind to optional $facts['nothing'] in 'l' bind to 'a' in 'l'
}
