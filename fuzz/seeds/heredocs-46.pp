$a = @(END:text)
text
END
