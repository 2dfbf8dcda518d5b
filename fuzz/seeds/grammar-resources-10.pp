file { 'a': ;; 'b': }
