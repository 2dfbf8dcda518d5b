site {
  categories {
    node => $trusted['certname'],
    role => $facts['role'],
  }
  bindings => [
    layer { 'hiera':       include => 'hiera:' },
    layer { 'environment': include => 'env:/default?optional' },
    layer { 'modules':     include => 'module:/*::default' },
  ]
}
include motd
