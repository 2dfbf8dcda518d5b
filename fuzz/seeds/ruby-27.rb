:abc <=> :abd
:"a b".inspect
:a?.inspect
:a=.inspect
:[].inspect
:abc[1]
