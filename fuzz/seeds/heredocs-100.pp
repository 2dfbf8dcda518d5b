$a = @("END")
{ one } } ${two}} {
END
