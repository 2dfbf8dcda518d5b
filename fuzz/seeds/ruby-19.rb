[1, [2, [3, nil]]].rotate
[[1, "a"], [2, "b"]].sort
[1, 1, 2, 2.0].sort { |a, b| b <=> a }
[].sort_by { |x| x.to_s }
[1, 2, 3].min
[3, 1, 2].max
