# Substitution and match as functions.
$text = 'The quick brown fox jumps over the lazy dog, again and again, at /var/lib/some-path/with_underscores.conf'
Integer[1, 100].map |$n| {
  $dashed = regsubst("${text} ${n}", '[^a-z0-9]+', '-', 'G')
  $swapped = regsubst($dashed, '(\w+)-(\w+)', '\2-\1', 'G')
  [$swapped[0, 20], match($swapped, 'brown-(\w+)')]
}
