# A resource that requires itself, and a class that holds what it requires.
notify { 'self': require => Notify['self'] }
class c { notify { 'held': before => Class['c'] } }
include c
