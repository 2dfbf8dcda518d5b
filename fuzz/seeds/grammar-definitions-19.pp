class foo(String) { }
