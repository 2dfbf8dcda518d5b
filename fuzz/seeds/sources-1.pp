class a {
  1 = 2
}
