if type A = Array[Integer] { 1 }
