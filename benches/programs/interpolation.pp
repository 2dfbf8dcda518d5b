# Many values in one string.
$host = 'web01'
$ports = [80, 443]
$limits = { 'soft' => 1024, 'hard' => 4096 }
Integer[1, 300].map |$n| {
  "${host}-${n}.example.org:${ports[0]},${ports[1]} soft=${limits['soft']} hard=${limits['hard']} ${ports} ${$n * 2} on=${$n == 7}"
}
