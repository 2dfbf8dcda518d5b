# Texts taken apart and put together.
$folders = Integer[1, 50].map |$n| { "/opt/tool-${n}/bin" }.join(':')
Integer[1, 40].map |$n| {
  $parts = split($folders, ':')
  $words = $parts.map |$part| { split($part, '[/-]')[2] }
  [length($parts), join($words, ','), capitalize($words[0]), strip("  ${n} "), chomp("x\n"), downcase('ABC')]
}
