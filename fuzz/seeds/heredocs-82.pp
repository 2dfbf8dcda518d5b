$a = @(END/q)
text
END
