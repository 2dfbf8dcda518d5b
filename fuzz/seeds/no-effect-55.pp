foo; { a => 1 }
