if $a { class foo { } }
