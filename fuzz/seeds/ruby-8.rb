"10.5kg".capitalize!
"0x1A".chomp!
"aaa,bb,,c,,".gsub!(/zzz/, "")
"line1\nline2\n".freeze.upcase!
"v1.22.3-rc".freeze << "x"
"".each_char.with_index.map { |c, i| c * i }
