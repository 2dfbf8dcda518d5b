# Ruby digests in C.
$text = Integer[1, 200].map |$n| { "line ${n} of a file that is digested" }.join("\n")
Integer[1, 20].map |$n| { [md5("${n}${text}"), sha256("${n}${text}"), sha1("${n}${text}")] }
