class one (
  $a = @(END),
    text
    | END
  $b = 1,
) { }
