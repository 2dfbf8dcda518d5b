node foo { }
