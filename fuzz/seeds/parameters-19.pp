class a(Enum['b', 'c'] $d, Hash[String, Optional[Integer[-1, default]]] $e) { }
