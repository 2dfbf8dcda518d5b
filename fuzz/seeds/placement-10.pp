node a { node b { } }
