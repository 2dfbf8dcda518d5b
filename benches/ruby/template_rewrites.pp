# Rules of apache, a hundred of them.
$rewrites = Integer[1, 100].map |$n| {
  { 'comment' => "rule ${n}", 'rewrite_cond' => ["%{HTTP_HOST} ^www${n}\\.", '%{HTTPS} off'], 'rewrite_rule' => ["^/old${n}/(.*) /new${n}/\$1 [R=301,L]"] }
}
template('apache/vhost/_rewrite.erb')
