[].push(4)
[1, 2, 3] << 5
[3, 1, 2].pop
["b", "a", nil].shift
[1, [2, [3, nil]]].unshift(0)
[[1, "a"], [2, "b"]].insert(1, :x)
