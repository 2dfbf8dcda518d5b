/* one
   two */ )
