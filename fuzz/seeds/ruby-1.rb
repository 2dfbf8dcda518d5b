"".upcase
"abc".downcase
"Hello World".capitalize
"a-b-c".swapcase
" x\ty \n".length
"äöü".bytesize
