# Values made of others.
Integer[1, 150].map |$n| {
  [
    Integer("0x${n}"), Integer("${n}", 10), Float("${n}.5"), Numeric("${n}"), Boolean('yes'), String($n),
    Array({ 'a' => $n }), Hash([['k', $n]]), SemVer("1.${n}.0") > SemVer('1.20.0'), Timespan({ 'minutes' => $n }) =~ Timespan,
  ]
}
