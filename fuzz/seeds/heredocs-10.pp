$Bad = 1
$a = @(END:json)
  nope
  | END
