plan foo() { 1 }
