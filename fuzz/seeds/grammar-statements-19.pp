require a
realize File['a']
include b, c
contain d
tag 'e'
debug 1
info 2
notice 3
warning 4
err 5
fail 'no'
import 'x'
