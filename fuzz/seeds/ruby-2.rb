" x\ty \n".to_i
"äöü".to_i(16)
"10.5kg".to_f
"0x1A".hex
"aaa,bb,,c,,".oct
"line1\nline2\n".to_sym
