File<<| |>>
