$a = 'one ${two} $three \n'
