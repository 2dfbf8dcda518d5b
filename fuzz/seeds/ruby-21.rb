[1, 1, 2, 2.0].each_slice(2).to_a
[].each_cons(2).to_a
[1, 2, 3].group_by(&:class)
[3, 1, 2].chunk_while { |a, b| b.class == a.class }.to_a
["b", "a", nil].tally
[1, [2, [3, nil]]].to_h { |x| [x, 1] }
