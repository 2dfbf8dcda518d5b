class a {
  if $b {
    notice(1)
}
class c { }
