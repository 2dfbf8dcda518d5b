# Stages before and after the main one.
stage { 'pre': before => Stage['main'] }
stage { 'post': require => Stage['main'] }
class first { notify { 'first': } }
class last { notify { 'last': } }
class between { notify { 'between': } }
class { 'first': stage => 'pre' }
class { 'last': stage => 'post' }
include between
