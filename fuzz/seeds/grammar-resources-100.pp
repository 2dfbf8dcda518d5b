file { * => $a }
