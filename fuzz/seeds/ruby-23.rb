[1, 2, 3].product([1, 2])
[3, 1, 2].transpose
["b", "a", nil].assoc(1)
[1, [2, [3, nil]]].cycle.first(4)
[[1, "a"], [2, "b"]].each_entry.to_a
[1, 1, 2, 2.0].flat_map { |x| [x, x] }
