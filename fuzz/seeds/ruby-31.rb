format("%g %g", 1e10, 0.5)
a, (b, *c), d = 1, [2, 3, 4], 5; [a, b, c, d]
a, *b = [1]; [a, b]
*a, b = 1, 2, 3; [a, b]
a = b = 3; a + b
a = nil; a ||= 4; a &&= a + 1; a
