"aaa,bb,,c,,".split(/([-,.])/)
"line1\nline2\n".split(//)
"v1.22.3-rc".split(" ")
""[0]
"abc"[-1]
"Hello World"[1, 2]
