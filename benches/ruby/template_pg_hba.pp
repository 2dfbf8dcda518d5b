# Fifty rules of postgresql, each rendered by itself.
$database = 'app'
$user = 'app'
$type = 'host'
$auth_method = 'md5'
$auth_option = 'clientcert=1'
$order = '010'
Integer[1, 50].map |$n| {
  $name = "rule ${n}"
  $description = "access for ${n}"
  $address = "10.0.${n}.0/24"
  template('postgresql/pg_hba_rule.conf')
}
