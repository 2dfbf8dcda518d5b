# Classes in classes, instances of defined types, empty containers, relationships between all of them.
class empty { }
class inner { notify { 'in': } }
class outer { contain inner  notify { 'out': } include aside }
class aside { pair { 'one': before => Notify['last'] } pair { 'two': subscribe => Pair['one'] } }
define pair { notify { "${title}-a": } -> notify { "${title}-b": notify => Notify['heard'] } }
include outer, empty
notify { 'heard': }
notify { 'last': require => [Class['outer'], [Class['empty'], Notify['heard']]] }
Class['outer'] ~> Class['aside']
Class['empty'] -> Class['outer']
