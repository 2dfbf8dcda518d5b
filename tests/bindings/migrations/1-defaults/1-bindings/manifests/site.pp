site {
  categories {
    node       => $trusted['certname'],
    datacenter => $facts['datacenter'],
  }
}
include ntp
