(class a { })
