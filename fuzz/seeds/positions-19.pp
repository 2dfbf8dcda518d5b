$a = @("END")
one $Two
END
