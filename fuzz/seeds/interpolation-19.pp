$a = "${_one}"
