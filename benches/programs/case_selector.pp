# Choices: case and selector over strings, types, patterns and lists.
Integer[1, 300].map |$n| {
  $os = ['RedHat', 'Debian', 'Suse', 'Archlinux', 'Windows'][$n % 5]
  $package = case $os {
    'RedHat', 'CentOS': { 'httpd' }
    /^(Debian|Ubuntu)$/: { "apache2-${1}" }
    'suse': { 'apache2' }
    default: { 'apache' }
  }
  $kind = $n % 3 ? { 0 => 'fizz', 1 => $n, default => undef }
  $class = case $kind {
    String[1]: { 'text' }
    Integer[0, 100]: { 'small' }
    Numeric: { 'large' }
    Undef: { 'nothing' }
  }
  [$package, $class, $os ? { 'Windows' => 'C:\\', default => '/' }]
}
