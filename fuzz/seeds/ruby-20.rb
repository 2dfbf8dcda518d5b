[[1, "a"], [2, "b"]].count(1)
[1, 1, 2, 2.0].count(&:nil?)
[].include?(2)
[1, 2, 3].any?
[3, 1, 2].all?
["b", "a", nil].none?
