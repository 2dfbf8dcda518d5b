# Three cycles; one has ways of several lengths, and does not come back to its first member.
notify { 'z1': before => Notify['z2'] }
notify { 'z2': before => Notify['z1'] }
notify { 'a': before => [Notify['e'], Notify['b']] }
notify { 'b': before => Notify['c'] }
notify { 'c': before => [Notify['d'], Notify['f']] }
notify { 'd': before => Notify['c'] }
notify { 'e': before => Notify['f'] }
notify { 'f': before => Notify['g'] }
notify { 'g': before => Notify['h'] }
notify { 'h': before => Notify['a'] }
class one { notify { 'in one': before => Class['two'] } }
class two { notify { 'in two': before => Class['one'] } }
include one, two
