if { 1 }
