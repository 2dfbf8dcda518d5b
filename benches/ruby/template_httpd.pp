# The main configuration of apache.
$apache_version = '2.4'
$server_tokens = 'Prod'
$server_signature = 'Off'
$server_root = '/etc/apache2'
$trace_enable = 'Off'
$pidfile = '/var/run/apache2.pid'
$timeout = 60
$keepalive = 'On'
$keepalive_timeout = 15
$max_keepalive_requests = 100
$limitreqfieldsize = 8190
$limitreqfields = 100
$user = 'www-data'
$group = 'www-data'
$hostname_lookups = 'Off'
$logroot = '/var/log/apache2'
$error_log = 'error.log'
$log_level = 'warn'
$default_charset = 'UTF-8'
$default_type = 'none'
$protocols = ['h2', 'http/1.1']
$protocols_honor_order = true
$http_protocol_options = 'Strict'
$sendfile = 'On'
$file_e_tag = 'None'
$use_canonical_name = 'Off'
$root_directory_options = ['FollowSymLinks']
$root_directory_secured = true
$apxs_workaround = false
$conf_enabled = '/etc/apache2/conf-enabled'
$confd_dir = '/etc/apache2/conf.d'
$mod_load_dir = '/etc/apache2/mods-enabled'
$vhost_load_dir = '/etc/apache2/sites-enabled'
$vhost_include_pattern = '*'
$ports_file = '/etc/apache2/ports.conf'
$log_formats = { 'mine' => '%h %l %u %t', 'other' => '%h' }
$error_documents = true
$error_documents_path = '/usr/share/apache2/error'
# The server has a variable of this name.
Integer[1, 20].map |$n| { with('web01.example.org') |$servername| { template('apache/httpd.conf.erb') } }
