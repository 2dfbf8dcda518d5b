$zone = 'inside'

Notify { withpath => true }

node default { include "role::${trusted['extensions']['pp_role']}" }
