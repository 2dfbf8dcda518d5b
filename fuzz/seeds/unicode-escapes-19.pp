$a = "\ud83c"
