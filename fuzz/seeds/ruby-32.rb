def f(a, b = 2, *r, c, k: 1, **o, &blk); [a, b, r, c, k, o]; end; f(1, 9)
def f(a, b = 2, *r, c, k: 1, **o); [a, b, r, c, k, o]; end; f(1, 2, 3, 4, 5, k: 7, z: 8)
def f(a, k:); [a, k]; end; f(1)
def f(k: 1); k; end; f(x: 2)
def f(a); a; end; f
def f(a); a; end; f(1, 2)
