$a = @(END/tn)
\t \n \s \r \\ \$ \u0041
END
