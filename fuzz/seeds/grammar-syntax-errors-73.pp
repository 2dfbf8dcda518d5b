notice("a ${b + } c")
