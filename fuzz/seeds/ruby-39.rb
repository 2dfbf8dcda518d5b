x = [1]; x[3] = 4; x
x = "hello"; x[0] = "J"; x[-1..] = "y"; x
x = "hello"; x[/l+/] = "L"; x
a = [1, 2]; b = a; b << 3; a
a = "s"; b = a.dup; b << "t"; a
def m(a) a << "x"; end; s = +"y"; m(s); s
