# One line of a file.
function kit::line(String $name, Any $value) >> String {
  "${name} = ${value}\n"
}
