$a = @(END:pp)
if true {
END
