# A heredoc with a margin, escapes and interpolation.
Integer[1, 200].map |$n| {
  @("CONF"/L)
    [server_${n}]
    listen = 10.0.${$n % 256}.1:${8000 + $n}
    name   = server-${n}.example.org
    root   = /srv/www/${n}/\
    public
    | CONF
}
