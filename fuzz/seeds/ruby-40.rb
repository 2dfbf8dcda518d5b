Array([1])
Array(1..3)
Array("a")
Array({ a: 1 })
String(5)
[1, [2, 3]].to_s
