# Formats of numbers and texts.
Integer[1, 300].map |$n| {
  sprintf('%05d|%-12s|%8.3f|%x|%+d|%s%%|%e', $n, "name${n}", $n * 1.25, $n, $n, $n, $n / 3.0)
}
