function _foo() { 1 }
