# A text that grows line by line.
$text = Integer[1, 400].reduce('') |$text, $n| {
  "${text}setting_${n} = ${$n * 2}\n"
}
[length($text), $text[0, 40], $text[-20, 20]]
