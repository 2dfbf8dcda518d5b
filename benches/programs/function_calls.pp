# Functions of the language that call each other.
function add_one($x) {
  $x + 1
}
function twice($x) {
  add_one($x) + add_one($x)
}
function greet($name, $greeting = 'hello') {
  "${greeting} ${name}"
}
Integer[1, 300].map |$n| {
  [twice($n), greet("n${n}"), greet("n${n}", 'bye'), add_one(twice($n))]
}
