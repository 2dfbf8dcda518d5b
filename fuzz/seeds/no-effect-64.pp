class a { if $b { } }
