1 if 2 and nil
[*1..3, *[4]]
[*nil, *"a"]
"a#{1}b#{nil}c#{[1, nil]}"
'a#{1}\n'
"tab\tnl\\n\u00e9\x41\e"
