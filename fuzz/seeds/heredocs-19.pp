$a = @(END:pp)
  $x = 1
  $y = = 2
  | END
