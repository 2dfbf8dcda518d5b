class foo {
