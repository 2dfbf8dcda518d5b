# one
/* two */
