$a = @("END":json)
{"one": $two
END
