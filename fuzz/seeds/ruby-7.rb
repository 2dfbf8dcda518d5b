"Hello World".delete_suffix("c")
"a-b-c".insert(0, "_")
" x\ty \n".each_char.to_a
"äöü".each_line.map(&:chomp)
"10.5kg".sum
"0x1A".ord
