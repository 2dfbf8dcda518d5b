plan a($name, $title) { }
