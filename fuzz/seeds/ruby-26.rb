(4..1).map { |x| x.to_s }
(1..4).each_slice(2).to_a
(1...4).step(2).to_a
("a".."e").inspect
(4..1).to_s
(1..4).reverse_each.to_a
