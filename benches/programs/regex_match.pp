# Matches with groups, in conditions.
Integer[1, 400].map |$n| {
  $line = "web${n}.example.org 10.20.${$n % 256}.7 up ${$n * 60} seconds"
  if $line =~ /\A(\w+?)(\d+)\.([\w.]+) (\d+\.\d+\.\d+\.\d+) up (\d+)/ {
    "${1}/${2}/${4}/${5}"
  } else {
    'none'
  }
}
