$a = @(END:yaml)
  { : [
  | END
