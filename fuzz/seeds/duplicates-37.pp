$a = $b ? { default => 1, default => 2 }
