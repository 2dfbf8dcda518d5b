[0.1] * 3 == [0.1, 0.1, 0.1]
[0.1, 0.2, 0.3].sum
Float::INFINITY > 10**30
10.0.to_i
Math.sqrt(16)
Math.log2(8)
