f() |$x| >> Integer { 1 }
