# What the compiler lets pass because it has an alias for it, the agent may not have.
package { 'editor': name => 'vim', ensure => present }
notify { 'told': require => Package['vim'] }
