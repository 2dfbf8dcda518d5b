["b", "a", nil].each_with_index.to_a
[1, [2, [3, nil]]].each_with_index.map { |x, i| [i, x] }
[[1, "a"], [2, "b"]].map.with_index(1) { |x, i| "#{i}:#{x}" }
[1, 1, 2, 2.0].each_with_object([]) { |x, m| m << x }
[].select { |x| x }
[1, 2, 3].reject(&:nil?)
