[3, 1, 2].first("x")
["b", "a", nil].nope
[1, [2, [3, nil]]].pack("C*")
[[1, "a"], [2, "b"]].each { |x| break x }
[1, 1, 2, 2.0].hash == [1, 2, 3].hash
[].to_set
