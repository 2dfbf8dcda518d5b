notice @(E) .size (1)
text
E
