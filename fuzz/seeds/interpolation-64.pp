$a = "{one}"
