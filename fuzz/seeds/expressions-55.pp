file { 'a': mode +> '1', owner +> 'b'; 'c': mode => '2', group +> 'd' }
