class a($b, $c, $b) { }
