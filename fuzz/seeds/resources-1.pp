class motd(String $text = 'hi', Optional[Integer[0]] $mode = undef) inherits base {
  $real = $mode ? { undef => '0644', default => String($mode, '%o') }
  file { ['/etc/motd', "/etc/${facts['os']['name']}/issue"]:
    ensure  => file,
    content => inline_epp(@(EPP), { text => $text }),
      Hello <%= $text %>
      | EPP
    *       => $options,
  }
  -> Service <| title == 'motd' and tag != 'off' |> { enable => true }
  if $text =~ /x+/ { notice($0) } else { $list.each |Integer $i, $v = 1| { notify { "${i}": message => $v } } }
}
