$a = @(END:json)
  { "a": [1, 2, null] }
  | END
