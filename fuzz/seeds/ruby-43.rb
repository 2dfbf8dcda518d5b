"abc".unpack1("H*")
["616263"].pack("H*")
"a".ord.chr
"abc".sum
"abc".hash == "abc".dup.hash
[1, 2] <=> [1, 3]
