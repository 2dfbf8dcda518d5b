# The longest template of apache, for forty directories with what people say of them.
$apache_version = '2.4'
$_apache_version = '2.4'
$docroot = '/var/www'
$_directories = Integer[1, 40].map |$n| {
  {
    'path' => "/var/www/${n}", 'provider' => 'directory', 'options' => ['Indexes', 'FollowSymLinks'],
    'allow_override' => ['None'], 'directoryindex' => 'index.php index.html', 'require' => 'all granted',
    'headers' => ["Set X-Robots-Tag \"noindex, ${n}\""], 'setenv' => ["SITE site${n}", 'MODE production'],
    'rewrites' => [{ 'comment' => 'to the front', 'rewrite_cond' => ['%{REQUEST_FILENAME} !-f'], 'rewrite_rule' => ['^ index.php [L]'] }],
    'custom_fragment' => "# directory ${n}",
  }
}
template('apache/vhost/_directories.erb')
