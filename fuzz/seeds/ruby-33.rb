def f(x) = x * 2; f(4)
l = ->(x, y = 2) { x + y }; [l.(1), l[1, 5], l.arity, l.lambda?]
l = lambda { |x| return x * 2 }; l.call(4)
->(x) { x }.call
proc { |x, y| [x, y] }.call([1, 2])
proc { |x, (y, z)| [x, y, z] }.call(1, [2, 3])
