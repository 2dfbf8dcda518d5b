(1..3).each_with_object([]) { |i, a| a.unshift(i) }
[["a", 1], ["b", 2]].each_with_object({}) { |(k, v), h| h[k] = v }
[1, 2, 3, 4].each_slice(2).to_h
"ab".each_char.with_object("x").to_a
[5, 3].each.with_index(1).to_a
[1, 2, 3].inject { |a, b| a * b }
