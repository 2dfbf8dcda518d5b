site {
  categories {
    node => $trusted['certname'],
    role => $facts['role'],
  }
}
include motd
