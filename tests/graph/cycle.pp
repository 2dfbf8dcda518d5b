# The simplest cycle.
notify { 'a': require => Notify['b'] }
notify { 'b': require => Notify['a'] }
notify { 'after': require => Notify['a'] }
